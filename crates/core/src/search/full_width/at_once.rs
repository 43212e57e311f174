//! The values of all leaves below a node at once, by an evaluation that does not prefer batches.

use std::ops::ControlFlow;

use super::{Fold, FullWidth, Meter, Node, SearchError, Step};
use crate::game::{Ends, Game};

impl<G: Game> FullWidth<G> {
    /// Whether all leaves below a node are valued at once: in the last iteration, where it does not matter whether a line
    /// was cut.
    pub(super) fn values_at_once(&self) -> bool {
        self.alone.is_some() && self.depth == self.shape.depth
    }

    /// Counts all leaves below a node, if all are valued at once and the budget allows it.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(super) fn counts_leaves(
        &mut self,
        game: &G,
        node: &G::Position,
        meter: &mut Meter,
    ) -> Result<bool, SearchError> {
        let leaves = game.move_count(node).into();
        if !self.values_at_once() || meter.nodes_left() < leaves {
            return Ok(false);
        }
        self.check(meter)?;
        SearchError::check_depth(self.depth)?;
        meter.count_nodes(leaves);
        self.nodes += leaves;
        Ok(true)
    }

    /// Values all moves of the root at once, if they are leaves and the budget allows it, or visits them.
    ///
    /// # Errors
    /// If the budget is spent.
    #[inline(always)]
    pub(super) fn visit_root(&mut self, game: &G, meter: &mut Meter) -> Result<(), SearchError> {
        let root = self.root.expect("a search has begun");
        if self.depth > 1 || !self.counts_leaves(game, &root, meter)? {
            self.list_moves(game, &root);
            return Ok(());
        }
        self.nodes = 0;
        let values = &mut self.values;
        let evaluation = self.alone.as_ref().expect("they are valued at once");
        evaluation.each_child(game, &root, Ends::Known.exact(self.player), &mut |value| {
            values.push(value as f64);
            ControlFlow::Continue(())
        });
        self.moves.extend(game.moves(&root).map(|mv| (mv, 1)));
        Ok(())
    }

    /// Values all leaves below a node at once, and folds them. `weight` is the node's weight in the node above.
    pub(super) fn value_node(&mut self, game: &G, position: &G::Position, fold: Fold, weight: u32) {
        let mut node = Node::new(fold, weight);
        let evaluation = self.alone.as_ref().expect("they are valued at once");
        evaluation.each_child(game, position, Ends::Known.exact(self.player), &mut |value| {
            node.add(value as f64, 1);
            ControlFlow::Continue(())
        });
        self.meet(Step::Value { value: node.value(), weight });
    }
}
