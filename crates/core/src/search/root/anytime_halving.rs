//! Anytime sequential halving.

use super::allocation::Allocation;
use super::arms::Arms;
use crate::rng::Rng;
use crate::search::Ties;

/// See [`Sharing::AnytimeHalving`](super::Sharing::AnytimeHalving). A pass begins with one playout for each move; after
/// each round the better half (the larger half of an odd number) stays and gets twice as many. When only one move would
/// be left, the next pass begins with all moves.
pub(super) struct AnytimeHalving {
    remaining: Vec<usize>,
    /// The place of the next move among the remaining ones, and the number of its playouts in this round.
    next: usize,
    made: u64,
    each: u64,
}

impl AnytimeHalving {
    pub(super) fn new(moves: usize) -> Self {
        Self { remaining: (0..moves).collect(), next: 0, made: 0, each: 1 }
    }
}

impl Allocation for AnytimeHalving {
    fn next(&mut self, arms: &Arms, _rng: &mut Rng) -> (usize, u64) {
        if self.made == self.each {
            self.made = 0;
            self.next += 1;
        }
        if self.next == self.remaining.len() {
            self.next = 0;
            if self.remaining.len() > 2 {
                self.remaining.sort_by(|&a, &b| arms.mean(b).total_cmp(&arms.mean(a)).then(a.cmp(&b)));
                self.remaining.truncate(self.remaining.len().div_ceil(2));
                self.each *= 2;
            } else {
                *self = Self::new(arms.len());
            }
        }
        self.made += 1;
        (self.remaining[self.next], 1)
    }

    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize {
        arms.best_mean(ties, rng)
    }
}
