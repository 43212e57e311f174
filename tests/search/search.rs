//! Searchers, compared with slow, simple references: values first, never strength alone.
use std::sync::Arc;

use shikou::game::{FinishedGames, Game, GameExt, NamedGame, Player, Turn, Uniform, perft};
use shikou::games::calculation::Calculation;
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Budget, Decision, FlatMonteCarlo, FullWidth, Limits, Meter, MoveStream,
    Searcher, Ties, Uct, UctSettings,
};

use crate::support::{ask, ask_within, best, reachable};

/// Plain negamax, the reference.
fn plain_value<G: Game>(game: &G, position: &G::Position, player: Player) -> i32 {
    match game.turn(position) {
        Turn::Over => game.payoff(position, player),
        Turn::Chance => panic!("a game without chance was asked for"),
        Turn::Player(mover) => {
            let values = game.moves(position).map(|mv| plain_value(game, &game.after(position, mv), player));
            if mover == player { values.max().unwrap() } else { values.min().unwrap() }
        }
    }
}

#[test]
fn full_minimax_knows_every_position_of_tic_tac_toe() {
    let game = TicTacToe;
    for position in reachable(&game) {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (decision, _) = ask(&mut FullWidth::minimax(None, Ties::Random), &game, &position, 1);
        let value = plain_value(&game, &position, player);
        assert_eq!(plain_value(&game, &game.after(&position, decision.chosen), player), value);
        for estimate in &decision.moves {
            let plain = plain_value(&game, &game.after(&position, estimate.mv), player);
            assert_eq!(estimate.value, f64::from(plain));
        }
    }
}

/// For every choice among equal moves, and every play of the opponent.
#[test]
fn full_minimax_never_loses_tic_tac_toe() {
    fn worst<G: Game>(game: &G, position: &G::Position, minimax: Player) -> i32 {
        match game.turn(position) {
            Turn::Over => game.payoff(position, minimax),
            Turn::Player(mover) if mover == minimax => {
                let (decision, _) = ask(&mut FullWidth::minimax(None, Ties::First), game, position, 1);
                let equals = match decision.moves.len() {
                    0 => vec![decision.chosen],
                    _ => best(&decision).1,
                };
                equals.iter().map(|&mv| worst(game, &game.after(position, mv), minimax)).min().unwrap()
            }
            _ => {
                game.moves(position).map(|mv| worst(game, &game.after(position, mv), minimax)).min().unwrap()
            }
        }
    }
    let game = TicTacToe;
    // From the second ply on: the first search of an empty board is in the test above.
    for first in game.moves(&game.start()) {
        let position = game.after(&game.start(), first);
        assert_eq!(worst(&game, &position, Player::SECOND), 0);
        if first == 4 {
            assert_eq!(worst(&game, &position, Player::FIRST), 0);
        }
    }
}

#[test]
fn minimax_agrees_with_the_values_of_random_trees() {
    for tree in 0..300 {
        let settings = Settings {
            branching: 2 + tree % 3,
            depth: 1 + tree % 6,
            tree: u64::from(tree),
            value_range: [127, 2][tree as usize % 2],
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        let (decision, _) = ask(&mut FullWidth::minimax(None, Ties::First), &game, &start, 1);
        for estimate in &decision.moves {
            let value = plain_value(&game, &game.after(&start, estimate.mv), Player::FIRST);
            assert_eq!(estimate.value, f64::from(value), "tree {tree}");
        }
        assert_eq!(game.minimax(&start), plain_value(&game, &start, Player::FIRST));
    }
}

#[test]
fn minimax_to_a_depth_values_its_horizon() {
    fn depth_limited(
        game: &Othello,
        position: &<Othello as Game>::Position,
        player: Player,
        depth: u32,
    ) -> i64 {
        let evaluation = &game.entries().evaluations[0].evaluation;
        match game.turn(position) {
            Turn::Over => evaluation.finished(game, position, player),
            _ if depth == 0 => evaluation.evaluate(game, position, player),
            turn => {
                let values = game
                    .moves(position)
                    .map(|mv| depth_limited(game, &game.after(position, mv), player, depth - 1));
                if turn == Turn::Player(player) { values.max().unwrap() } else { values.min().unwrap() }
            }
        }
    }
    let game = Othello::default();
    let evaluation = game.entries().evaluations[0].evaluation.clone();
    let mut rng = (Stream::new(1) / "positions").rng();
    for depth in 1..=4 {
        for _ in 0..10 {
            let mut position = game.start();
            for _ in 0..rng.below(58) {
                let n = u64::from(game.move_count(&position));
                if n > 0 {
                    let mv = game.moves(&position).nth(rng.below(n) as usize).unwrap();
                    game.apply(&mut position, mv);
                }
            }
            let Turn::Player(player) = game.turn(&position) else { continue };
            let (decision, _) = ask(
                &mut FullWidth::minimax(Some((depth, evaluation.clone())), Ties::First),
                &game,
                &position,
                1,
            );
            for estimate in &decision.moves {
                let value = depth_limited(&game, &game.after(&position, estimate.mv), player, depth - 1);
                assert_eq!(estimate.value, value as f64);
            }
        }
    }
}

/// A sure win outweighs every guess.
#[test]
fn a_finished_game_counts_more_than_discs() {
    let game = Othello::new(4);
    let evaluation = game.entries().evaluations[0].evaluation.clone();
    let start = game.start();
    let (decision, _) = ask(&mut FullWidth::minimax(Some((30, evaluation)), Ties::First), &game, &start, 1);
    // 4×4 is lost for the first player, whatever it does.
    assert!(decision.moves.iter().all(|estimate| estimate.value == -f64::from(1 << 20)));
}

/// Exact scores of random play after a first move: centre .75, corner .671429, edge .6.
#[test]
fn flat_monte_carlo_ranks_centre_corner_edge() {
    let game = TicTacToe;
    let playouts = 40_000;
    let mut flat = FlatMonteCarlo::new(playouts, Arc::new(Uniform), Ties::Random);
    let (decision, spent) = ask(&mut flat, &game, &game.start(), 1);
    assert_eq!(spent.playouts, 9 * playouts);
    for estimate in &decision.moves {
        let score = match estimate.mv {
            4 => 0.75,
            0 | 2 | 6 | 8 => 47.0 / 70.0,
            _ => 0.6,
        };
        // The standard deviation of a playout's payoff is below 1. With 5.5 standard errors and nine comparisons, the
        // test fails once in 3·10⁶.
        let error = (estimate.value - (2.0 * score - 1.0)).abs();
        assert!(error < 5.5 / (playouts as f64).sqrt(), "move {}: {}", estimate.mv, estimate.value);
        assert!((estimate.standard_error * (playouts as f64).sqrt()) < 1.0);
    }
    assert_eq!(decision.chosen, 4);
}

#[test]
fn flat_monte_carlo_spends_exactly_its_playouts() {
    let game = Othello::default();
    let position = game.follow("f5d6c3").unwrap();
    let (decision, spent) =
        ask(&mut FlatMonteCarlo::new(7, Arc::new(Uniform), Ties::First), &game, &position, 3);
    assert_eq!(spent.playouts, 7 * u64::from(game.move_count(&position)));
    assert!(decision.moves.iter().all(|estimate| estimate.visits == 7));
    assert_eq!(spent.nodes, 0);
}

/// With a level that covers the game, a simple tree is expectimax: exact values, with and without chance, and no playout.
#[test]
fn a_simple_tree_over_the_end_of_the_game_is_exact() {
    for tree in 0..200 {
        let settings = Settings {
            branching: 2 + tree % 2,
            depth: 5,
            tree: u64::from(tree),
            chance_every: tree % 4,
            players: 1 + (tree / 4 % 2) as u8,
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        if game.turn(&start) == Turn::Chance {
            continue;
        }
        let (decision, spent) =
            ask(&mut FullWidth::simple_tree(5, 3, Arc::new(Uniform), Ties::First), &game, &start, 1);
        assert_eq!(spent.playouts, 0);
        let (best, _) = best(&decision);
        assert!((best - game.expectimax(&start)).abs() < 1e-9, "tree {tree}: {best}");
    }
}

/// The leaves are those of the game tree at the level, and each has its playouts.
#[test]
fn a_simple_tree_has_the_leaves_of_perft() {
    let game = Othello::default();
    for level in 1..=5 {
        let (_, spent) = ask(
            &mut FullWidth::simple_tree(level, 2, Arc::new(Uniform), Ties::First),
            &game,
            &game.start(),
            1,
        );
        assert_eq!(spent.playouts, 2 * perft(&game, &game.start(), level, FinishedGames::Count));
    }
}

/// The source counted 1.9·10⁵ leaves per game at level 4 and 1.2·10⁶ at level 5.
#[test]
fn a_simple_tree_has_the_leaves_of_the_source_on_calculation() {
    let game = Calculation::default();
    let policy =
        game.entries().policies.into_iter().find(|policy| policy.name == "foundation-first").unwrap().policy;
    for (level, published, games) in [(4, 1.9e5, 8), (5, 1.2e6, 2)] {
        let mut tree = FullWidth::simple_tree(level, 1, policy.clone(), Ties::First);
        let mut leaves = 0;
        for deal in 0..games {
            let mut rng = (Stream::new(7) / "deal" / deal).rng();
            let mut position = game.start();
            let mut key = PlayoutKey::new(deal);
            while game.turn(&position) != Turn::Over {
                let mv = if game.turn(&position) == Turn::Chance {
                    let outcomes: Vec<_> =
                        game.outcomes(&position).flat_map(|(mv, n)| vec![mv; n as usize]).collect();
                    outcomes[rng.below(outcomes.len() as u64) as usize]
                } else {
                    key = key.child(0);
                    let (decision, spent) = ask(&mut tree, &game, &position, key.to_u64());
                    leaves += spent.playouts;
                    decision.chosen
                };
                game.apply(&mut position, mv);
            }
        }
        let mean = leaves as f64 / games as f64;
        assert!((mean / published - 1.0).abs() < 0.25, "level {level}: {mean} leaves a game");
    }
}

#[test]
fn equal_streams_give_equal_decisions() {
    let game = Calculation::default();
    let position = game.follow("7").unwrap();
    let mut flat = FlatMonteCarlo::new(50, Arc::new(Uniform), Ties::Random);
    assert_eq!(ask(&mut flat.clone(), &game, &position, 9), ask(&mut flat, &game, &position, 9));
    let mut tree = FullWidth::simple_tree(3, 2, Arc::new(Uniform), Ties::First);
    assert_eq!(ask(&mut tree.clone(), &game, &position, 9), ask(&mut tree, &game, &position, 9));
}

#[test]
fn a_search_that_needs_more_memory_than_it_may_hold_says_so() {
    let game = RandomTree::new(Settings { branching: 1_000_000, depth: 1, ..Settings::default() }).unwrap();
    let mut meter = Meter::new(Limits { memory_bytes: 1 << 20, ..Limits::default() });
    let mut flat = FlatMonteCarlo::new(1, Arc::new(Uniform), Ties::First);
    let fault =
        flat.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap_err();
    assert!(fault.to_string().starts_with("memory cap: the search needs 32000000 bytes"), "{fault}");
}

/// Follows a decision's principal variation, whose moves must be legal, and returns its last position.
fn line_end<G: Game>(
    searcher: &impl Searcher<G>,
    game: &G,
    at: &G::Position,
    decision: &Decision<G::Move>,
) -> (usize, G::Position) {
    let line = searcher.principal_variation(game, at, decision);
    assert_eq!(line[0], decision.chosen);
    let mut end = *at;
    for &mv in &line {
        assert!(game.moves(&end).any(|legal| legal == mv), "{line:?} from {at:?}");
        game.apply(&mut end, mv);
    }
    (line.len(), end)
}

#[test]
fn the_line_of_an_exact_search_ends_at_its_value() {
    let game = TicTacToe;
    // One in five, because all would take a minute.
    for position in reachable(&game).into_iter().step_by(5) {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let mut lines = Vec::new();
        let mut minimax = FullWidth::minimax(None, Ties::Random);
        let (decision, _) = ask(&mut minimax, &game, &position, 1);
        lines.push((best(&decision).0, line_end(&minimax, &game, &position, &decision).1));
        let deeper = AlphaBetaSettings { deeper_entries: true, ..AlphaBetaSettings::default() };
        for settings in [AlphaBetaSettings::default(), AlphaBetaSettings::plain(), deeper] {
            let mut alpha_beta = AlphaBeta::full(settings, Ties::Random);
            let (decision, _) = ask(&mut alpha_beta, &game, &position, 1);
            lines.push((best(&decision).0, line_end(&alpha_beta, &game, &position, &decision).1));
        }
        if game.move_count(&position) > 1 {
            for (value, end) in lines {
                assert_eq!(game.turn(&end), Turn::Over);
                assert_eq!(f64::from(game.payoff(&end, player)), value, "{position:?}");
            }
        }
    }
}

#[test]
fn the_line_of_a_search_to_a_depth_ends_there_at_its_value() {
    let game = Othello::default();
    let evaluation = game.entries().evaluations[0].evaluation.clone();
    for start in ["", "f5d6c3", "f5d6c3d3c4f4c5b3c2", "f5f6e6f4e3c5c4e7"] {
        let position = game.follow(start).unwrap();
        let Turn::Player(player) = game.turn(&position) else { panic!("{start} ends the game") };
        for depth in 1..=4 {
            let mut minimax = FullWidth::minimax(Some((depth, evaluation.clone())), Ties::Random);
            let settings = AlphaBetaSettings::default();
            let mut alpha_beta = AlphaBeta::to_depth(depth, evaluation.clone(), settings, Ties::Random);
            let (decision, _) = ask(&mut minimax, &game, &position, 1);
            let (found, _) = ask(&mut alpha_beta, &game, &position, 1);
            for (length, end) in [
                line_end(&minimax, &game, &position, &decision),
                line_end(&alpha_beta, &game, &position, &found),
            ] {
                assert_eq!(length, depth as usize);
                assert_eq!(
                    evaluation.evaluate(&game, &end, player) as f64,
                    best(&decision).0,
                    "{start} {depth}"
                );
            }
        }
    }
}

/// The first player has a forced win: after enough playouts the principal variation is such a win.
#[test]
fn the_line_of_a_tree_follows_its_visits() {
    let game = TicTacToe;
    let position = game.parse_position("xo------- x").unwrap();
    let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
    let (decision, _) = ask_within(&mut uct, &game, &position, Budget::playouts(20_000), 1);
    let (length, end) = line_end(&uct, &game, &position, &decision);
    assert!(length > 3);
    assert_eq!((game.turn(&end), game.payoff(&end, Player::FIRST)), (Turn::Over, 1));
}
