//! Networks of bags that learn the values of positions before chance: the same bytes however they are trained, values that are
//! near the exact ones, and errors at their places.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shikou::experiment::train;
use shikou::game::{BagList, Evaluation, Game, GameExt, NamedGame, Player, Turn, Uniform};
use shikou::games::calculation::{Calculation, Deck, FoundationRule, PILE_BAGS};
use shikou::learn::{
    BatchLearner, DeepSets, DeepSetsActor, DeepSetsEvaluation, DeepSetsLearner, EpisodeError, LookAhead,
    Target, TdSettings, read_deep_sets, write_deep_sets,
};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    Budget, Limits, Meter, MoveStream, Playouts, Race, Rollouts, Searcher, Sight, Uct, UctSettings,
};

use crate::support::{self, Trainings};

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[training]]
name = "small"
game.calculation = { ranks = 5, suits = 2, piles = 2, foundation = "buried" }
evaluation = "bags"
method.td = { lambda = 0.5, random = 0.1, batch = 5, target = "best" }
against = "itself"
games = 12

[[experiment]]
name = "test"
game.calculation = { ranks = 5, suits = 2, piles = 2, foundation = "buried" }
trials = 5
player = [
    { name = "one ply", search.greedy = { evaluation.bags.evolved = "small" } },
    { name = "one card", search.greedy.evaluation.bags = { ahead = 1, evolved = "small" } },
]
"#;

const TRAININGS: Trainings = Trainings {
    manifest: MANIFEST,
    group: "td-bags",
    names: &["small"],
    files: &["network.safetensors", "checkpoint"],
};

/// The same with games that a player plays in place of the learner.
fn watched() -> Trainings {
    let player = "random = 0, batch = 5 }\nplayer = [{ search.rollouts = { playouts = 3, turns = 2 } }]";
    let manifest = MANIFEST.replace("random = 0.1, batch = 5, target = \"best\" }", player);
    Trainings { manifest: manifest.leak(), group: "td-bags-watched", ..TRAININGS }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    TRAININGS.assert_threads_change_nothing();
    watched().assert_threads_change_nothing();
}

#[test]
fn a_stopped_training_goes_on_as_if_it_had_not_stopped() {
    TRAININGS.assert_stops_change_nothing(1, &[("game", 0), ("game", 5), ("game", 10), ("game", 12)]);
    watched().assert_stops_change_nothing(1, &[("game", 0), ("game", 5), ("game", 12)]);
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("random = 0.1", "random = 0.1, coherence = true", 9, "unknown option `coherence`; known: lambda"),
        ("random = 0.1", "random = 0.1, layers = [3, 1]", 9, "`layers`"),
        (
            "evaluation = \"bags\"",
            "evaluation.bags.file = \"none.safetensors\"",
            8,
            "there is no file \"none.safetensors\"",
        ),
        ("evaluation = \"bags\"", "evaluation.bags.evolved = \"small\"", 8, "run the other training first"),
        ("against = \"itself\"", "against = [\"random\"]", 10, "write against = \"itself\""),
        (
            "against = \"itself\"",
            "against = \"itself\"\nplayer = [{ search.rollouts = {} }]",
            9,
            "write random = 0",
        ),
        (
            "against = \"itself\"",
            "against = \"itself\"\ngames = 1\n\n[[training]]\nname = \"second\"\ngame.calculation = { ranks = 5, suits = 2, piles = 2 }\n\
             evaluation = \"bags\"\nmethod.td.random = 0.1\nagainst = \"itself\"\n\
             player = [{ search.greedy.evaluation.bags.evolved = \"small\" }]",
            17,
            "write random = 0",
        ),
        (
            "against = \"itself\"",
            "against = \"itself\"\nplayer = []",
            11,
            "0 players are given, and one plays the games",
        ),
        (
            "against = \"itself\"",
            "against = \"itself\"\nplayer = [{ search.alpha-beta = {} }]",
            11,
            "alpha-beta does not fit a game of chance",
        ),
        (
            "against = \"itself\"",
            "against = \"itself\"\nplayer = [{ search.flat = {}, budget = { time = \"5ms\" } }]",
            11,
            "would not give the same result again",
        ),
        (".bags.evolved = \"small\"", ".bags.evolved = \"other\"", 18, "unknown training `other`"),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
}

/// A training from a file learns what a learner learns that begins with its network. Its identity follows from the content.
#[test]
fn a_training_begins_with_the_network_of_a_file() {
    let folder = TRAININGS.folder("first");
    TRAININGS.all(&folder);
    let file = folder.join("small/network.safetensors");
    let begun_with = |file: &Path| {
        let from = format!("evaluation.bags.file = {file:?}");
        let text = MANIFEST.replace("evaluation = \"bags\"", &from).replace("games = 12", "games = 4");
        Arc::clone(support::manifest(&text).trainings().next().unwrap())
    };
    let training = begun_with(&file);
    let stop = AtomicBool::new(false);
    let threads = 2;
    train(&training, &folder.join("second"), threads, &stop, &mut |_| {}).unwrap();

    let deck = Deck::new(5, 2).unwrap();
    let game =
        Calculation::default().with_deck(deck).with_piles(2).with_foundation_rule(FoundationRule::Buried);
    let read =
        |file: &Path| read_deep_sets(&std::fs::read(file).unwrap(), "calculation", PILE_BAGS.kinds).unwrap();
    let settings = TdSettings { lambda: 0.5, random: 0.1, target: Target::Best, step: [1.0, 0.01] };
    let mut learner = DeepSetsLearner::new(read(&file), settings.clone());
    let actor = DeepSetsActor::new(&game, &PILE_BAGS, learner.network(), settings.of_random(), 1000);
    let luck = Stream::new(3) / "training" / "games";
    let episodes: Vec<_> = (0..4_u64).map(|number| actor.play::<()>(luck / number).unwrap()).collect();
    learner.learn_batch(&episodes, |number| number as f64 / 4.0);
    let expected = write_deep_sets(learner.network(), "calculation");
    assert!(std::fs::read(folder.join("second/network.safetensors")).unwrap() == expected);
    assert!(expected != std::fs::read(&file).unwrap());

    let copy = folder.join("copy.safetensors");
    std::fs::copy(&file, &copy).unwrap();
    assert_eq!(begun_with(&copy).id(), training.id());
    std::fs::write(&copy, expected).unwrap();
    assert_ne!(begun_with(&copy).id(), training.id());
}

/// Every batch is played by the network as it is, and the positions that its lines reach are learned.
#[test]
fn a_training_learns_from_the_games_of_a_player() {
    let trainings = watched();
    let folder = trainings.folder("player");
    trainings.all(&folder);
    let deck = Deck::new(5, 2).unwrap();
    let game =
        Calculation::default().with_deck(deck).with_piles(2).with_foundation_rule(FoundationRule::Buried);
    let settings = TdSettings { lambda: 0.5, step: [1.0, 0.01], ..SETTINGS };
    let first = DeepSets::random(PILE_BAGS.kinds, Stream::new(3) / "training" / "weights");
    let mut learner = DeepSetsLearner::new(first, settings.clone());
    for begin in (0..12).step_by(5) {
        let network = Arc::new(learner.network().clone());
        let evaluation = Arc::new(DeepSetsEvaluation::new(&game, network.clone(), PILE_BAGS, 1e-6));
        let race = Race { playouts: 3, turns: 2, width: 4, margin: 0.15, prior: 16.0, behind: 3.0 };
        let actor = DeepSetsActor::new(&game, &PILE_BAGS, &network, settings.of_random(), 1000);
        let play = |number: u64| {
            let luck = Stream::new(3) / "training" / "games" / number;
            let mut searcher = Rollouts::new(race, evaluation.clone());
            let (key, mut moves) = ((luck / "player").playout_key(), 0);
            let mut player = |position: &_| {
                let stream = MoveStream::new(key.child(moves));
                moves += 1;
                let decision = searcher.choose(&game, position, stream, &mut Meter::new(Limits::default()));
                decision.map(|decision| decision.chosen)
            };
            actor.watch(&mut player, luck).unwrap()
        };
        let episodes: Vec<_> = (begin..12.min(begin + 5)).map(play).collect();
        learner.learn_batch(&episodes, |number| (begin as f64 + number as f64) / 12.0);
    }
    let expected = write_deep_sets(learner.network(), "calculation");
    assert!(std::fs::read(folder.join("small/network.safetensors")).unwrap() == expected);
}

const SETTINGS: TdSettings =
    TdSettings { lambda: 0.4, step: [1.0, 0.05], random: 0.0, target: Target::Played };

pub(crate) fn trained(game: &Calculation, games: u64) -> DeepSets {
    let mut learner = DeepSetsLearner::new(DeepSets::random(PILE_BAGS.kinds, Stream::new(1)), SETTINGS);
    for number in 0..games {
        let actor = DeepSetsActor::new(game, &PILE_BAGS, learner.network(), SETTINGS.of_random(), 1000);
        let episode = actor.play::<()>(Stream::new(2) / number).unwrap();
        learner.learn_batch(&[episode], |_| number as f64 / games as f64);
    }
    learner.network().clone()
}

/// The exact values of small decks are those of the test `holding`.
#[test]
fn learned_values_are_near_the_exact_ones() {
    for (piles, known, games) in [(1, 0.5655, 20_000), (2, 0.9766, 8_000)] {
        let deck = Deck::new(5, 2).unwrap();
        let game = Calculation::default()
            .with_deck(deck)
            .with_piles(piles)
            .with_foundation_rule(FoundationRule::First)
            .with_merged_empty_piles(true);
        let network = Arc::new(trained(&game, games));
        let evaluation = DeepSetsEvaluation::new(&game, network, PILE_BAGS, 1e-6);
        let estimated = evaluation.evaluate(&game, &game.start(), Player::FIRST) as f64 * 1e-6;
        assert!((estimated - known).abs() < 0.05, "{piles} piles: {estimated}, not {known}");
    }
}

/// The best of all lines of moves, each made one by one.
fn best(
    game: &Calculation,
    evaluation: &DeepSetsEvaluation<Calculation>,
    position: &<Calculation as Game>::Position,
) -> i64 {
    match game.turn(position) {
        Turn::Over => evaluation.finished(game, position, Player::FIRST),
        Turn::Chance => evaluation.evaluate(game, position, Player::FIRST),
        Turn::Player(_) => {
            game.children(position).map(|(_, child)| best(game, evaluation, &child)).max().unwrap()
        }
    }
}

#[test]
fn a_position_at_the_players_turn_is_worth_the_best_line() {
    let game = Calculation::default().with_piles(3);
    let network = Arc::new(trained(&game, 20));
    let evaluation = DeepSetsEvaluation::new(&game, network, PILE_BAGS, 1e-6);
    for number in 0..20 {
        let (mut draws, mut position) = (PlayoutKey::new(number).playout(0), game.start());
        while game.turn(&position) != Turn::Over {
            let value = evaluation.evaluate(&game, &position, Player::FIRST);
            assert_eq!(value, best(&game, &evaluation, &position));
            let mv = match game.turn(&position) {
                Turn::Chance => game.random_outcome(&position, &mut draws),
                _ => game.random_move(&position, &mut draws),
            };
            game.apply(&mut position, mv);
        }
    }
}

/// A file has few digits of a row: values after it are near those before.
#[test]
fn a_file_keeps_values() {
    let game = Calculation::default();
    let network = trained(&game, 300);
    let bytes = write_deep_sets(&network, "calculation");
    let read = read_deep_sets(&bytes, "calculation", network.kinds()).unwrap();
    assert_eq!(write_deep_sets(&read, "calculation"), bytes);
    assert!(bytes.len() < 4 * network.parameters().count() / 10, "{} bytes", bytes.len());
    let points = |network: &DeepSets| {
        let evaluation = DeepSetsEvaluation::new(&game, Arc::new(network.clone()), PILE_BAGS, 1e-6);
        evaluation.evaluate(&game, &game.start(), Player::FIRST) as f64 * 1e-6
    };
    assert!((points(&network) - points(&read)).abs() < 0.01);
    for damage in [0, 9, bytes.len() / 2] {
        let mut short = bytes.clone();
        short.truncate(damage);
        assert!(read_deep_sets(&short, "calculation", network.kinds()).is_err());
    }
}

/// A look ahead that follows every line, by plain recursion over moves.
fn ahead(
    game: &Calculation,
    evaluation: &DeepSetsEvaluation<Calculation>,
    position: &<Calculation as Game>::Position,
    turns: u32,
) -> f64 {
    match game.turn(position) {
        Turn::Over => evaluation.finished(game, position, Player::FIRST) as f64,
        Turn::Chance if turns == 0 => evaluation.evaluate(game, position, Player::FIRST) as f64,
        Turn::Chance => {
            let each = game.outcomes(position).map(|(card, weight)| {
                let mut child = *position;
                game.apply(&mut child, card);
                f64::from(weight) * ahead(game, evaluation, &child, turns - 1)
            });
            each.sum::<f64>() / f64::from(position.stock_len())
        }
        Turn::Player(_) => game
            .children(position)
            .map(|(_, child)| ahead(game, evaluation, &child, turns))
            .fold(0.0, f64::max),
    }
}

#[test]
fn a_look_ahead_that_follows_all_lines_is_plain_expectimax() {
    let game = Calculation::default().with_deck(Deck::new(5, 2).unwrap()).with_piles(2);
    let network = Arc::new(trained(&game, 200));
    let evaluation = || DeepSetsEvaluation::new(&game, network.clone(), PILE_BAGS, 1e-6);
    let (plain, mut differ) = (evaluation(), 0);
    for turns in 1..=2 {
        let all = evaluation().with_look_ahead(LookAhead { turns, width: 1000, margin: 1.0 });
        let one = evaluation().with_look_ahead(LookAhead { turns, width: 1, margin: 1.0 });
        for number in 0..10 {
            let (mut draws, mut position) = (PlayoutKey::new(number).playout(0), game.start());
            while game.turn(&position) != Turn::Over {
                let value = all.evaluate(&game, &position, Player::FIRST);
                let slow = ahead(&game, &plain, &position, turns);
                assert!((value as f64 - slow).abs() <= 2.0, "{value}, not {slow}");
                let followed = one.evaluate(&game, &position, Player::FIRST);
                assert!(followed <= value + 2);
                differ += u32::from(followed + 2 < value);
                let mv = match game.turn(&position) {
                    Turn::Chance => game.random_outcome(&position, &mut draws),
                    _ => game.random_move(&position, &mut draws),
                };
                game.apply(&mut position, mv);
            }
        }
    }
    assert!(differ > 10, "{differ}");
}

/// UCT that stops at once values each leaf by the network.
#[test]
fn values_count_as_points_in_a_tree() {
    let game = Calculation::default().with_deck(Deck::new(5, 2).unwrap()).with_piles(2);
    let evaluation: Arc<dyn Evaluation<Calculation>> =
        Arc::new(DeepSetsEvaluation::new(&game, Arc::new(trained(&game, 200)), PILE_BAGS, 1e-6));
    let position = game.follow("5").unwrap();
    let mut settings = UctSettings::new(Arc::new(Uniform));
    let (decisive, evaluation_at) = (Sight::Never, evaluation.clone());
    settings.playouts =
        Playouts::Cut { plies: 0, minimax: 0, evaluation: evaluation_at, scale: 10.0, batch: 1, decisive };
    let children: Vec<_> = game.children(&position).collect();
    let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(children.len() as u64));
    let stream = MoveStream::new(PlayoutKey::new(1));
    let decision = Uct::new(settings).choose(&game, &position, stream, &mut meter).unwrap();
    for (mv, child) in children {
        let estimate = decision.moves.iter().find(|estimate| estimate.mv == mv).unwrap();
        let points = evaluation.evaluate(&game, &child, Player::FIRST) as f64 * 1e-6;
        assert_eq!(estimate.visits, 1);
        assert!((estimate.value - points).abs() < 1e-5, "{} for {points}", estimate.value);
    }
}

#[test]
fn the_order_of_pooled_bags_changes_no_value() {
    let network = trained(&Calculation::default(), 20);
    let value = |order: [usize; 3]| {
        let mut bags = BagList::default();
        for bag in order {
            (0..3).for_each(|thing| bags.put(100 * bag + 7 * thing));
            bags.close();
        }
        bags.close();
        network.value(&bags)
    };
    assert!((value([0, 1, 2]) - value([2, 0, 1])).abs() < 1e-5);
    assert!((value([0, 1, 2]) - value([0, 1, 1])).abs() > 1e-5);
}

/// The sum over a game's positions of the square of what a estimate is off, before and after a small step: it falls.
#[test]
fn a_step_brings_estimates_nearer_to_the_result() {
    let game = Calculation::default();
    let mut learner = DeepSetsLearner::new(
        DeepSets::random(PILE_BAGS.kinds, Stream::new(5)),
        TdSettings { lambda: 1.0, ..SETTINGS },
    );
    let play = |learner: &DeepSetsLearner| {
        DeepSetsActor::new(&game, &PILE_BAGS, learner.network(), (0.0, Target::Played), 1000)
            .play::<()>(Stream::new(6))
            .unwrap()
    };
    let mut episode = play(&learner);
    episode.points = 1.0;
    let estimated = |learner: &DeepSetsLearner| play(learner).steps[0].expected;
    let before = estimated(&learner);
    for _ in 0..20 {
        learner.learn_batch(std::slice::from_ref(&episode), |_| 0.0);
    }
    assert!(estimated(&learner) > before + 0.2);
}

#[test]
fn a_game_that_is_too_long_is_an_error() {
    let game = Calculation::default();
    let network = DeepSets::random(PILE_BAGS.kinds, Stream::new(1));
    let actor = DeepSetsActor::new(&game, &PILE_BAGS, &network, (0.0, Target::Played), 3);
    assert_eq!(actor.play::<()>(Stream::new(1)), Err(EpisodeError::Endless(3)));
}

#[test]
fn only_a_solitaire_with_bags_has_lessons() {
    assert!(shikou::games::othello::Othello::BAGS.is_none() && Calculation::BAGS.is_some());
}
