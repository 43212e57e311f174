//! The ratio of two strategies' or two builds' times.

use super::bootstrap::{RESAMPLES, bootstrap};
use super::{Confidence, Estimate};
use crate::rng::Stream;

/// The geometric mean of the ratios first/second of positive values that belong together, such as times of
/// interleaved runs, with the bootstrap interval of the mean log-ratio, mapped back.
///
/// It is the only mean for which first/second and second/first agree. Where there are fewer than two ratios, or all
/// are equal, the interval reaches from 0 to ∞ and its method is none.
///
/// # Panics
/// Where there are no values, or one is not positive and finite.
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
    assert!(!values.is_empty(), "no values have no ratio");
    let fit = |value: f64| value > 0.0 && value.is_finite();
    assert!(values.iter().all(|&(x, y)| fit(x) && fit(y)), "a ratio is of positive values");
    let logs: Vec<[f64; 1]> = values.iter().map(|&(x, y)| [libm::log(x) - libm::log(y)]).collect();
    let [estimate] = bootstrap(&logs, [&|means: &[f64]| means[0]], RESAMPLES, stream, confidence);
    estimate.map(libm::exp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Method;

    #[test]
    fn the_ratio_turns_over_with_its_sides() {
        let values: Vec<(f64, f64)> =
            (0..60).map(|i| (f64::from(3 + i * 7 % 5), f64::from(2 + i * 3 % 4))).collect();
        let turned: Vec<(f64, f64)> = values.iter().map(|&(x, y)| (y, x)).collect();
        let stream = Stream::new(1) / "ratio";
        let (there, back) =
            [values, turned].map(|v| geometric_mean_ratio(&v, stream, Confidence::new(0.95))).into();
        assert!((there.value * back.value - 1.0).abs() < 1e-12 && there.method == Method::Bootstrap);
        // The resamples are not mirrored, so the ends agree nearly.
        assert!((there.low * back.high - 1.0).abs() < 0.02 && (there.high * back.low - 1.0).abs() < 0.02);
    }

    #[test]
    fn one_ratio_has_no_interval() {
        let ratio = geometric_mean_ratio(&[(3.0, 2.0)], Stream::new(1), Confidence::new(0.95));
        assert!((ratio.value - 1.5).abs() < 1e-12);
        assert_eq!((ratio.low, ratio.high, ratio.method), (0.0, f64::INFINITY, Method::None));
    }
}
