//! A rule that chooses which move gets the next playouts, and which is finally played; and the playouts so far.

use crate::game::{Facts, Tally};
use crate::rng::Rng;
use crate::search::Ties;

/// The playouts of each move so far, in the game's order, and the range of the payoffs.
pub(super) struct Arms {
    pub(super) tallies: Vec<Tally>,
    min: f64,
    range: f64,
}

impl Arms {
    /// `count` moves without a playout, in a game with these facts.
    pub(super) fn new(count: usize, facts: &Facts) -> Self {
        let (min, max) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        // If all payoffs are equal, each move is worth 0.
        let range = if max > min { max - min } else { 1.0 };
        Self { tallies: vec![Tally::default(); count], min, range }
    }

    pub(super) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// The number of playouts of a move.
    pub(super) fn pulls(&self, arm: usize) -> u64 {
        self.tallies[arm].playouts
    }

    /// The normalised mean payoff of a move, in [0, 1]. 0 without playouts.
    pub(super) fn mean(&self, arm: usize) -> f64 {
        let tally = &self.tallies[arm];
        if tally.playouts == 0 { 0.0 } else { (tally.mean() - self.min) / self.range }
    }

    /// The sum of the normalised payoffs of a move.
    pub(super) fn sum(&self, arm: usize) -> f64 {
        let tally = &self.tallies[arm];
        (tally.sum as f64 - tally.playouts as f64 * self.min) / self.range
    }

    /// The move with the best mean among those with a playout.
    pub(super) fn best_mean(&self, ties: Ties, rng: &mut Rng) -> usize {
        let value = |arm| if self.pulls(arm) == 0 { f64::NEG_INFINITY } else { self.mean(arm) };
        ties.best((0..self.len()).map(value), rng)
    }

    /// The move with the most playouts; among equals the one with the best mean.
    pub(super) fn most_pulled(&self, ties: Ties, rng: &mut Rng) -> usize {
        ties.best((0..self.len()).map(|arm| (self.pulls(arm), self.mean(arm))), rng)
    }
}

/// A rule during a decision.
pub(super) trait Allocation: Send + Sync {
    /// The move that gets the next playouts, and their number, at least 1. At the end of the budget the caller may
    /// reduce the number.
    fn next(&mut self, arms: &Arms, rng: &mut Rng) -> (usize, u64);

    /// Whether the next move is another one, and does not depend on the result of the last: one call can play both.
    fn is_round_open(&self, _: &Arms) -> bool {
        false
    }

    /// The move that is played, after at least one playout.
    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize;
}
