//! The ratio of the times of two players or two builds.

use super::bootstrap::{RESAMPLES, bootstrap};
use super::median::median;
use super::{Confidence, Estimate, Method};
use crate::rng::Stream;

/// The geometric mean of the ratios first/second of paired positive values, such as times of interleaved runs, with the
/// bootstrap interval of the mean log-ratio, mapped back.
///
/// It is the only mean for which first/second and second/first agree. With fewer than two ratios, or if all are equal,
/// the interval is (0, ∞) and its method is `None`.
///
/// # Panics
/// If there are no values, or a value is not positive and finite.
///
/// # Example
/// ```
/// use shikou::rng::Stream;
/// use shikou::stats::{Confidence, geometric_mean_ratio};
/// let times = [(100.0, 50.0), (120.0, 65.0), (90.0, 44.0), (105.0, 50.0), (100.0, 51.0), (99.0, 49.0)];
/// let ratio = geometric_mean_ratio(&times, Stream::new(2026) / "ratio", Confidence::new(0.95));
/// assert!(ratio.low > 1.85 && (ratio.value - 2.0).abs() < 0.02 && ratio.high < 2.1);
/// ```
pub fn geometric_mean_ratio(values: &[(f64, f64)], stream: Stream, confidence: Confidence) -> Estimate {
    assert!(!values.is_empty(), "a ratio needs at least one pair of values");
    let fit = |value: f64| value > 0.0 && value.is_finite();
    assert!(
        values.iter().all(|&(x, y)| fit(x) && fit(y)),
        "the values of a ratio must be positive and finite"
    );
    let logs: Vec<[f64; 1]> = values.iter().map(|&(x, y)| [libm::log(x) - libm::log(y)]).collect();
    let [estimate] = bootstrap(&logs, [&|means: &[f64]| means[0]], RESAMPLES, stream, confidence);
    estimate.map(libm::exp)
}

/// The ratio first/second of the medians of unpaired positive values. The coverage of its interval is at least the
/// level: the ends are ratios of the ends of the two medians' intervals, each at half the error probability.
///
/// If either has too few values (fewer than seven at 95 %), the interval is (−∞, ∞) and its method is `None`.
///
/// # Panics
/// If there are no values, or a value is not positive and finite.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, ratio_of_medians};
/// let (slow, fast) = ([9.0, 10.0, 11.0, 12.0, 10.0, 9.0, 11.0], [4.0, 5.0, 6.0, 5.0, 5.0, 4.0, 6.0]);
/// let ratio = ratio_of_medians(&slow, &fast, Confidence::new(0.95));
/// assert_eq!((ratio.value, ratio.low, ratio.high), (2.0, 1.5, 3.0));
/// ```
pub fn ratio_of_medians(first: &[f64], second: &[f64], confidence: Confidence) -> Estimate {
    let fit = |value: &f64| *value > 0.0 && value.is_finite();
    assert!(first.iter().chain(second).all(fit), "the values of a ratio must be positive and finite");
    let half = Confidence::new(1.0 - confidence.alpha() / 2.0);
    let [first, second] = [first, second].map(|values| {
        let mut rising = values.to_vec();
        rising.sort_by(f64::total_cmp);
        median(&rising, half)
    });
    let ratio = Estimate { value: first.value / second.value, ..first };
    if [first.method, second.method].contains(&Method::None) {
        return ratio.without_interval();
    }
    Estimate { low: first.low / second.high, high: first.high / second.low, ..ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_turns_over_with_its_sides() {
        let values: Vec<(f64, f64)> =
            (0..60).map(|i| (f64::from(3 + i * 7 % 5), f64::from(2 + i * 3 % 4))).collect();
        let turned: Vec<(f64, f64)> = values.iter().map(|&(x, y)| (y, x)).collect();
        let stream = Stream::new(1) / "ratio";
        let (there, back) =
            [values, turned].map(|v| geometric_mean_ratio(&v, stream, Confidence::new(0.95))).into();
        assert!((there.value * back.value - 1.0).abs() < 1e-12 && there.method == Method::Bootstrap);
        // The resamples are not mirrored, so the ends agree only approximately.
        assert!((there.low * back.high - 1.0).abs() < 0.02 && (there.high * back.low - 1.0).abs() < 0.02);
    }

    #[test]
    fn medians_of_few_values_have_no_interval() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let ratio = ratio_of_medians(&values, &[2.0; 50], Confidence::new(0.95));
        assert_eq!((ratio.value, ratio.method), (1.75, Method::None));
        let seven = [7.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let ratio = ratio_of_medians(&seven, &[2.0; 50], Confidence::new(0.95));
        assert_eq!((ratio.value, ratio.low, ratio.high), (2.0, 0.5, 3.5));
        assert_eq!(ratio.method, Method::OrderStatistics);
    }

    #[test]
    fn one_ratio_has_no_interval() {
        let ratio = geometric_mean_ratio(&[(3.0, 2.0)], Stream::new(1), Confidence::new(0.95));
        assert!((ratio.value - 1.5).abs() < 1e-12);
        assert_eq!((ratio.low, ratio.high, ratio.method), (0.0, f64::INFINITY, Method::None));
    }
}
