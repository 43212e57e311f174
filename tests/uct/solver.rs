//! Proofs of the solver: correct, and complete within the budget.

use shikou::game::{Game, GameExt, Turn};
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::search::{Limit, Stop};

use super::{decide, tic_tac_toe_positions, value, value_of};

/// A proved value is the true value, and a position is proved if the budget suffices.
#[test]
fn proofs_agree_with_minimax_on_all_of_tic_tac_toe() {
    let game = TicTacToe;
    for position in tic_tac_toe_positions() {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (decision, _) = decide("uct(solver=bounds)@playouts=100000", &game, &position, 2);
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
    assert_eq!(plain.stop, Stop::Limit(Limit::Playouts));
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
        let (decision, _) = decide("uct(solver=bounds)@playouts=200000", &game, &start, 1);
        assert_eq!(decision.stop, Stop::Proved, "tree {tree}");
        let exact = game.expectimax(&start);
        assert!((value_of(&game, &start, decision.chosen) - exact).abs() < 1e-9, "tree {tree}");
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - exact).abs() < 1e-9, "tree {tree}: {} {exact}", chosen.value);
    }
}

/// A shallow minimax gives the same proofs with fewer iterations.
#[test]
fn probes_prove_the_same_sooner() {
    let game = TicTacToe;
    let (mut plain, mut probed) = (0, 0);
    for position in tic_tac_toe_positions().into_iter().step_by(7) {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (_, spent) = decide("uct(solver=bounds)@playouts=100000", &game, &position, 2);
        plain += spent.playouts;
        let (decision, spent) = decide("uct(solver=bounds(probe=2))@playouts=100000", &game, &position, 2);
        probed += spent.playouts;
        assert_eq!(decision.stop, Stop::Proved);
        assert_eq!(value_of(&game, &position, decision.chosen), value(&game, &position, player));
    }
    assert!(2 * probed < plain, "{probed} {plain}");
}
