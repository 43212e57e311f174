//! Calculation: its rules, compared with a slow and simple version, exact facts, and published statistics.

mod choices;
mod ends;
mod holding;
mod loops;
mod plain;
mod puzzles;

use std::collections::BTreeMap;

use shikou::game::options::Options;
use shikou::game::{
    Batch, Game, GameExt, NamedGame, Player, Policy, PolicyExt, Tally, Turn, Uniform, play_out, run_playouts,
};
use shikou::games::calculation::{
    Calculation, Deck, FoundationFirst, FoundationRule, Layout, Move, MoveKind, Position, Rank, Reward,
    WasteFirst,
};
use shikou::rng::{PlayoutKey, PlayoutRng};

/// The foundations' sequences as the rules list them, apart from any arithmetic.
const SEQUENCES: [&str; 4] = ["A23456789TJQK", "2468TQA3579JK", "369Q258JA47TK", "48Q37J26TA59K"];

/// The same for smaller decks, counted by hand.
const SMALL: [(u8, &[&str]); 5] = [
    (2, &["A2"]),
    (3, &["A23", "2A3"]),
    (5, &["A2345", "24A35", "3A425", "432A5"]),
    (7, &["A234567", "246A357", "3625A47"]),
    (12, &["A23456789TJQ"]),
];

const RULES: [FoundationRule; 5] = [
    FoundationRule::Optional,
    FoundationRule::Automatic,
    FoundationRule::First,
    FoundationRule::Buried,
    FoundationRule::Outstanding,
];

/// The sequences of a game's foundations.
fn sequences(game: &Calculation) -> Vec<&'static str> {
    let small = SMALL.iter().find(|(ranks, _)| *ranks == game.deck().ranks());
    let all = small.map_or(&SEQUENCES[..], |(_, sequences)| sequences);
    all[..game.deck().suits().into()].to_vec()
}

/// Every combination of piles, layout, foundation rule and merging that the rules depend on, with a full pack, and with
/// smaller decks.
fn variants() -> Vec<Calculation> {
    let small = SMALL.iter().map(|&(ranks, sequences)| Deck::new(ranks, sequences.len() as u8).unwrap());
    let small = small.chain([Deck::new(13, 2).unwrap(), Deck::new(5, 2).unwrap()]);
    let with_piles = small.zip([1, 2, 3, 2, 4, 3, 2]).map(|(deck, piles)| (deck, piles..=piles));
    let mut variants = Vec::new();
    for (deck, piles) in
        with_piles.chain([(Deck::default(), 1..=8)]).flat_map(|(deck, piles)| piles.map(move |n| (deck, n)))
    {
        for layout in [Layout::Dealt, Layout::Empty] {
            for rule in RULES {
                for merge in [false, true] {
                    variants.push(
                        Calculation::default()
                            .with_deck(deck)
                            .with_piles(piles)
                            .with_layout(layout)
                            .with_foundation_rule(rule)
                            .with_merged_empty_piles(merge),
                    );
                }
            }
        }
    }
    variants
}

fn names(game: &Calculation, position: &Position) -> Vec<String> {
    game.moves(position).map(|mv| game.notation(position, mv)).collect()
}

/// Whether the variant merges empty piles, from its behaviour at the first card of a game.
fn merges(game: &Calculation) -> bool {
    let mut position = game.start();
    let highest = Rank::new(game.deck().ranks()).unwrap().to_string();
    game.follow_from(&mut position, &highest, &mut |_| ()).unwrap();
    game.turn(&position) != Turn::Chance && game.move_count(&position) == 1 && game.piles() > 1
}

/// The number of cards of a rank everywhere in the position.
fn copies(game: &Calculation, position: &Position, rank: Rank) -> usize {
    let up = sequences(game)
        .into_iter()
        .zip(position.heights())
        .flat_map(|(ranks, height)| ranks.chars().take(height.into()));
    let piles = (1..=8).flat_map(|pile| position.pile(pile));
    up.filter(|&letter| letter == rank.to_char()).count()
        + piles.chain(position.hand()).filter(|&other| other == rank).count()
        + usize::from(position.stock(rank))
}

#[test]
fn the_laws_hold_along_random_games() {
    for (number, game) in variants().into_iter().enumerate() {
        for playout in 0..8 {
            let mut draws = PlayoutKey::new(number as u64).playout(playout);
            let mut position = game.start();
            let mut transcript = Vec::new();
            while game.turn(&position) != Turn::Over {
                // Each rank of the deck as often as it has suits, and counts that agree.
                let deck = game.deck();
                let of_rank =
                    |rank: Rank| if rank.number() <= deck.ranks() { deck.suits().into() } else { 0 };
                assert!(Rank::all().all(|rank| copies(&game, &position, rank) == of_rank(rank)));
                assert_eq!(position.heights().iter().sum::<u8>(), position.cards_up());
                assert_eq!(
                    position.stock_len(),
                    Rank::all().map(|rank| u32::from(position.stock(rank))).sum::<u32>()
                );
                // Moves and outcomes: only at their own turns, each listed once, each with a unique notation.
                let chance = game.turn(&position) == Turn::Chance;
                assert_eq!(
                    (game.moves(&position).count() == 0, game.outcomes(&position).count() > 0),
                    (chance, chance)
                );
                let mut texts: Vec<String> =
                    game.legal(&position).map(|mv| game.notation(&position, mv)).collect();
                let legal = texts.len();
                for (mv, text) in game.legal(&position).zip(&texts) {
                    assert_eq!(game.parse_move(&position, text), Some(mv));
                    assert_eq!(Move::new(mv.kind()), mv);
                }
                texts.sort();
                texts.dedup();
                assert_eq!(texts.len(), legal);
                // The faster choices obey the laws.
                let mut plain_draws = draws.clone();
                let (mv, expected) = if chance {
                    (
                        game.random_outcome(&position, &mut draws),
                        plain_outcome(&game, &position, &mut plain_draws),
                    )
                } else {
                    assert_eq!(game.move_count(&position) as usize, legal);
                    let pick = plain_draws.below(legal as u32) as usize;
                    (game.random_move(&position, &mut draws), game.moves(&position).nth(pick).unwrap())
                };
                assert_eq!(mv, expected);
                assert_eq!(draws.next_u32(), plain_draws.next_u32());
                // A position survives a round trip through text, and so do its successors.
                let again = game.parse_position(&game.position_text(&position)).unwrap();
                assert_eq!(again, position);
                assert_eq!(names(&game, &again), names(&game, &position));
                if game.foundation_rule() == FoundationRule::Automatic && !chance {
                    assert!(game.moves(&position).all(|mv| matches!(mv.kind(), MoveKind::HandDown { .. })));
                }
                transcript.push(mv);
                game.apply(&mut position, mv);
            }
            assert!(transcript.len() <= game.facts().max_plies.unwrap() as usize);
            assert_eq!(game.follow(&game.transcript(&transcript)).unwrap(), position);
        }
    }
}

/// The outcome selected by a draw when the outcomes' weights are laid end to end.
fn plain_outcome(game: &Calculation, position: &Position, draws: &mut PlayoutRng) -> Move {
    let line: Vec<Move> =
        game.outcomes(position).flat_map(|(mv, weight)| std::iter::repeat_n(mv, weight as usize)).collect();
    line[draws.below(line.len() as u32) as usize]
}

#[test]
fn equality_is_that_of_the_game() {
    let game = Calculation::default();
    let follow = |text: &str| game.follow(text).unwrap();
    // Copies of a rank are interchangeable, and the order of events does not matter.
    assert_eq!(follow("9 p1 K p2 9 p3"), follow("9 p3 9 p1 K p2"));
    assert_eq!(follow("9 p1 9 p1 7 p2"), follow("7 p2 9 p1 9 p1"));
    assert_eq!(follow("8 f4 2 f1"), follow("8 p1 2 p1f4 f1"));
    // Order within a pile, the number of the pile, the hand and the foundation do matter.
    assert_ne!(follow("9 p1 K p1"), follow("K p1 9 p1"));
    assert_ne!(follow("9 p1"), follow("9 p2"));
    assert_ne!(follow("9 p1 K"), follow("9 p1 K p2"));
    assert_ne!(follow("4 f2 6 f2"), follow("4 f2 6 f3"));
    assert_ne!(follow("9 p1 K p2 9 p3"), follow("9 p1 K p2 K p3"));
    let hash = |text: &str| {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        follow(text).hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash("9 p1 K p2 9 p3"), hash("9 p3 9 p1 K p2"));
    assert_ne!(hash("9 p1 K p1"), hash("K p1 9 p1"));
}

#[test]
fn a_card_that_fits_may_be_held_back() {
    let game = Calculation::default();
    let position = game.follow("2").unwrap();
    assert_eq!(names(&game, &position), ["f1", "p1", "p2", "p3", "p4"]);
    let position = game.follow("2 p3 K").unwrap();
    assert_eq!(names(&game, &position), ["p1", "p2", "p3", "p4", "p3f1"]);
    let merged = game.with_merged_empty_piles(true);
    assert_eq!(names(&merged, &merged.follow("2 p1 K").unwrap()), ["p1", "p2", "p1f1"]);
}

#[test]
fn automatic_cards_go_up_at_once() {
    let game = Calculation::default().with_foundation_rule(FoundationRule::Automatic);
    // The 3 waits for the 2; then it goes up before the next card is turned.
    let position = game.follow("3 p1 2").unwrap();
    assert_eq!((position.heights(), position.hand()), ([3, 1, 1, 1], None));
    assert_eq!(game.turn(&position), Turn::Chance);
    // Of two foundations that want a card, the lower takes it.
    assert_eq!(game.follow("6").unwrap().heights(), [1, 1, 2, 1]);
    assert_eq!(game.follow("4 6").unwrap().heights(), [1, 3, 1, 1]);
    // A transcript has only the cards and the piles.
    assert_eq!(game.transcript(&moves_of(&game, "K p1 2 3 9 p4 4 5")), "K p1 2 3 9 p4 4 5");
}

fn moves_of(game: &Calculation, transcript: &str) -> Vec<Move> {
    let mut moves = Vec::new();
    game.follow_from(&mut game.start(), transcript, &mut |mv| moves.push(mv)).unwrap();
    moves
}

#[test]
fn illegal_moves_are_refused_with_what_is_legal() {
    let game = Calculation::default();
    let error = game.follow("9 p5").unwrap_err().to_string();
    assert_eq!(error, "ply 2: `p5` is not a legal move here; legal: p1 p2 p3 p4");
    let mut position = game.follow("9").unwrap();
    let before = position;
    assert!(game.play(&mut position, Move::new(MoveKind::HandUp { foundation: 1 })).is_err());
    assert_eq!(position, before);
    assert!(game.follow("A a A A").is_err());
}

/// The best value of the allowed moves, by simple recursion over every move and every card.
fn expectimax(
    game: &Calculation,
    allowed: fn(&Calculation, &Position) -> Vec<Move>,
    position: &Position,
) -> f64 {
    let child = |mv| expectimax(game, allowed, &game.after(position, mv));
    match game.turn(position) {
        Turn::Over => game.payoff(position, Player::FIRST).into(),
        Turn::Chance => mean(game.outcomes(position).map(|(mv, weight)| (child(mv), weight))),
        Turn::Player(_) => allowed(game, position).into_iter().map(child).fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Every legal move.
fn any_move(game: &Calculation, position: &Position) -> Vec<Move> {
    game.moves(position).collect()
}

/// The moves of foundation-first play: those up if there are any, else all.
fn foundation_first_move(game: &Calculation, position: &Position) -> Vec<Move> {
    FoundationFirst.distribution(game, position).into_iter().map(|(mv, _)| mv).collect()
}

fn mean(values: impl Iterator<Item = (f64, u32)>) -> f64 {
    let (sum, weights) = values.fold((0.0, 0.0), |(sum, weights), (value, weight)| {
        (sum + value * f64::from(weight), weights + f64::from(weight))
    });
    sum / weights
}

/// The witness that holding a card back may pay.
const WITNESS: &str = "up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 49T | hand -";

#[test]
fn foundation_first_is_not_dominant() {
    for merge in [false, true] {
        let game = Calculation::default().with_piles(3).with_merged_empty_piles(merge);
        let position = game.parse_position(WITNESS).unwrap();
        let needs: Vec<String> =
            (1..=4).map(|f| SEQUENCES[f - 1][position.heights()[f - 1].into()..].into()).collect();
        assert_eq!(needs, ["JQK", "9JK", "47TK", "59K"]);
        let third = 1.0 / 3.0;
        assert!((expectimax(&game, any_move, &position) - 1.0).abs() < 1e-12);
        // Mandatory and automatic foundation moves lose equally.
        assert!((expectimax(&game, foundation_first_move, &position) - third).abs() < 1e-12);
        let automatic = game.with_foundation_rule(FoundationRule::Automatic);
        let position = automatic.parse_position(WITNESS).unwrap();
        assert!((expectimax(&automatic, any_move, &position) - third).abs() < 1e-12);
    }
}

#[test]
fn merging_empty_piles_loses_nothing() {
    // Late positions of random games: two or three cards left, and empty piles made by an eager player.
    let game = Calculation::default();
    let merged = Calculation::default().with_merged_empty_piles(true);
    let mut compared = 0;
    for playout in 0..20_000 {
        let mut draws = PlayoutKey::new(5).playout(playout);
        let mut position = game.start();
        while position.stock_len() > 2 {
            let mv = match game.turn(&position) {
                Turn::Chance => game.random_outcome(&position, &mut draws),
                _ => WasteFirst.choose(&game, &position, &mut draws),
            };
            game.apply(&mut position, mv);
        }
        let empty = (1..=4).filter(|&pile| position.pile(pile).next().is_none()).count();
        if empty >= 2 {
            let (a, b) = (expectimax(&game, any_move, &position), expectimax(&merged, any_move, &position));
            assert!((a - b).abs() < 1e-12, "{position:?}: {a} and {b}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn policies_choose_as_their_distributions_say() {
    let game = Calculation::default();
    for policy in game.entries().policies {
        let mut seen: BTreeMap<usize, u32> = BTreeMap::new();
        for playout in 0..300 {
            let mut draws = PlayoutKey::new(3).playout(playout);
            let mut position = game.start();
            loop {
                let mv = match game.turn(&position) {
                    Turn::Over => break,
                    Turn::Chance => game.random_outcome(&position, &mut draws),
                    Turn::Player(_) => {
                        let support = policy.policy.distribution(&game, &position);
                        let mut plain = draws.clone();
                        let expected = support[plain.below(support.len() as u32) as usize].0;
                        let mv = policy.policy.choose(&game, &position, &mut draws);
                        assert_eq!(mv, expected, "{}", policy.name);
                        assert_eq!(draws.clone().next_u32(), plain.next_u32(), "one draw a turn");
                        check_support(policy.name, &game, &position, &support);
                        *seen.entry(support.len()).or_default() += 1;
                        mv
                    }
                };
                game.apply(&mut position, mv);
            }
        }
        assert!(seen.len() >= 4, "{}: {seen:?}", policy.name);
    }
}

/// The support of a policy, by its definition.
fn check_support(policy: &str, game: &Calculation, position: &Position, support: &[(Move, u32)]) {
    let kinds = |wanted: fn(MoveKind) -> bool| -> Vec<(Move, u32)> {
        game.moves(position).filter(|mv| wanted(mv.kind())).map(|mv| (mv, 1)).collect()
    };
    let hand = kinds(|kind| matches!(kind, MoveKind::HandUp { .. }));
    let waste = kinds(|kind| matches!(kind, MoveKind::WasteUp { .. }));
    let down = kinds(|kind| matches!(kind, MoveKind::HandDown { .. }));
    let expected = match policy {
        "uniform" => [hand, down, waste].concat(),
        "foundation-first" if hand.is_empty() && waste.is_empty() => down,
        "waste-first" => [waste, hand, down].into_iter().find(|moves| !moves.is_empty()).unwrap(),
        "king-rules" if hand.is_empty() && waste.is_empty() => {
            assert!(!support.is_empty() && support.iter().all(|choice| down.contains(choice)), "{policy}");
            return;
        }
        "foundation-first" | "king-rules" => [hand, waste].concat(),
        other => panic!("unknown player {other}"),
    };
    assert_eq!(support, expected, "{policy}");
}

#[test]
fn batches_give_the_tally_of_one_game_after_the_other() {
    for game in variants() {
        let game = game.with_reward(Reward::Mixture(0.3));
        for policy in game.entries().policies {
            let batch = Batch { key: PlayoutKey::new(8), first: 17, count: 40 };
            let mut slow = Tally::default();
            for playout in 17..57 {
                let mut position = game.start();
                let plies = play_out(&game, &*policy.policy, &mut position, &mut batch.key.playout(playout));
                slow.record(game.payoff(&position, Player::FIRST), plies);
            }
            assert_eq!(policy.policy.playouts(&game, &game.start(), Player::FIRST, batch), slow);
            let uniform = run_playouts(&game, &Uniform, &game.start(), Player::FIRST, batch);
            assert_eq!(Uniform.playouts(&game, &game.start(), Player::FIRST, batch), uniform);
        }
    }
}

/// The successes of a number of games, and the score in the first quarter of them.
fn tallies(policy: &dyn Policy<Calculation>, games: u64, key: u64) -> (Tally, Tally) {
    let play = |reward, games| {
        let game = Calculation::default().with_reward(reward);
        policy.playouts(&game, &game.start(), Player::FIRST, Batch::new(PlayoutKey::new(key), games))
    };
    (play(Reward::Success, games), play(Reward::Score, games / 4))
}

/// Fails by chance less than once in 10⁶: 4.9 standard errors, of ours and of the published figure together (for
/// a success rate from its 95 % interval, for a mean from its last figure).
#[track_caller]
fn assert_near(found: f64, published: f64, published_error: f64, variance: f64, games: u64) {
    let error = (variance / games as f64 + published_error.powi(2)).sqrt();
    assert!((found - published).abs() < 4.9 * error, "{found}, published {published}, error {error}");
}

#[test]
fn foundation_first_has_the_published_statistics() {
    let (wins, score) = tallies(&FoundationFirst, 1_000_000, 2026);
    assert_near(wins.mean(), 0.001760, 0.000013 / 1.96, 0.001760, wins.playouts);
    assert_near(score.mean(), 27.457, 0.0005, score.variance(), score.playouts);
}

#[test]
fn waste_first_has_the_published_statistics() {
    let (wins, score) = tallies(&WasteFirst, 1_000_000, 2027);
    assert_near(wins.mean(), 0.002020, 0.0000125 / 1.96, 0.002020, wins.playouts);
    assert_near(score.mean(), 27.53, 0.003, score.variance(), score.playouts);
    // The standard error of a standard deviation is about the deviation / √(2n), here .008; ours is rounded.
    assert!((score.variance().sqrt() - 5.88).abs() < 4.9 * 0.0083 + 0.005, "{}", score.variance().sqrt());
}

#[test]
fn uniform_play_has_the_published_mean() {
    let game = Calculation::default().with_reward(Reward::Score);
    let score =
        Uniform.playouts(&game, &game.start(), Player::FIRST, Batch::new(PlayoutKey::new(2028), 500_000));
    assert_near(score.mean(), 15.974, 0.0005, score.variance(), score.playouts);
}

#[test]
#[ignore = "long: 2·10⁷ games of each of two policies, about 40 s"]
fn success_rates_at_length() {
    let policies: [(&dyn Policy<Calculation>, f64, f64); 2] =
        [(&FoundationFirst, 0.001760, 0.000013), (&WasteFirst, 0.002020, 0.0000125)];
    for (policy, rate, half_width) in policies {
        let game = Calculation::default();
        let batch = Batch::new(PlayoutKey::new(2029), 20_000_000);
        let wins = policy.playouts(&game, &game.start(), Player::FIRST, batch);
        assert_near(wins.mean(), rate, half_width / 1.96, rate, wins.playouts);
    }
}

#[test]
fn options_have_their_documented_effect() {
    let game = |given: &str, value: &str| {
        let declared = Calculation::options();
        let option = declared.iter().find(|option| option.name == given).unwrap();
        let options = Options::new(&declared, [(given, option.parse(value).unwrap())]).unwrap();
        Calculation::with_options(&options).unwrap()
    };
    let empty = game("layout", "empty");
    assert_eq!((empty.start().cards_up(), empty.start().stock_len()), (0, 52));
    assert_eq!(names(&empty, &empty.follow("4").unwrap()), ["f4", "p1", "p2", "p3", "p4"]);
    assert_eq!(names(&empty, &empty.follow("5").unwrap()), ["p1", "p2", "p3", "p4"]);
    assert_eq!(Calculation::default().start().stock_len(), 48);
    assert_eq!(
        game("piles", "2").follow("K").map(|position| game("piles", "2").move_count(&position)),
        Ok(2)
    );
    assert!(merges(&game("merge-empty", "true")) && !merges(&Calculation::default()));
    assert_eq!(game("reward", "score").facts().max_payoff, 52);
    assert_eq!(game("reward", "mixture").facts().max_payoff, 5200);
    assert_eq!(game("foundation", "automatic").facts().max_plies, Some(96));
    let facts = Calculation::default().facts();
    assert_eq!((facts.players, facts.chance, facts.zero_sum, facts.score_unit), (1, true, false, "cards"));
    assert_eq!((facts.min_payoff, facts.max_payoff, facts.max_plies), (0, 1, Some(144)));
}
