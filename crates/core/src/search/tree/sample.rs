//! Results of playouts.

use crate::game::Tally;

/// The summed results of playouts, for the player at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    pub(crate) playouts: u64,
    pub(crate) plies: u64,
    /// The sum of the payoffs.
    pub(crate) sum: f64,
    /// The sum of their squares.
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
