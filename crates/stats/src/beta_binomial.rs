//! Intervals for a success rate that are valid at any time.
//!
//! An interval for a fixed number of trials, if looked at after every trial, misses the truth at some look in more than
//! half of all runs. The intervals here hold at all looks together.

use super::beta::{ln_beta, ln_kernel};
use super::root::root;
use super::{Confidence, Estimate, Method};

/// Both parameters of the mixing beta distribution: Jeffreys' prior.
pub(super) const PRIOR: f64 = 0.5;

/// The beta-binomial mixture confidence sequence after `trials` trials: {p : B(a₀+k, b₀+n−k)/(B(a₀, b₀)·pᵏ(1−p)ⁿ⁻ᵏ) <
/// 1/α}, a₀ = b₀ = ½ (Robbins 1970, Ann. Math. Stat. 41; Howard, Ramdas, `McAuliffe`, Sekhon 2021, Ann. Stat. 49).
///
/// With probability at least the level, it covers the true rate after *every* number of trials. Without trials it is
/// [0, 1] with the value 0.
///
/// # Panics
/// If there are more successes than trials.
///
/// # Example: wider than an interval for one look
/// ```
/// use shikou::stats::{Confidence, beta_binomial_sequence, wilson};
/// let (once, always) = (wilson(37, 100, Confidence::new(0.95)), beta_binomial_sequence(37, 100, Confidence::new(0.95)));
/// assert!((always.low - 0.22294265).abs() < 1e-8 && (always.high - 0.53558686).abs() < 1e-8);
/// assert!(always.low < once.low && always.high > once.high);
/// ```
pub fn beta_binomial_sequence(successes: u64, trials: u64, confidence: Confidence) -> Estimate {
    assert!(successes <= trials, "{successes} successes in {trials} trials");
    if trials == 0 {
        return Estimate { value: 0.0, low: 0.0, high: 1.0, method: Method::None };
    }
    let (k, n) = (successes as f64, trials as f64);
    let limit = -libm::log(confidence.alpha());
    let prior = ln_beta(PRIOR, PRIOR);
    // ln M − ln 1/α as a function of p and 1 − p: with the kernel of the posterior it keeps its digits.
    let excess = |p: f64, q: f64| {
        if p <= 0.0 || q <= 0.0 {
            // Impossible, unless the other result has never occurred.
            let seen = if p <= 0.0 { k } else { n - k };
            return if seen == 0.0 { -limit } else { f64::INFINITY };
        }
        let own = PRIOR * (libm::log(p) + libm::log(q));
        own - prior - ln_kernel(PRIOR + k, PRIOR + n - k, p, q) - limit
    };
    let value = k / n;
    let low = if successes == 0 { 0.0 } else { root(|p| excess(p, 1.0 - p), 0.0, value) };
    let high = if successes == trials { 1.0 } else { 1.0 - root(|q| excess(1.0 - q, q), 0.0, 1.0 - value) };
    Estimate { value, low, high, method: Method::BetaBinomial }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use crate::wilson;

    /// To eight decimal places.
    #[test]
    fn the_sequence_has_the_golden_values() {
        let golden =
            [(5, 10, 0.11756292, 0.88243708), (0, 20, 0.0, 0.22400611), (37, 100, 0.22294265, 0.53558686)];
        for (k, n, low, high) in golden {
            let estimate = beta_binomial_sequence(k, n, Confidence::new(0.95));
            assert!((estimate.low - low).abs() < 1e-8 && (estimate.high - high).abs() < 1e-8, "{estimate:?}");
            let mirrored = beta_binomial_sequence(n - k, n, Confidence::new(0.95));
            assert!((estimate.low + mirrored.high - 1.0).abs() < 1e-12);
        }
        let many = beta_binomial_sequence(5_000_000, 10_000_000, Confidence::new(0.95));
        assert!(many.low > 0.499 && many.low < 0.4995 && (many.low + many.high - 1.0).abs() < 1e-12);
    }

    /// 500 runs of 1000 trials for each of two rates, with a look after every trial up to 100 and then after every tenth.
    /// The sequence covers the truth at all looks in at least 95 % of the runs. Wilson's interval, with a look after every
    /// trial from 20, does so in far fewer.
    #[test]
    fn constant_peeking_is_allowed() {
        let confidence = Confidence::new(0.95);
        let runs = 500;
        for rate in [0.5, 0.1] {
            let (mut held, mut wilson_held) = (0, 0);
            for run in 0..runs {
                let mut rng = (Stream::new(1) / "peeking" / run).rng();
                let (mut k, mut holds, mut wilson_holds) = (0, true, true);
                for n in 1..=1000 {
                    k += u64::from(rng.unit() < rate);
                    if n <= 100 || n % 10 == 0 {
                        let estimate = beta_binomial_sequence(k, n, confidence);
                        holds &= estimate.low <= rate && rate <= estimate.high;
                    }
                    let once = wilson(k, n, confidence);
                    wilson_holds &= n < 20 || once.low <= rate && rate <= once.high;
                }
                held += u32::from(holds);
                wilson_held += u32::from(wilson_holds);
            }
            let share = |count: u32| f64::from(count) / runs as f64;
            assert!(share(held) >= 0.95, "{rate}: {}", share(held));
            assert!(share(wilson_held) < 0.7, "{rate}: {}", share(wilson_held));
        }
    }
}
