//! A law for each part of a search.

use std::sync::Arc;

use shikou::game::{Game, GameExt, Player, Policy, Turn, Uniform};
use shikou::games::calculation::Calculation;
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;
use shikou::search::{Decisive, MoveStream};

use super::{decide, planted, value, value_of};

/// With n visits ⌈2√n⌉ children may be visited, and by then each of them was.
#[test]
fn widening_visits_as_many_children_as_published() {
    let game = RandomTree::new(Settings { branching: 1000, depth: 4, ..Settings::default() }).unwrap();
    for playouts in [1_u64, 10, 100, 1000] {
        let spec = format!("uct(expansion=single(widening=2))@playouts={playouts}");
        let (decision, _) = decide(&spec, &game, &game.start(), 1);
        let visited = decision.moves.iter().filter(|estimate| estimate.visits > 0).count();
        // The last child was chosen one visit earlier.
        assert_eq!(visited, (2.0 * ((playouts - 1) as f64).sqrt()).ceil().max(1.0) as usize);
    }
}

/// With a correct evaluation and full weight on it, the first visit of each move gives its value.
#[test]
fn implicit_minimax_backs_evaluations_up() {
    for tree in 0..20 {
        let game = planted(4, 6, tree);
        let start = game.start();
        let spec = "uct(backup=implicit(share=1,scale=50),final-choice=max)@playouts=200";
        let (decision, _) = decide(spec, &game, &start, 1);
        assert_eq!(
            value_of(&game, &start, decision.chosen),
            value(&game, &start, Player::FIRST),
            "tree {tree}"
        );
    }
}

/// A correct prior leads to the best move at once.
#[test]
fn priors_order_the_moves() {
    for tree in 0..20 {
        let game = planted(50, 3, tree);
        let start = game.start();
        for selection in ["puct", "biased"] {
            let spec = format!("uct(selection={selection},prior=evaluation(scale=50))@playouts=1");
            let (decision, _) = decide(&spec, &game, &start, 1);
            let first = decision.moves.iter().find(|estimate| estimate.visits > 0).unwrap().mv;
            assert_eq!(value_of(&game, &start, first), value(&game, &start, Player::FIRST), "tree {tree}");
        }
    }
}

/// Decisive playouts take wins, and with `anti` prevent wins of the opponent.
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

/// A playout that is cut off at once has no plies: its value is the normalised evaluation.
#[test]
fn a_cut_off_at_once_is_the_evaluation() {
    let game = Othello::default();
    let position = game.follow("f5").unwrap();
    let spec =
        "uct(playouts=cut(plies=0,evaluation=discs,scale=6),expansion=single(threshold=1000))@playouts=1000";
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

/// The value of a position for a player by plain minimax to a depth over the discs, as a share of the payoffs.
fn discs(game: &Othello, at: &<Othello as Game>::Position, player: Player, plies: u32) -> f64 {
    let all = || game.children(at).map(|(_, child)| discs(game, &child, player, plies - 1));
    match game.turn(at) {
        Turn::Over => f64::from(game.payoff(at, player)) / 2.0 + 0.5,
        Turn::Player(mover) if plies > 0 && mover == player => all().fold(0.0, f64::max),
        Turn::Player(_) if plies > 0 => all().fold(1.0, f64::min),
        _ => {
            let discs = f64::from(at.disc_difference(player));
            0.5 + 0.5 * discs / (discs.abs() + 6.0)
        }
    }
}

/// Minimax at a cut-off gives the leaf its value, and as a prior it orders the moves: both as plain minimax finds them.
#[test]
fn minimax_values_leaves_and_moves() {
    let game = Othello::new(6);
    for seed in 0..10 {
        let (mut position, mut draws) = (game.start(), PlayoutKey::new(seed).playout(0));
        for _ in 0..=2 * seed {
            if game.turn(&position) != Turn::Over {
                let mv = game.random_move(&position, &mut draws);
                game.apply(&mut position, mv);
            }
        }
        let Turn::Player(mover) = game.turn(&position) else { continue };
        if game.move_count(&position) < 2 {
            continue;
        }
        for plies in 1..4 {
            let part = format!("evaluation=discs,scale=6,minimax={plies}");
            let spec = format!("uct(playouts=cut({part}),expansion=single(threshold=1000))@playouts=100");
            let (decision, spent) = decide(&spec, &game, &position, 1);
            assert_eq!(spent.plies, 0);
            let exact: Vec<f64> =
                game.children(&position).map(|(_, child)| discs(&game, &child, mover, plies)).collect();
            for (found, exact) in decision.moves.iter().zip(&exact) {
                let is_near = (found.value / 2.0 + 0.5 - exact).abs() < 1e-9;
                assert!(found.visits == 0 || is_near, "{found:?} {exact}");
            }
            let spec = format!("uct(selection=biased,prior=evaluation({part}))@playouts=1");
            let (decision, _) = decide(&spec, &game, &position, 1);
            let first = decision.moves.iter().position(|found| found.visits > 0).unwrap();
            assert_eq!(exact[first], exact.iter().copied().fold(0.0, f64::max));
        }
    }
}

/// Several trees add up the results of each, with its part of the budget.
#[test]
fn trees_are_added_up_at_the_root() {
    let game = Othello::default();
    let start = game.follow("f5").unwrap();
    let (joined, spent) = decide("uct(parallel=root(trees=3))@playouts=301", &game, &start, 5);
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
