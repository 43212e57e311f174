//! Values of nodes under best play: planted, or by a slow full search.

use super::{Leaves, Position, RandomTree};
use crate::game::{Game, Player, Turn};

impl RandomTree {
    /// The planted value of the game for the first player under best play. `None` for path sums, which need a search.
    ///
    /// # Cost
    /// One hash, whatever the size of the tree.
    pub fn value(&self) -> Option<i32> {
        self.value_of(&self.start())
    }

    /// The planted value of a node for the first player under best play, if there is one.
    pub fn value_of(&self, node: &Position) -> Option<i32> {
        (self.settings.leaves == Leaves::Planted).then_some(node.value)
    }

    /// The value of a node for the first player under best play, by full search: the reference for searchers.
    ///
    /// # Panics
    /// If there is a chance turn below the node: see [`RandomTree::expectimax`].
    ///
    /// # Cost
    /// Visits all `branching^(depth − level)` leaves.
    pub fn minimax(&self, node: &Position) -> i32 {
        let children = self.moves(node).map(|mv| self.minimax(&self.child(node, mv)));
        let best = match self.turn(node) {
            Turn::Over => return self.payoff(node, Player::FIRST),
            Turn::Player(Player::FIRST) => children.max(),
            Turn::Player(_) => children.min(),
            Turn::Chance => panic!("minimax is for trees without chance"),
        };
        best.expect("a player's turn has a move")
    }

    /// The expected value of a node for the first player under best play, by full search. Without chance it is
    /// [`RandomTree::minimax`]; with chance it is exact up to the rounding of one division for each chance turn.
    ///
    /// # Cost
    /// Visits all `branching^(depth − level)` leaves.
    pub fn expectimax(&self, node: &Position) -> f64 {
        let value = |mv| self.expectimax(&self.child(node, mv));
        match self.turn(node) {
            Turn::Over => f64::from(self.payoff(node, Player::FIRST)),
            Turn::Player(Player::FIRST) => self.moves(node).map(value).fold(f64::NEG_INFINITY, f64::max),
            Turn::Player(_) => self.moves(node).map(value).fold(f64::INFINITY, f64::min),
            Turn::Chance => {
                let (sum, weights) = self.outcomes(node).fold((0.0, 0.0), |(sum, weights), (mv, weight)| {
                    let weight = f64::from(weight);
                    (sum + weight * value(mv), weights + weight)
                });
                sum / weights
            }
        }
    }

    fn child(&self, node: &Position, mv: u32) -> Position {
        let mut child = *node;
        self.apply(&mut child, mv);
        child
    }
}
