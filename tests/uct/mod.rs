//! UCT and its family, compared with slow, simple references.

mod adaptation;
mod convergence;
mod decisions;
mod determinism;
mod laws;
mod memory;
mod parts;
mod permutation;
mod root_rules;
mod shared_tree;
mod solver;

use std::collections::BTreeSet;

use shikou::game::{Game, GameExt, Player, Turn};
use shikou::games::random_tree::{Leaves, RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;

use crate::support::decide;

/// A tree for two players whose value was planted.
fn planted(branching: u32, depth: u32, tree: u64) -> RandomTree {
    let (leaves, reward) = (Leaves::Planted, Reward::Score);
    let settings = Settings { branching, depth, tree, leaves, reward, ..Settings::default() };
    RandomTree::new(settings).unwrap()
}

/// Plain minimax, or expectimax if there is chance.
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

/// The value of a move for the player who makes it.
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

/// All positions of tic-tac-toe with at least two moves, one of each class of rotations and reflections.
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
pub(crate) const VARIANTS: [&str; 42] = [
    "uct",
    "uct(selection=tuned)",
    "uct(selection=bayes)",
    "uct(first-play=urgency(worth=1.1))",
    "uct(first-play=reduction)",
    "uct(expansion=single(threshold=5))",
    "uct(expansion=all(threshold=5))",
    "uct(backup=mixed)",
    "uct(backup=mixed(max-share=1),selection=ucb1(exploration=2))",
    "uct(playouts=full(batch=4))",
    "uct(solver=bounds)",
    "uct(final-choice=max)",
    "uct(final-choice=secure)",
    "uct(memory=tree(keep=true),ties=first)",
    "uct(selection=puct(exploration=2),prior=policy)",
    "uct(selection=biased,prior=policy)",
    "uct(selection=rave(equivalence=100))",
    "uct(selection=grave(bias=0.01,exploration=1))",
    "uct(selection=grave(reference=0,bias=0.01,exploration=1))",
    "uct(memory=graph)",
    "uct(expansion=single(widening=2))",
    "uct(solver=bounds(probe=2))",
    "uct(solver=bounds(backup=2))",
    "uct(backup=relative)",
    "uct(playouts=full(decisive=own))",
    "uct(playouts=full(decisive=both))",
    "uct(playouts=mast)",
    "uct(playouts=nst)",
    "uct(playouts=last-good-reply)",
    "uct(playouts=ppa)",
    "uct(playouts=mast-gibbs)",
    "uct(playouts=nst(length=3))",
    "uct(parallel=root)",
    "uct(parallel=tree)",
    "open-loop-uct",
    "uct(root=halving)",
    "uct(root=halving(rounds=floor),selection=grave(bias=0.01,exploration=1))",
    "uct(root=halving(score-weight=16),selection=grave(reference=0,bias=0.01,exploration=1))",
    "uct(root=anytime-halving)",
    "uct(root=gumbel,prior=policy)",
    "uct(selection=history)",
    "uct(memory=tree(nodes=200,recycle=recent))",
];
