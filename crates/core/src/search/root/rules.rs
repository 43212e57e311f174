//! The rules without randomness of their own: UCB1 and the halving rules.

use super::allocation::{Allocation, Arms};
use crate::rng::Rng;
use crate::search::Ties;

/// See [`Sharing::Ucb1`](super::Sharing::Ucb1).
pub(super) struct Ucb1 {
    pub(super) exploration: f64,
    pub(super) pulls: u64,
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

/// The rounds of sequential halving: each remaining move gets its playouts, and then the worse half is dropped.
///
/// With *K* moves and a budget *T*, round *r* gives each of its moves ⌊*T* / (|*S*ᵣ| ⌈log₂ *K*⌉)⌋ playouts, but at
/// least one, so a small budget ends during a round. The last two moves alternate for the playouts that rounding leaves
/// over.
pub(super) struct Rounds {
    budget: u64,
    count: u64,
    remaining: Vec<usize>,
    /// The place of the next move among the remaining ones.
    next: usize,
    last: bool,
}

impl Rounds {
    /// The rounds over these moves. Without a budget, each move gets one playout per round.
    pub(super) fn new(moves: Vec<usize>, budget: Option<u64>) -> Self {
        let count = u64::from(moves.len().next_power_of_two().trailing_zeros());
        Self { budget: budget.unwrap_or(0), count: count.max(1), remaining: moves, next: 0, last: false }
    }

    /// The next move and its playouts; `score` compares moves at the end of a round.
    pub(super) fn next(&mut self, score: impl Fn(usize) -> f64) -> (usize, u64) {
        if self.next == self.remaining.len() {
            self.next = 0;
            if self.remaining.len() > 2 {
                // Keep the better half (the larger half of an odd number); among equals the first in order.
                self.remaining.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
                self.remaining.truncate(self.remaining.len().div_ceil(2));
            } else {
                self.last = true;
            }
        }
        let arm = self.remaining[self.next];
        self.next += 1;
        // Karnin et al. 2013, algorithm 3: tᵣ = ⌊T / (|Sᵣ| ⌈log₂ n⌉)⌋.
        let each = self.budget / (self.remaining.len() as u64 * self.count);
        (arm, if self.last { 1 } else { each.max(1) })
    }

    /// Whether a move of this round is left.
    pub(super) fn is_open(&self) -> bool {
        self.next < self.remaining.len()
    }

    /// The best remaining move with at least one playout.
    pub(super) fn best(&self, arms: &Arms, score: impl Fn(usize) -> f64, ties: Ties, rng: &mut Rng) -> usize {
        let mut remaining = self.remaining.clone();
        remaining.sort_unstable();
        let score = |&arm: &usize| if arms.pulls(arm) == 0 { f64::NEG_INFINITY } else { score(arm) };
        remaining[ties.best(remaining.iter().map(score), rng)]
    }
}

/// See [`Sharing::Halving`](super::Sharing::Halving). A comparison uses the playouts of all rounds so far.
pub(super) struct Halving(pub(super) Rounds);

impl Allocation for Halving {
    fn next(&mut self, arms: &Arms, _rng: &mut Rng) -> (usize, u64) {
        self.0.next(|arm| arms.mean(arm))
    }

    fn is_round_open(&self, _: &Arms) -> bool {
        self.0.is_open()
    }

    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize {
        self.0.best(arms, |arm| arms.mean(arm), ties, rng)
    }
}
