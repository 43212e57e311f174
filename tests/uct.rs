//! UCT and its family against slow, obvious references.

use std::collections::BTreeSet;
use std::sync::Arc;

use shikou::game::{Game, GameExt, Player, Policy, Turn, Uniform};
use shikou::games::calculation::{Calculation, Reward as CardReward};
use shikou::games::othello::Othello;
use shikou::games::random_tree::{Leaves, RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::{Registry, SearcherSpec, build};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    Ask, Budget, Decision, Decisive, Limits, Meter, MoveStream, Searcher, Spent, Stop, Uct, UctSettings,
};

/// What a searcher decides, and what it spent.
fn decide<G: Game>(spec: &str, game: &G, position: &G::Position, seed: u64) -> (Decision<G::Move>, Spent) {
    let spec: SearcherSpec = spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}"));
    let recipe = build(game, &spec).unwrap_or_else(|misfit| panic!("{spec}: {misfit}"));
    let mut meter = Meter::new(Limits::default()).with_budget(recipe.budget());
    let stream = MoveStream::new(PlayoutKey::new(seed));
    let decision = recipe.machine().choose(game, position, stream, &mut meter).unwrap();
    (decision, meter.spent())
}

/// Plain minimax, or expectimax where chance moves.
fn value<G: Game>(game: &G, position: &G::Position, player: Player) -> f64 {
    let of_children = || game.children(position).map(|(_, child)| value(game, &child, player));
    match game.turn(position) {
        Turn::Over => f64::from(game.payoff(position, player)),
        Turn::Player(mover) if mover == player => of_children().fold(f64::NEG_INFINITY, f64::max),
        Turn::Player(_) => of_children().fold(f64::INFINITY, f64::min),
        Turn::Chance => {
            let weights: Vec<f64> = game.outcomes(position).map(|(_, weight)| f64::from(weight)).collect();
            let sum: f64 = of_children().zip(&weights).map(|(value, weight)| value * weight).sum();
            sum / weights.iter().sum::<f64>()
        }
    }
}

/// The value of a move for who makes it.
fn value_of<G: Game>(game: &G, position: &G::Position, mv: G::Move) -> f64 {
    let Turn::Player(player) = game.turn(position) else { panic!("a player moves") };
    let mut child = *position;
    game.apply(&mut child, mv);
    value(game, &child, player)
}

/// A board of nine squares as the smallest of its eight images.
fn smallest_image(marks: [u16; 2]) -> [u16; 2] {
    let image = |marks: u16, mirror: bool, turns: u8| {
        (0..9).filter(|square| marks >> square & 1 == 1).fold(0, |found, square| {
            let (mut x, mut y) = (square % 3, square / 3);
            if mirror {
                x = 2 - x;
            }
            for _ in 0..turns {
                (x, y) = (2 - y, x);
            }
            found | 1_u16 << (3 * y + x)
        })
    };
    let images = (0..8_u8).map(|number| marks.map(|marks| image(marks, number & 1 == 1, number / 2)));
    images.min().unwrap()
}

/// All positions of tic-tac-toe with at least two moves, one of each that are alike but for turns and mirrors.
fn tic_tac_toe_positions() -> Vec<<TicTacToe as Game>::Position> {
    let game = TicTacToe;
    let mut found = vec![game.start()];
    let mut images = BTreeSet::new();
    let mut next = 0;
    while next < found.len() {
        let position = found[next];
        next += 1;
        for (_, child) in game.children(&position) {
            if images.insert(smallest_image([child.marks(Player::FIRST), child.marks(Player::SECOND)])) {
                found.push(child);
            }
        }
    }
    assert_eq!(found.len(), 765);
    found.retain(|position| game.move_count(position) > 1);
    found
}

/// Every variant of the family that a manifest can name.
const VARIANTS: [&str; 26] = [
    "uct",
    "uct(selection=tuned)",
    "uct(selection=bayes)",
    "uct(first-play=urgency,urgency=1.1)",
    "uct(first-play=reduction,urgency=0.2)",
    "uct(threshold=5)",
    "uct(threshold=5,children=all)",
    "uct(max-share=0.5)",
    "uct(max-share=1,exploration=2)",
    "uct(batch=4)",
    "uct(solver=true)",
    "uct(final-choice=max)",
    "uct(final-choice=secure)",
    "uct(keep-tree=true,ties=first)",
    "uct(selection=puct,prior=policy,exploration=2)",
    "uct(selection=biased,prior=policy)",
    "uct(selection=rave,equivalence=100)",
    "uct(widening=2)",
    "uct(solver=true,probe=2)",
    "uct(decisive=own)",
    "uct(decisive=both)",
    "uct(learning=mast)",
    "uct(learning=nst)",
    "uct(learning=last-good-reply)",
    "uct(trees=4)",
    "open-loop-uct",
];

/// Each position of tic-tac-toe is won, drawn or lost; a search that converges plays a move that keeps the value.
#[test]
fn every_variant_converges_to_the_minimax_move_on_all_of_tic_tac_toe() {
    let game = TicTacToe;
    let positions = tic_tac_toe_positions();
    let values: Vec<Vec<f64>> =
        positions.iter().map(|p| game.moves(p).map(|mv| value_of(&game, p, mv)).collect()).collect();
    for variant in VARIANTS {
        let errs = |index: &usize, playouts: u32| {
            let (position, values) = (&positions[*index], &values[*index]);
            let (decision, _) = decide(&format!("{variant}@playouts={playouts}"), &game, position, 1);
            let chosen = game.moves(position).position(|mv| mv == decision.chosen).unwrap();
            values[chosen] < values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        };
        let wrong: Vec<usize> = (0..positions.len()).filter(|index| errs(index, 1000)).collect();
        assert!(wrong.len() <= 60, "{variant}: {} of {} wrong", wrong.len(), positions.len());
        let still: Vec<&usize> = wrong.iter().filter(|index| errs(index, 50_000)).collect();
        assert_eq!(still, [0_usize; 0].iter().collect::<Vec<_>>(), "{variant}");
    }
}

/// What is proved is the value, and a position is proved when the budget suffices.
#[test]
fn proofs_agree_with_minimax_on_all_of_tic_tac_toe() {
    let game = TicTacToe;
    for position in tic_tac_toe_positions() {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (decision, _) = decide("uct(solver=true)@playouts=100000", &game, &position, 2);
        assert_eq!(decision.stop, Stop::Proved);
        let exact = value(&game, &position, player);
        assert_eq!(value_of(&game, &position, decision.chosen), exact);
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - exact).abs() < 1e-12, "{} {exact}", chosen.value);
    }
}

/// Without the solver the same search goes on until its budget ends.
#[test]
fn only_the_solver_proves() {
    let game = TicTacToe;
    let position = game.follow("a1 b1 a2 b2").unwrap();
    let (plain, _) = decide("uct@playouts=2000", &game, &position, 1);
    assert_eq!(plain.stop, Stop::Limit(shikou::search::Limit::Playouts));
    assert!(plain.moves.iter().map(|estimate| estimate.visits).sum::<u64>() == 2000);
}

/// On random trees with any payoffs, for one player and two, with ties and with chance.
#[test]
fn proofs_agree_with_expectimax_on_random_trees() {
    for tree in 0..240 {
        let settings = Settings {
            branching: 2 + tree % 3,
            depth: 4,
            tree: u64::from(tree),
            players: 1 + (tree % 2) as u8,
            chance_every: [0, 2, 3][tree as usize / 2 % 3],
            reward: [Reward::Score, Reward::Success][tree as usize / 6 % 2],
            value_range: [127, 2][tree as usize / 12 % 2],
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        let (decision, _) = decide("uct(solver=true)@playouts=200000", &game, &start, 1);
        assert_eq!(decision.stop, Stop::Proved, "tree {tree}");
        let exact = game.expectimax(&start);
        assert!((value_of(&game, &start, decision.chosen) - exact).abs() < 1e-9, "tree {tree}");
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - exact).abs() < 1e-9, "tree {tree}: {} {exact}", chosen.value);
    }
}

/// A shallow minimax proves the same, with fewer iterations.
#[test]
fn probes_prove_the_same_sooner() {
    let game = TicTacToe;
    let (mut plain, mut probed) = (0, 0);
    for position in tic_tac_toe_positions().into_iter().step_by(7) {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (_, spent) = decide("uct(solver=true)@playouts=100000", &game, &position, 2);
        plain += spent.playouts;
        let (decision, spent) = decide("uct(solver=true,probe=2)@playouts=100000", &game, &position, 2);
        probed += spent.playouts;
        assert_eq!(decision.stop, Stop::Proved);
        assert_eq!(value_of(&game, &position, decision.chosen), value(&game, &position, player));
    }
    assert!(2 * probed < plain, "{probed} {plain}");
}

/// With n visits ⌈2√n⌉ children may be visited, and by then each of them was.
#[test]
fn widening_visits_as_many_children_as_published() {
    let game = RandomTree::new(Settings { branching: 1000, depth: 4, ..Settings::default() }).unwrap();
    for playouts in [1_u64, 10, 100, 1000] {
        let spec = format!("uct(widening=2)@playouts={playouts}");
        let (decision, _) = decide(&spec, &game, &game.start(), 1);
        let visited = decision.moves.iter().filter(|estimate| estimate.visits > 0).count();
        // The last one was chosen after one visit less.
        assert_eq!(visited, (2.0 * ((playouts - 1) as f64).sqrt()).ceil().max(1.0) as usize);
    }
}

/// Where the evaluation is the truth, and counts alone, the first visit of each move tells its value.
#[test]
fn implicit_minimax_backs_evaluations_up() {
    for tree in 0..20 {
        let settings = Settings {
            branching: 4,
            depth: 6,
            tree,
            leaves: Leaves::Planted,
            reward: Reward::Score,
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        let spec = "uct(implicit=1,final-choice=max,evaluation-scale=50)@playouts=200";
        let (decision, _) = decide(spec, &game, &start, 1);
        assert_eq!(
            value_of(&game, &start, decision.chosen),
            value(&game, &start, Player::FIRST),
            "tree {tree}"
        );
    }
}

/// A prior that is the truth leads to the best move at once.
#[test]
fn priors_order_the_moves() {
    for tree in 0..20 {
        let settings = Settings {
            branching: 50,
            depth: 3,
            tree,
            leaves: Leaves::Planted,
            reward: Reward::Score,
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        for selection in ["puct", "biased"] {
            let spec = format!("uct(selection={selection},prior=evaluation,evaluation-scale=50)@playouts=1");
            let (decision, _) = decide(&spec, &game, &start, 1);
            let first = decision.moves.iter().find(|estimate| estimate.visits > 0).unwrap().mv;
            assert_eq!(value_of(&game, &start, first), value(&game, &start, Player::FIRST), "tree {tree}");
        }
    }
}

/// Playouts that see wins take them, and with `anti` let none happen.
#[test]
fn decisive_policies_win_and_block() {
    let game = TicTacToe;
    let at = |text| game.follow(text).unwrap();
    let chosen = |anti, text| {
        let policy = Decisive::<TicTacToe> { policy: Arc::new(Uniform), anti };
        let mut chosen: Vec<u8> = (0..200)
            .map(|index| policy.choose(&game, &at(text), &mut PlayoutKey::new(1).playout(index)))
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        let mut stated: Vec<u8> =
            policy.distribution(&game, &at(text)).into_iter().map(|(mv, _)| mv).collect();
        stated.sort_unstable();
        assert_eq!(chosen, stated, "{text}");
        chosen.len()
    };
    // The first player has a1 and a2, the second b1 and b2: both would win in the third row.
    assert_eq!((chosen(false, "a1 b1 a2 b2"), chosen(true, "a1 b1 a2 b2")), (1, 1));
    // The second player must stop a3, or may not see it.
    assert_eq!((chosen(false, "a1 b1 a2"), chosen(true, "a1 b1 a2")), (6, 1));
    // Nothing threatens.
    assert_eq!((chosen(false, "a1"), chosen(true, "a1")), (8, 8));
}

#[test]
fn moves_have_numbers_of_their_own() {
    fn check<G: Game>(game: &G, most: u16) {
        let mut numbers = std::collections::BTreeMap::new();
        for seed in 0..20 {
            let mut position = game.start();
            let mut draws = PlayoutKey::new(seed).playout(0);
            loop {
                let mv = match game.turn(&position) {
                    Turn::Over => break,
                    Turn::Chance => game.random_outcome(&position, &mut draws),
                    Turn::Player(_) => {
                        for mv in game.moves(&position) {
                            let number = game.move_number(mv).unwrap();
                            assert!(number < most && *numbers.entry(number).or_insert(mv) == mv);
                        }
                        game.random_move(&position, &mut draws)
                    }
                };
                game.apply(&mut position, mv);
            }
        }
    }
    check(&TicTacToe, 9);
    check(&Othello::default(), 65);
    check(&Calculation::default(), 64);
    check(&RandomTree::new(Settings::default()).unwrap(), 2);
}

/// What is left to be turned after this turn: how many cards, and of how many kinds.
fn stock_after(game: &Calculation, position: &<Calculation as Game>::Position) -> (u32, usize) {
    let mut after = *position;
    loop {
        let next = game.moves(&after).next();
        let Some(mv) = next else { break };
        game.apply(&mut after, mv);
    }
    (game.outcomes(&after).map(|(_, weight)| weight).sum(), game.outcomes(&after).count())
}

/// Late positions of Calculation with so many cards of so many kinds in the stock, and what they are worth exactly.
fn late_positions(stock: (u32, usize)) -> Vec<(<Calculation as Game>::Position, f64)> {
    let game = Calculation::default().with_reward(CardReward::Score);
    let policy = game.policies().into_iter().find(|policy| policy.name == "foundation-first").unwrap().policy;
    let mut found = Vec::new();
    for seed in 0..400 {
        let mut position = game.start();
        let mut draws = PlayoutKey::new(seed).playout(1);
        while game.turn(&position) != Turn::Over && found.len() < 8 {
            let mv = match game.turn(&position) {
                Turn::Player(player)
                    if game.move_count(&position) > 1 && stock_after(&game, &position) == stock =>
                {
                    found.push((position, value(&game, &position, player)));
                    break;
                }
                Turn::Chance => game.random_outcome(&position, &mut draws),
                _ => policy.choose(&game, &position, &mut draws),
            };
            game.apply(&mut position, mv);
        }
    }
    found
}

/// The last cards of Calculation, whose exact value expectimax gives: the solver proves it, UCT comes to it, and in open
/// loop a search is worth no more; where only one kind of card is left, so that chance has no choice, it is worth the same.
#[test]
fn open_and_closed_loop_agree_with_expectimax_on_the_last_cards_of_calculation() {
    let game = Calculation::default().with_reward(CardReward::Score);
    for stock in [(1, 1), (2, 1), (2, 2)] {
        let positions = late_positions(stock);
        assert!(positions.len() > 2, "{stock:?}");
        for (position, exact) in positions {
            let worth = |mv| value_of(&game, &position, mv);
            let chosen = |decision: &Decision<_>| {
                *decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap()
            };
            let (proved, _) = decide("uct(solver=true)@playouts=300000", &game, &position, 1);
            assert_eq!(proved.stop, Stop::Proved);
            assert!((worth(proved.chosen) - exact).abs() < 1e-9);
            let (closed, _) = decide("uct(exploration=0.2)@playouts=20000", &game, &position, 1);
            assert!((chosen(&closed).value - exact).abs() < 1.0, "{:?} {exact}", chosen(&closed));
            assert!(worth(closed.chosen) > exact - 0.25);
            let (open, _) = decide("open-loop-uct(exploration=0.2)@playouts=20000", &game, &position, 1);
            assert!(chosen(&open).value < exact + 6.0 * chosen(&open).spread + 1e-9);
            if stock.1 == 1 {
                assert!((chosen(&open).value - exact).abs() < 1.0, "{:?} {exact}", chosen(&open));
                assert!(worth(open.chosen) > exact - 0.25);
            }
        }
    }
}

/// Two deals that begin alike are alike to every searcher until they differ.
#[test]
fn nobody_peeks_at_the_stock() {
    let registry = Registry::standard();
    let game = registry.game("calculation", &[]).unwrap();
    for spec in ["uct@playouts=200", "uct(widening=1)@playouts=200", "open-loop-uct@playouts=200"] {
        let specs: [SearcherSpec; 1] = [spec.parse().unwrap()];
        let tables = game.prepare(&specs).unwrap();
        let first_move = |deal: u64| {
            let mut table = tables.table();
            table.let_chance_choose(&mut Stream::new(deal).rng());
            let card = table.last_move().unwrap();
            table.decide(MoveStream::new(PlayoutKey::new(1)), Limits::default()).unwrap();
            (card, table.last_decision().unwrap().1)
        };
        let mut seen = std::collections::BTreeMap::new();
        for deal in 0..40 {
            let (card, decision) = first_move(deal);
            assert_eq!(*seen.entry(card).or_insert_with(|| decision.clone()), decision, "{spec}");
        }
        assert!(seen.len() < 14);
    }
}

/// With enough iterations the values of the moves themselves come near those of expectimax.
#[test]
fn values_converge_to_expectimax() {
    for tree in 0..12 {
        let settings =
            Settings { branching: 3, depth: 3, tree, chance_every: 2, players: 1, ..Settings::default() };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        let (decision, _) = decide("uct@playouts=100000", &game, &start, 1);
        let exact = game.expectimax(&start);
        assert!((value_of(&game, &start, decision.chosen) - exact).abs() < 1e-9);
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - exact).abs() < 0.02, "tree {tree}: {} {exact}", chosen.value);
    }
}

#[test]
fn budgets_are_kept_to_the_playout_and_the_node() {
    let game = Othello::default();
    let start = game.start();
    for variant in VARIANTS {
        for playouts in [1, 2, 3, 50, 997] {
            let (decision, spent) = decide(&format!("{variant}@playouts={playouts}"), &game, &start, 3);
            assert_eq!(spent.playouts, playouts, "{variant}");
            assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), playouts);
        }
        let (_, spent) = decide(&format!("{variant}@nodes=500"), &game, &start, 3);
        assert_eq!(spent.nodes, 500, "{variant}");
        let (_, spent) = decide(&format!("{variant}@plies=5000"), &game, &start, 3);
        assert!((5000..5000 + 4 * 128).contains(&spent.plies), "{variant}: {}", spent.plies);
    }
}

#[test]
fn the_same_stream_gives_the_same_decision_and_another_another() {
    let game = Othello::default();
    let start = game.follow("f5d6").unwrap();
    for variant in VARIANTS {
        let ask = |seed| decide(&format!("{variant}@playouts=300"), &game, &start, seed);
        assert_eq!(ask(1), ask(1), "{variant}");
        assert_ne!(ask(1).0.moves, ask(2).0.moves, "{variant}");
    }
}

/// Two conversations held at once, their playouts mixed, come to what each comes to alone.
#[test]
fn conversations_can_be_held_side_by_side() {
    let game = Othello::default();
    let positions = [game.start(), game.follow("f5d6c3").unwrap()];
    let stream = |seed| MoveStream::new(PlayoutKey::new(seed));
    let mut searchers = [(); 2].map(|()| Uct::new(UctSettings::new(Arc::new(Uniform))));
    let alone: Vec<_> = positions
        .iter()
        .map(|position| {
            let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(400));
            let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
            uct.choose(&game, position, stream(7), &mut meter).unwrap()
        })
        .collect();
    let leaf = UctSettings::new(Arc::new(Uniform)).leaf;
    let mut meters = [(); 2].map(|()| Meter::new(Limits::default()).with_budget(Budget::playouts(400)));
    let mut held: Vec<_> = searchers
        .iter_mut()
        .zip(&positions)
        .zip(&mut meters)
        .map(|((uct, position), meter)| uct.begin(&game, position, stream(7), meter).unwrap())
        .collect();
    let mut stopped = Vec::new();
    while stopped.len() < 2 {
        for (index, conversation) in held.iter_mut().enumerate() {
            match conversation.ask(&mut meters[index]) {
                Ask::Playouts(at) => {
                    let Turn::Player(player) = game.turn(&positions[index]) else { unreachable!() };
                    let sample = leaf.play(&game, &at, player, conversation.batch());
                    meters[index].count_playouts(&sample.work());
                    conversation.tell(&sample);
                }
                Ask::Nothing(stop) => {
                    if !stopped.contains(&index) {
                        stopped.push(index);
                        assert_eq!(
                            conversation.decide(stream(7), stop, &meters[index]).unwrap(),
                            alone[index]
                        );
                    }
                }
            }
        }
    }
}

/// A tree that is kept knows the position that came true, and its visits.
#[test]
fn a_kept_tree_begins_where_the_game_went() {
    let game = Othello::default();
    let mut position = game.start();
    let spec: SearcherSpec = "uct(keep-tree=true)@playouts=2000".parse().unwrap();
    let mut uct = build(&game, &spec).unwrap().machine();
    let mut visits = Vec::new();
    for ply in 0..3 {
        let mut meter = Meter::new(Limits::default()).with_budget(spec.budget);
        let stream = MoveStream::new(PlayoutKey::new(ply));
        let decision = uct.choose(&game, &position, stream, &mut meter).unwrap();
        visits.push(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>());
        game.apply(&mut position, decision.chosen);
        let reply = game.moves(&position).next().unwrap();
        game.apply(&mut position, reply);
    }
    assert_eq!(visits[0], 2000);
    assert!(visits[1] > 2000 && visits[2] > 2000, "{visits:?}");
}

/// Forgotten nodes change what is found, never how much is held.
fn held_to(megabytes: u64, playouts: u64) {
    let settings = Settings { branching: 8, depth: 30, ..Settings::default() };
    let game = RandomTree::new(settings).unwrap();
    for spec in ["uct", "uct(solver=true)", "uct(keep-tree=true)"] {
        let spec: SearcherSpec = spec.parse().unwrap();
        let mut uct = build(&game, &spec.with_budget(Budget::playouts(playouts))).unwrap().machine();
        let mut meter =
            Meter::new(Limits { memory_bytes: megabytes << 20 }).with_budget(Budget::playouts(playouts));
        let decision =
            uct.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
        assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), playouts);
        assert!(meter.memory_left() < megabytes << 19, "it took less than half of what it may");
    }
}

#[test]
fn memory_is_capped() {
    held_to(1, 100_000);
}

#[test]
#[ignore = "long: 10⁷ iterations"]
fn memory_is_capped_for_ten_million_iterations() {
    held_to(64, 10_000_000);
}

#[test]
fn a_cap_too_small_for_the_moves_of_the_root_is_a_fault() {
    let game = RandomTree::new(Settings { branching: 50_000, depth: 2, ..Settings::default() }).unwrap();
    let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
    let mut meter = Meter::new(Limits { memory_bytes: 100_000 }).with_budget(Budget::playouts(10));
    let fault =
        uct.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap_err();
    assert!(fault.to_string().starts_with("memory cap"), "{fault}");
}

/// The failure rate of UCT at trees of the kind of Kocsis and Szepesvári falls towards 0 as iterations grow.
#[test]
fn the_error_rate_falls_on_p_games() {
    let errors = |playouts: u64| {
        let wrong = |tree: u64| {
            let settings =
                Settings { branching: 2, depth: 10, tree, leaves: Leaves::PathSum, ..Settings::default() };
            let game = RandomTree::new(settings).unwrap();
            let start = game.start();
            let (decision, _) = decide(&format!("uct@playouts={playouts}"), &game, &start, tree);
            value_of(&game, &start, decision.chosen) < value(&game, &start, Player::FIRST)
        };
        (0..200).filter(|&tree| wrong(tree)).count()
    };
    let rates: Vec<usize> = [10, 100, 1000, 10_000].map(errors).into();
    assert!(
        rates[0] > 2 * rates[2] && rates[1] > rates[2] && rates[3] <= rates[2] && rates[3] <= 4,
        "{rates:?}"
    );
}

/// A playout that is cut off at once plays nothing: it is worth what the evaluation says, as a share.
#[test]
fn a_cut_off_at_once_is_the_evaluation() {
    let game = Othello::default();
    let position = game.follow("f5").unwrap();
    let spec = "uct(cutoff=0,evaluation=discs,evaluation-scale=6,threshold=1000)@playouts=1000";
    let (decision, spent) = decide(spec, &game, &position, 1);
    assert_eq!(spent.plies, 0);
    for estimate in decision.moves {
        let mut child = position;
        game.apply(&mut child, estimate.mv);
        // After white's reply the discs are even, or white has less: −e/(|e| + 6) of the payoff's half range.
        let discs = f64::from(child.disc_difference(Player::SECOND));
        assert!((estimate.value - discs / (discs.abs() + 6.0)).abs() < 1e-9, "{estimate:?}");
    }
}

/// Several trees come to the sums of what each comes to with its part of the budget.
#[test]
fn trees_are_added_up_at_the_root() {
    let game = Othello::default();
    let start = game.follow("f5").unwrap();
    let (joined, spent) = decide("uct(trees=3)@playouts=301", &game, &start, 5);
    assert_eq!(spent.playouts, 301);
    let key = MoveStream::new(PlayoutKey::new(5)).playouts();
    let single: Vec<_> = [101, 100, 100]
        .into_iter()
        .zip(0..)
        .map(|(playouts, tree)| {
            decide(&format!("uct@playouts={playouts}"), &game, &start, key.child(tree).to_u64()).0
        })
        .collect();
    for (index, sum) in joined.moves.iter().enumerate() {
        let parts = || single.iter().map(|decision| decision.moves[index]);
        assert_eq!(sum.visits, parts().map(|part| part.visits).sum::<u64>());
        let payoffs: f64 = parts().map(|part| part.value * part.visits as f64).sum();
        assert!((sum.value * sum.visits as f64 - payoffs).abs() < 1e-9);
    }
    let most = joined.moves.iter().map(|estimate| estimate.visits).max().unwrap();
    assert!(joined.moves.iter().any(|estimate| estimate.mv == joined.chosen && estimate.visits == most));
}
