//! The "simple tree": expectimax of a fixed height with playouts, or an evaluation, at the leaves.

use std::sync::Arc;

use super::ask_tell::choose_alone;
use super::full_width::{FullWidth, Leaves, Shape};
use super::{AskTell, Decision, Meter, MoveStream, SearchError, Searcher, Ties};
use crate::game::{Evaluation, Game, Policy};

/// The simple tree (TIM Labs 2015, "Calculation", part 15): to a fixed height `level`, which counts layers of
/// decisions and of chance alike, with `playouts` playouts at each leaf, whose mean is its value. Instead of playouts, an
/// evaluation may value the leaves, and finished games.
///
/// At a player node the largest value for the player at the root counts (the smallest if the opponent decides), at a
/// chance node the mean by weight, at the end of the game the payoff. A new tree is built for every move; a forced move is
/// played without one.
///
/// # Cost
/// Leaves × playouts a decision. Each leaf's playouts are a batch of their own, and up to some thousand leaves are asked
/// for at a time. The memory for these does not grow with the tree: less than a megabyte for positions of 100 bytes.
#[derive(Clone)]
pub struct SimpleTree<G: Game>(FullWidth<G>);

impl<G: Game> SimpleTree<G> {
    /// A tree of height `level` with `playouts` playouts at each leaf.
    ///
    /// # Panics
    /// If the level or the number of playouts is 0.
    pub fn new(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        Self::with_leaves(level, Leaves::Playouts { count: playouts, policy }, ties)
    }

    /// A tree of height `level` whose leaves an evaluation values.
    ///
    /// # Panics
    /// If the level is 0.
    pub fn evaluated(level: u32, evaluation: Arc<dyn Evaluation<G>>, ties: Ties) -> Self {
        Self::with_leaves(level, Leaves::Evaluation(evaluation), ties)
    }

    fn with_leaves(depth: u32, leaves: Leaves<G>, ties: Ties) -> Self {
        Self(FullWidth::new(Shape { depth, leaves, mean: false, common: false }, ties))
    }

    /// The same with common random numbers across the candidates: leaf *i* behind a move has the draws of leaf *i*
    /// behind every other, so that differences between them are less due to luck. If two moves lead to alike trees, their
    /// values are equal.
    #[must_use]
    pub fn with_common_random_numbers(self, common: bool) -> Self {
        let shape = Shape { common, ..self.0.shape().clone() };
        Self(self.0.with_shape(shape))
    }
}

impl<G: Game> Searcher<G> for SimpleTree<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, SearchError> {
        choose_alone(&mut self.0, game, position, stream, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.0.asking()
    }

    fn remembers(&self) -> bool {
        false
    }
}
