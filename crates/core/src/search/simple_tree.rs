//! The "simple tree": expectimax of a fixed depth with playouts, or an evaluation, at the leaves.

use std::sync::Arc;

use super::ask_tell::choose_alone;
use super::full_width::{FullWidth, Leaves, Shape};
use super::{AskTell, Decided, Meter, MoveStream, NoTree, Searcher, Ties};
use crate::game::{Evaluation, Game, Policy};

/// The simple tree (TIM Labs 2015, "Calculation", part 15): a tree of fixed depth `level`, which counts layers of
/// decisions and of chance alike. The value of a leaf is the mean of `playouts` playouts. Alternatively an evaluation
/// values leaves and finished games.
///
/// The value of a node is the largest child value if the player at the root moves, the smallest if the opponent moves,
/// and the weighted mean at a chance node. A finished game counts its payoff. Every decision builds a new tree; a
/// forced move is played without one.
///
/// # Cost
/// Leaves × playouts per decision. Each leaf is one request for its playouts, and up to a few thousand leaves share a
/// call. The memory for the requests does not grow with the tree: less than a megabyte for positions of 100 bytes.
#[derive(Clone)]
pub struct SimpleTree<G: Game>(FullWidth<G>);

impl<G: Game> SimpleTree<G> {
    /// A tree of depth `level` with `playouts` playouts at each leaf.
    ///
    /// # Panics
    /// If the level or the number of playouts is 0.
    pub fn new(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        Self::with_leaves(level, Leaves::Playouts { count: playouts, policy }, ties)
    }

    /// A tree of depth `level` whose leaves an evaluation values.
    ///
    /// # Panics
    /// If the level is 0.
    pub fn evaluated(level: u32, evaluation: Arc<dyn Evaluation<G>>, ties: Ties) -> Self {
        Self::with_leaves(level, Leaves::Evaluation(evaluation), ties)
    }

    fn with_leaves(depth: u32, leaves: Leaves<G>, ties: Ties) -> Self {
        Self(FullWidth::new(Shape::new(depth, leaves), ties))
    }

    /// Sets whether the candidates share random numbers: leaf *i* below each move then has the same draws, so that luck
    /// affects the differences between moves less. Two moves that lead to identical trees then have equal values.
    #[must_use]
    pub fn with_common_random_numbers(self, common: bool) -> Self {
        Self(FullWidth::new(Shape { common, ..self.0.shape }, self.0.ties))
    }
}

impl<G: Game> Searcher<G> for SimpleTree<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(&mut self.0, game, at, stream, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.0.asking()
    }

    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::EveryLine
    }
}
