//! Sums over playouts, exact and independent of order.

use std::ops::AddAssign;

use crate::device::Sums;

/// The result of a batch of playouts for one player: counts and integer sums, so that tallies from any lanes or threads
/// add up to the same sum in any order.
///
/// # Example
/// ```
/// use shikou::game::Tally;
/// let mut tally = Tally::default();
/// for payoff in [1, -1, 1, 1] {
///     tally.record(payoff, 9);
/// }
/// assert_eq!((tally.playouts, tally.plies, tally.sum), (4, 36, 2));
/// assert_eq!(tally.mean(), 0.5);
/// assert_eq!(tally.variance(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of playouts.
    pub playouts: u64,
    /// The number of plies, of players and of chance.
    pub plies: u64,
    /// The sum of the payoffs.
    pub sum: i64,
    /// The sum of the squares of the payoffs.
    pub sum_squares: u64,
}

impl Tally {
    /// Adds one playout.
    #[inline]
    pub fn record(&mut self, payoff: i32, plies: u32) {
        self.playouts += 1;
        self.plies += u64::from(plies);
        self.sum += i64::from(payoff);
        self.sum_squares += u64::from(payoff.unsigned_abs()).pow(2);
    }

    /// The tally of this number of playouts with these sums.
    pub fn of_sums(playouts: u64, Sums { plies, payoffs, squares }: Sums) -> Self {
        Self { playouts, plies, sum: payoffs, sum_squares: squares }
    }

    /// The mean payoff; 0 without a playout.
    pub fn mean(&self) -> f64 {
        if self.playouts == 0 { 0.0 } else { self.sum as f64 / self.playouts as f64 }
    }

    /// The unbiased variance of one playout's payoff; 0 for fewer than two playouts.
    pub fn variance(&self) -> f64 {
        if self.playouts < 2 {
            return 0.0;
        }
        let n = self.playouts as f64;
        let mean = self.mean();
        ((self.sum_squares as f64 - n * mean * mean) / (n - 1.0)).max(0.0)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.sum += other.sum;
        self.sum_squares += other.sum_squares;
    }
}
