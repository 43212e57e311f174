//! The moves to the horizon, valued without making them where the evaluation can do so.

use std::ops::ControlFlow;

use super::tree::{Progress, Question, Tree};
use crate::game::{Ends, Game, Player};
use crate::search::SearchError;

impl<G: Game> Tree<'_, G> {
    /// Searches the moves to the horizon, in the game's order, without making them where the evaluation can do so. Once a
    /// value depends on the horizon, it does not matter which others do.
    pub(super) fn search_leaves(
        &mut self,
        position: &G::Position,
        mover: Player,
        question: Question,
        progress: &mut Progress,
    ) {
        if let Err(error) = SearchError::check_depth(question.ply + 1) {
            return self.stop(error);
        }
        let (game, goal) = (self.game, self.goal);
        let evaluation = goal.evaluation.as_ref().expect("there is a horizon");
        let viewer = self.viewer.unwrap_or(mover);
        let mut index = 0..;
        evaluation.each_child(game, position, Ends::Known.exact(viewer), &mut |value| {
            let value = if viewer == mover { value } else { -value };
            let index = index.next().expect("an endless range");
            let is_cut = self.try_window(index, question, progress, |tree, _| {
                if tree.is_stopped() {
                    return 0;
                }
                tree.meter.count_node();
                value
            });
            if is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}
