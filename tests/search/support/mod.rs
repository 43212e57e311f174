//! Helpers that several test files share.

mod asked;

use shikou::game::{Game, GameExt};
use shikou::search::Decision;

pub(crate) use asked::*;

/// The value of the best moves of a decision, and these moves.
pub(crate) fn best<M: Copy>(decision: &Decision<M>) -> (f64, Vec<M>) {
    let value = decision.moves.iter().map(|estimate| estimate.value).fold(f64::NEG_INFINITY, f64::max);
    let best = decision.moves.iter().filter(|estimate| estimate.value == value);
    (value, best.map(|estimate| estimate.mv).collect())
}

/// All positions that a game can reach, each once.
pub(crate) fn reachable<G: Game>(game: &G) -> Vec<G::Position> {
    let mut found = vec![game.start()];
    let mut at = 0;
    while at < found.len() {
        let position = found[at];
        for (_, child) in game.children(&position) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
        at += 1;
    }
    found
}

/// The methods of a game that are those of the game in a field.
macro_rules! delegates {
    ($field:tt) => {
        fn facts(&self) -> shikou::game::Facts {
            self.$field.facts()
        }
        fn start(&self) -> Self::Position {
            self.$field.start()
        }
        fn turn(&self, position: &Self::Position) -> shikou::game::Turn {
            self.$field.turn(position)
        }
        fn apply(&self, position: &mut Self::Position, mv: Self::Move) {
            self.$field.apply(position, mv);
        }
        fn notation(&self, position: &Self::Position, mv: Self::Move) -> String {
            self.$field.notation(position, mv)
        }
        fn drawing(&self, position: &Self::Position) -> String {
            self.$field.drawing(position)
        }
    };
}

pub(crate) use delegates;
