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
pub(in crate::search) struct AnytimeHalving {
    remaining: Vec<usize>,
    /// The place of the next move among the remaining ones, and the number of its playouts in this round.
    next: usize,
    made: u64,
    each: u64,
}

impl AnytimeHalving {
    pub(in crate::search) fn new(moves: usize) -> Self {
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

/// The number and the length of the rounds of sequential halving over *K* moves within a budget *T*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundLength {
    /// ⌈log₂ *K*⌉ rounds; in round *r* each of its moves gets ⌊*T* / (|*S*ᵣ| ⌈log₂ *K*⌉)⌋ in a row (Karnin, Koren, Somekh 2013,
    /// algorithm 3).
    Ceiling,
    /// ⌊log₂ *K*⌋ rounds of ⌊*T* / ⌊log₂ *K*⌋⌋ each, in which the moves take turns (the program of Sagers, Winands, Soemers 2024).
    Floor,
}

/// The rounds of sequential halving: the remaining moves share a round equally, and then the worse half is dropped.
///
/// Each move of a round gets at least one playout, so a small budget ends during a round. The last two moves alternate for the
/// playouts that rounding leaves over.
pub(super) struct Rounds {
    length: RoundLength,
    budget: u64,
    count: u64,
    remaining: Vec<usize>,
    /// The number of turns that moves had in this round.
    turns: u64,
    last: bool,
}

impl Rounds {
    /// The rounds over these moves. Without a budget, each move gets one playout per round.
    pub(super) fn new(moves: Vec<usize>, budget: Option<u64>, length: RoundLength) -> Self {
        let moves_or_2 = moves.len().max(2);
        let count = match length {
            RoundLength::Ceiling => moves_or_2.next_power_of_two().trailing_zeros(),
            RoundLength::Floor => moves_or_2.ilog2(),
        };
        let budget = budget.unwrap_or(0);
        Self { length, budget, count: count.into(), remaining: moves, turns: 0, last: false }
    }

    /// The next move and its playouts; `score` compares moves at the end of a round.
    pub(super) fn next(&mut self, score: impl Fn(usize) -> f64) -> (usize, u64) {
        if self.turns >= self.turns_of_round() {
            self.turns = 0;
            if self.remaining.len() > 2 {
                // Keep the better half (the larger half of an odd number); among equals the first in order.
                self.remaining.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
                self.remaining.truncate(self.remaining.len().div_ceil(2));
            } else {
                self.last = true;
            }
        }
        let moves = self.remaining.len() as u64;
        let arm = self.remaining[(self.turns % moves) as usize];
        self.turns += 1;
        let each = match self.length {
            // Karnin et al. 2013, algorithm 3: tᵣ = ⌊T / (|Sᵣ| ⌈log₂ n⌉)⌋.
            RoundLength::Ceiling => self.budget / (moves * self.count),
            RoundLength::Floor => 1,
        };
        (arm, if self.last { 1 } else { each.max(1) })
    }

    /// The number of turns of a round.
    fn turns_of_round(&self) -> u64 {
        let moves = self.remaining.len() as u64;
        match self.length {
            RoundLength::Floor if !self.last => (self.budget / self.count).max(moves),
            _ => moves,
        }
    }

    /// Whether a move of this round is left that had no turn.
    pub(super) const fn is_open(&self) -> bool {
        self.turns < self.remaining.len() as u64
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
pub(in crate::search) struct Halving(Rounds);

impl Halving {
    /// The rule for this number of moves.
    pub(in crate::search) fn new(moves: usize, budget: Option<u64>, length: RoundLength) -> Self {
        Self(Rounds::new((0..moves).collect(), budget, length))
    }
}

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
