//! The moves at the root with what their playouts gave.

use crate::game::{Facts, Tally};
use crate::rng::Rng;
use crate::search::Ties;

/// What the playouts of each move gave so far, in the game's order, and the range of the payoffs.
pub(super) struct Arms {
    pub(super) tallies: Vec<Tally>,
    min: f64,
    range: f64,
}

impl Arms {
    /// So many moves without a playout, in a game with these facts.
    pub(super) fn new(count: usize, facts: &Facts) -> Self {
        let (min, max) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        // Where every payoff is alike each move is worth 0.
        let range = if max > min { max - min } else { 1.0 };
        Self { tallies: vec![Tally::default(); count], min, range }
    }

    pub(super) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// How often a move was played out.
    pub(super) fn pulls(&self, arm: usize) -> u64 {
        self.tallies[arm].playouts
    }

    /// The mean payoff of a move, moved and scaled so that the game's range becomes [0, 1]. 0 without playouts.
    pub(super) fn mean(&self, arm: usize) -> f64 {
        let tally = &self.tallies[arm];
        if tally.playouts == 0 { 0.0 } else { (tally.mean() - self.min) / self.range }
    }

    /// The sum of the payoffs of a move on the same scale.
    pub(super) fn sum(&self, arm: usize) -> f64 {
        let tally = &self.tallies[arm];
        (tally.sum as f64 - tally.playouts as f64 * self.min) / self.range
    }

    /// The move with the best mean among those that were played out.
    pub(super) fn best_mean(&self, ties: Ties, rng: &mut Rng) -> usize {
        let value = |arm| if self.pulls(arm) == 0 { f64::NEG_INFINITY } else { self.mean(arm) };
        ties.best((0..self.len()).map(value), rng)
    }

    /// The move that was played out most often; among equals the one with the best mean.
    pub(super) fn most_pulled(&self, ties: Ties, rng: &mut Rng) -> usize {
        ties.best((0..self.len()).map(|arm| (self.pulls(arm), self.mean(arm))), rng)
    }
}
