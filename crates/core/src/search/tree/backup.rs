//! Backup: a result is added to every node of a path.

use super::arena::Arena;
use super::node::{Node, Score, Step};
use super::scale::Scale;
use crate::game::Tally;

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

/// The summed results of playouts, for the player at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    pub(crate) playouts: u64,
    pub(crate) plies: u64,
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl Sample {
    /// A visit without playouts.
    pub(crate) const VISIT: Self = Self { playouts: 1, plies: 0, sum: 0.0, squares: 0.0 };

    /// `playouts` playouts without plies that each gave this payoff.
    pub(crate) fn exactly(payoff: f64, playouts: u64) -> Self {
        let n = playouts as f64;
        Self { playouts, plies: 0, sum: payoff * n, squares: payoff * payoff * n }
    }

    /// Adds the payoff of one more playout.
    pub(crate) fn add(&mut self, payoff: f64, plies: u32) {
        self.playouts += 1;
        self.plies += u64::from(plies);
        self.sum += payoff;
        self.squares += payoff * payoff;
    }

    /// The work that the meter counts.
    pub(crate) fn work(&self) -> Tally {
        Tally { playouts: self.playouts, plies: self.plies, ..Tally::default() }
    }
}

impl From<Tally> for Sample {
    fn from(tally: Tally) -> Self {
        let (sum, squares) = (tally.sum as f64, tally.sum_squares as f64);
        Self { playouts: tally.playouts, plies: tally.plies, sum, squares }
    }
}
