//! A rule that chooses which move gets the next playouts, and which is finally played; and the playouts so far.

use crate::game::Facts;
use crate::rng::Rng;
use crate::search::Ties;

/// The playouts of each move so far, and the range of the payoffs.
pub(in crate::search) struct Arms {
    results: Vec<Results>,
    min: f64,
    range: f64,
}

/// The number of playouts of a move, and their mean and sum.
#[derive(Clone, Copy, Default)]
struct Results {
    playouts: u64,
    mean: f64,
    sum: f64,
}

impl Arms {
    /// `count` moves without a playout, in a game with these facts.
    pub(super) fn new(count: usize, facts: &Facts) -> Self {
        let (min, max) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        // If all payoffs are equal, each move is worth 0.
        let range = if max > min { max - min } else { 1.0 };
        Self { results: vec![Results::default(); count], min, range }
    }

    /// `count` moves without a playout, whose payoffs are given as values in `[0, 1]`.
    pub(in crate::search) fn of_values(count: usize) -> Self {
        Self { results: vec![Results::default(); count], min: 0.0, range: 1.0 }
    }

    /// Replaces the results of a move: the number of its playouts, and the mean and the sum of their payoffs.
    pub(in crate::search) fn set(&mut self, arm: usize, playouts: u64, mean: f64, sum: f64) {
        self.results[arm] = Results { playouts, mean, sum };
    }

    pub(super) fn len(&self) -> usize {
        self.results.len()
    }

    /// The number of playouts of a move.
    pub(super) fn pulls(&self, arm: usize) -> u64 {
        self.results[arm].playouts
    }

    /// The largest number of playouts of a move.
    pub(super) fn most_pulls(&self) -> u64 {
        self.results.iter().map(|results| results.playouts).max().unwrap_or(0)
    }

    /// The normalised mean payoff of a move, in [0, 1]. 0 without playouts.
    pub(super) fn mean(&self, arm: usize) -> f64 {
        let results = &self.results[arm];
        if results.playouts == 0 { 0.0 } else { (results.mean - self.min) / self.range }
    }

    /// The sum of the normalised payoffs of a move.
    pub(super) fn sum(&self, arm: usize) -> f64 {
        let results = &self.results[arm];
        (results.sum - results.playouts as f64 * self.min) / self.range
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
pub(in crate::search) trait Allocation: Send + Sync {
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
