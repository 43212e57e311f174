use super::allocation::{Allocation, Arms};
use super::sampling::beta;
use crate::rng::Rng;
use crate::search::Ties;

/// See [`Sharing::Thompson`](super::Sharing::Thompson).
pub(super) struct Thompson {
    /// For each move, the number of playouts that counted as successes.
    successes: Vec<u64>,
    /// The move of the last playout, and the sum of its payoffs before that playout.
    last: Option<(usize, f64)>,
}

impl Thompson {
    pub(super) fn new(moves: usize) -> Self {
        Self { successes: vec![0; moves], last: None }
    }
}

impl Allocation for Thompson {
    fn next(&mut self, arms: &Arms, rng: &mut Rng) -> (usize, u64) {
        if let Some((arm, before)) = self.last {
            // Agrawal and Goyal 2012, algorithm 2: a payoff r in [0, 1] counts as a success with probability r.
            let payoff = arms.sum(arm) - before;
            self.successes[arm] += u64::from(rng.unit() < payoff);
        }
        let draws = (0..arms.len()).map(|arm| {
            let successes = self.successes[arm];
            let failures = arms.pulls(arm) - successes;
            beta(successes as f64 + 1.0, failures as f64 + 1.0, rng)
        });
        let draws: Vec<f64> = draws.collect();
        let arm = Ties::First.best(draws, rng);
        self.last = Some((arm, arms.sum(arm)));
        (arm, 1)
    }

    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize {
        arms.most_pulled(ties, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Facts;
    use crate::rng::Stream;

    /// The probability that a Beta(a, b) number exceeds a Beta(c, d) number, for integer parameters: the finite sum of
    /// Thompson (1933).
    fn probability_above(a: u64, b: u64, c: u64, d: u64) -> f64 {
        let ln_beta =
            |x: u64, y: u64| libm::lgamma(x as f64) + libm::lgamma(y as f64) - libm::lgamma((x + y) as f64);
        let term = |i: u64| {
            libm::exp(ln_beta(c + i, b + d) - libm::log((b + i) as f64) - ln_beta(1 + i, b) - ln_beta(c, d))
        };
        // P(X > Y) with the roles exchanged: Σ over i < a of B(c + i, b + d) / ((b + i) B(1 + i, b) B(c, d)).
        (0..a).map(term).sum()
    }

    /// Each move is chosen with the probability that it is the best one.
    #[test]
    fn a_move_is_taken_as_often_as_it_is_the_best() {
        assert!((probability_above(1, 1, 1, 1) - 0.5).abs() < 1e-12);
        assert!((probability_above(2, 1, 1, 1) - 2.0 / 3.0).abs() < 1e-12);
        let mut rng = (Stream::new(1) / "thompson").rng();
        for (first, second) in [((3, 2), (5, 9)), ((0, 4), (1, 1)), ((30, 20), (27, 23))] {
            let mut arms = Arms::new(2, &Facts::solitaire());
            for (arm, (successes, failures)) in [first, second].into_iter().enumerate() {
                let (playouts, sum) = (successes + failures, successes as f64);
                arms.set(arm, playouts, sum / playouts as f64, sum);
            }
            let mut thompson = Thompson::new(2);
            thompson.successes = vec![first.0, second.0];
            let n = 40_000;
            let mut taken = 0;
            for _ in 0..n {
                thompson.last = None;
                taken += u64::from(thompson.next(&arms, &mut rng).0 == 0);
            }
            let expected = probability_above(first.0 + 1, first.1 + 1, second.0 + 1, second.1 + 1);
            let error = (taken as f64 / n as f64 - expected).abs();
            // 4.5 standard deviations.
            assert!(error < 4.5 * (expected * (1.0 - expected) / n as f64).sqrt(), "{expected}: {taken}");
        }
    }
}
