//! The greedy player: the move with the best mean evaluation some plies ahead, and an occasional random move.

use std::sync::Arc;

use super::ask_tell::choose_alone;
use super::full_width::{FullWidth, Leaves, Shape, WHOLE};
use super::searcher::chances_of_equals;
use super::{AskTell, Decided, Distribution, Meter, MoveStream, NoTree, Searcher, Ties};
use crate::game::{Evaluation, Game};

/// Plays the move with the best evaluation: of the next position with depth 1, else in the plain mean over all lines to
/// the depth, whichever player moves. The mean treats the opponent as a random player, which is cheap and common among
/// the simple players of papers. With probability `epsilon` it plays a uniformly random legal move instead.
///
/// At chance nodes the mean is weighted. A forced move is played without search. If a budget of nodes or time runs out,
/// there is no decision.
///
/// # Cost
/// Every position to the depth is visited once. An evaluation that prefers batches values up to a few thousand
/// positions per call.
#[derive(Clone)]
pub struct Greedy<G: Game>(FullWidth<G>);

impl<G: Game> Greedy<G> {
    /// A player that looks `depth` plies ahead and moves at random with probability `epsilon`.
    ///
    /// # Panics
    /// If the depth is 0, or `epsilon` is outside [0, 1].
    pub fn new(depth: u32, evaluation: Arc<dyn Evaluation<G>>, epsilon: f64, ties: Ties) -> Self {
        assert!((0.0..=1.0).contains(&epsilon), "epsilon is a probability");
        let shape = Shape { mean: true, epsilon, ..Shape::new(depth, Leaves::Evaluation(evaluation)) };
        Self(FullWidth::new(shape, ties))
    }
}

impl<G: Game> Searcher<G> for Greedy<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(&mut self.0, game, at, stream, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.0.asking()
    }

    fn remembers(&self) -> bool {
        false
    }

    fn distribution(&mut self, game: &G, at: &G::Position, meter: &mut Meter) -> Distribution<G> {
        let FullWidth { shape, ties, .. } = &self.0;
        let mut greedy = Self(FullWidth::new(Shape { epsilon: 0.0, ..shape.clone() }, *ties));
        let best = chances_of_equals(&mut greedy, *ties, game, at, meter)?;
        // A 32-bit draw below this plays a random move.
        let random = (shape.epsilon * WHOLE as f64).ceil() as u64;
        let (all, alike) = (u64::from(game.move_count(at)), best.len() as u64);
        // ε / all, and for the best (1 − ε) / alike more, times all · alike · 2³².
        let weight = |mv| {
            let is_best = best.iter().any(|&(other, _)| other == mv);
            random * alike + if is_best { (WHOLE - random) * all } else { 0 }
        };
        Ok(Some(game.moves(at).map(|mv| (mv, weight(mv))).filter(|&(_, weight)| weight > 0).collect()))
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}
