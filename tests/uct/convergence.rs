//! Convergence of every search of the family with enough iterations.

use shikou::game::{Game, NamedGame, Player, Turn};
use shikou::games::calculation::{Calculation, Reward};
use shikou::games::random_tree::{Leaves, RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;
use shikou::search::{Decision, Stop};

use super::{VARIANTS, decide, tic_tac_toe_positions, value, value_of};

/// Each position of tic-tac-toe is won, drawn or lost; a search that converges plays a move that keeps the value.
#[test]
fn every_variant_converges_to_the_minimax_move_on_all_of_tic_tac_toe() {
    let game = TicTacToe;
    let positions = tic_tac_toe_positions();
    let values: Vec<Vec<f64>> =
        positions.iter().map(|p| game.moves(p).map(|mv| value_of(&game, p, mv)).collect()).collect();
    for (number, variant) in VARIANTS.into_iter().enumerate() {
        let errs = |index: &usize, playouts: u32| {
            let (position, values) = (&positions[*index], &values[*index]);
            let (decision, _) = decide(&format!("{variant}@playouts={playouts}"), &game, position, 1);
            let chosen = game.moves(position).position(|mv| mv == decision.chosen).unwrap();
            values[chosen] < values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        };
        // Each variant meets a fifth of the positions, and each position six variants.
        let wrong: Vec<usize> =
            (number % 5..positions.len()).step_by(5).filter(|index| errs(index, 1000)).collect();
        assert!(wrong.len() <= 20, "{variant}: {} wrong", wrong.len());
        let still: Vec<&usize> = wrong.iter().filter(|index| errs(index, 50_000)).collect();
        assert_eq!(still, [0_usize; 0].iter().collect::<Vec<_>>(), "{variant}");
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

/// The cards left after this turn: their number, and their number of kinds.
fn stock_after(game: &Calculation, position: &<Calculation as Game>::Position) -> (u32, usize) {
    let mut after = *position;
    loop {
        let next = game.moves(&after).next();
        let Some(mv) = next else { break };
        game.apply(&mut after, mv);
    }
    (game.outcomes(&after).map(|(_, weight)| weight).sum(), game.outcomes(&after).count())
}

/// Late positions of Calculation with given numbers of cards and kinds in the stock, and their exact values.
fn late_positions(stock: (u32, usize)) -> Vec<(<Calculation as Game>::Position, f64)> {
    let game = Calculation::default().with_reward(Reward::Score);
    let policy =
        game.entries().policies.into_iter().find(|policy| policy.name == "foundation-first").unwrap().policy;
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

/// The last cards of Calculation, with exact values by expectimax: the solver proves them, and UCT converges to them.
/// The open-loop value is no higher, and equal if only one kind of card is left, so that chance has no choice.
#[test]
fn open_and_closed_loop_agree_with_expectimax_on_the_last_cards_of_calculation() {
    let game = Calculation::default().with_reward(Reward::Score);
    for stock in [(1, 1), (2, 1), (2, 2)] {
        let positions = late_positions(stock);
        assert!(positions.len() > 2, "{stock:?}");
        for (position, exact) in positions {
            let worth = |mv| value_of(&game, &position, mv);
            let chosen = |decision: &Decision<_>| {
                *decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap()
            };
            let (proved, _) = decide("uct(solver=bounds)@playouts=300000", &game, &position, 1);
            assert_eq!(proved.stop, Stop::Proved);
            assert!((worth(proved.chosen) - exact).abs() < 1e-9);
            let (closed, _) =
                decide("uct(selection=ucb1(exploration=0.2))@playouts=20000", &game, &position, 1);
            assert!((chosen(&closed).value - exact).abs() < 1.0, "{:?} {exact}", chosen(&closed));
            assert!(worth(closed.chosen) > exact - 0.25);
            let (open, _) = decide("open-loop-uct(exploration=0.2)@playouts=20000", &game, &position, 1);
            assert!(chosen(&open).value < exact + 6.0 * chosen(&open).standard_error + 1e-9);
            if stock.1 == 1 {
                assert!((chosen(&open).value - exact).abs() < 1.0, "{:?} {exact}", chosen(&open));
                assert!(worth(open.chosen) > exact - 0.25);
            }
        }
    }
}
