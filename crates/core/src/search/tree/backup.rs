//! Backup: a result is added to every node of a path.

use super::arena::Arena;
use super::node::{Node, Score, Step};
use super::sample::Sample;
use super::scale::Scale;

/// Backup: adds a sample to every node from the leaf to the root. `update` then values the node; its last argument is
/// whether the node is the leaf.
#[inline(always)]
pub(crate) fn back_up(
    arena: &mut Arena,
    path: &[Step],
    sample: &Sample,
    mut update: impl FnMut(&mut Arena, Step, bool),
) {
    let has_index = arena.has_index;
    for (index, &step) in path.iter().enumerate().rev() {
        let node = &mut arena.nodes[step.node];
        node.visits += sample.playouts as u32;
        if has_index && node.count > 0 {
            arena.index.visits[node.family as usize] += sample.playouts as u32;
        }
        let totals = &mut arena.totals[step.node];
        totals.sum += sample.sum;
        totals.squares += sample.squares;
        update(arena, step, index + 1 == path.len());
    }
}

/// The mean of a node's playouts, for the player at the root.
#[inline]
pub(crate) fn mean(arena: &Arena, node: u32, scale: Scale) -> f64 {
    scale.value(arena.totals[node].sum / f64::from(arena.nodes[node].visits))
}

/// Values a node by the mean of its playouts.
#[inline(always)]
pub(crate) fn score_mean(arena: &mut Arena, step: Step, scale: Scale) {
    let value = mean(arena, step.node, scale);
    set_score(&mut arena.nodes[step.node], step, value);
}

#[inline(always)]
pub(crate) fn set_score(node: &mut Node, step: Step, value: f64) {
    let width = 1.0 / f64::from(node.visits).sqrt();
    node.score = Score { value: step.parent.view(value), width };
}
