//! One success rate.

use super::{Confidence, Estimate, Method};

/// Wilson's score interval for `successes` in `trials` (Wilson 1927, J. Am. Stat. Assoc. 22).
///
/// Centre (p + z²/2n)/(1 + z²/n), half-width z/(1 + z²/n)·√(p(1−p)/n + z²/4n²). For a number of trials fixed
/// beforehand. With no trials the interval is [0, 1] and the value 0.
///
/// # Panics
/// Where there are more successes than trials.
///
/// # Example: 37 of 100
/// ```
/// use shikou::stats::{Confidence, wilson};
/// let rate = wilson(37, 100, Confidence::new(0.95));
/// assert!((rate.low - 0.281823605).abs() < 1e-9 && (rate.high - 0.467794704).abs() < 1e-9);
/// ```
pub fn wilson(successes: u64, trials: u64, confidence: Confidence) -> Estimate {
    assert!(successes <= trials, "{successes} successes in {trials} trials");
    if trials == 0 {
        return Estimate { value: 0.0, low: 0.0, high: 1.0, method: Method::None };
    }
    let rate = successes as f64 / trials as f64;
    let (low, high) = wilson_limits(rate, trials as f64, confidence);
    Estimate { value: rate, low, high, method: Method::Wilson }
}

/// Wilson's limits for a rate among `n`, exactly 0 and 1 at the ends.
pub(super) fn wilson_limits(rate: f64, n: f64, confidence: Confidence) -> (f64, f64) {
    let z = confidence.z();
    let shrink = 1.0 + z * z / n;
    let centre = (rate + z * z / (2.0 * n)) / shrink;
    let half = z / shrink * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    let low = if rate == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if rate == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values computed with scipy and statsmodels.
    #[test]
    fn wilson_agrees_with_statsmodels() {
        let golden = [
            (0, 10, 0.0, 0.277532800),
            (1, 10, 0.017876213, 0.404150027),
            (37, 100, 0.281823605, 0.467794704),
            (999, 1000, 0.994357441, 0.999823454),
            (5_000_000, 10_000_000, 0.499690103, 0.500309897),
        ];
        for (successes, trials, low, high) in golden {
            let rate = wilson(successes, trials, Confidence::new(0.95));
            assert!((rate.low - low).abs() < 1e-9, "{successes}/{trials}: {}", rate.low);
            assert!((rate.high - high).abs() < 1e-9, "{successes}/{trials}: {}", rate.high);
        }
    }

    #[test]
    fn the_ends_are_exact() {
        let all = wilson(10, 10, Confidence::new(0.95));
        assert_eq!(all.high, 1.0);
        assert_eq!(wilson(0, 10, Confidence::new(0.95)).low, 0.0);
        assert_eq!(wilson(0, 0, Confidence::new(0.95)).high, 1.0);
    }
}
