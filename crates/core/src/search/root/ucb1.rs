//! Flat UCB1.

use super::allocation::Allocation;
use super::arms::Arms;
use crate::rng::Rng;
use crate::search::Ties;

/// See [`Sharing::Ucb1`](super::Sharing::Ucb1).
pub(super) struct Ucb1 {
    exploration: f64,
    pulls: u64,
}

impl Ucb1 {
    pub(super) const fn new(exploration: f64) -> Self {
        Self { exploration, pulls: 0 }
    }
}

impl Allocation for Ucb1 {
    fn next(&mut self, arms: &Arms, rng: &mut Rng) -> (usize, u64) {
        let pulls = self.pulls;
        self.pulls += 1;
        if (pulls as usize) < arms.len() {
            return (pulls as usize, 1);
        }
        // Auer et al. 2002, figure 1: x̄ⱼ + √(2 ln n / nⱼ).
        let log = libm::log(pulls as f64);
        let bound = |arm| arms.mean(arm) + self.exploration * (2.0 * log / arms.pulls(arm) as f64).sqrt();
        (Ties::First.best((0..arms.len()).map(bound), rng), 1)
    }

    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize {
        arms.most_pulled(ties, rng)
    }
}
