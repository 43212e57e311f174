//! The median, without an assumption on the distribution, and ratios of the times of two players or two builds.

use super::bootstrap::{RESAMPLES, bootstrap};
use super::distribution::fair_binomial_cdf;
use super::{Confidence, Estimate, Method};
use crate::rng::Stream;

/// The order statistics, counted from 1, that enclose the median with at least this confidence: the x-th lowest and the
/// x-th highest. `None` if there are too few values (fewer than six at 95 %).
///
/// The x-th lowest is above the median with probability P(Bin(n, ½) < x), which must be at most α/2.
pub fn median_rank(count: u64, confidence: Confidence) -> Option<u64> {
    let tail = confidence.alpha() / 2.0;
    let fits = |rank: u64| fair_binomial_cdf(rank - 1, count) <= tail;
    if count == 0 || !fits(1) {
        return None;
    }
    let (mut fit, mut unfit) = (1, count / 2 + 1);
    while unfit - fit > 1 {
        let middle = u64::midpoint(fit, unfit);
        *if fits(middle) { &mut fit } else { &mut unfit } = middle;
    }
    Some(fit)
}

/// The median of values in ascending order, with the interval between two order statistics. With too few values the
/// interval is (−∞, ∞) and its method is `None`.
///
/// # Panics
/// If there are no values, or they are not in ascending order.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, median};
/// let times = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 90.0];
/// let middle = median(&times, Confidence::new(0.95));
/// assert_eq!((middle.value, middle.low, middle.high), (5.5, 2.0, 9.0));
/// ```
pub fn median(rising: &[f64], confidence: Confidence) -> Estimate {
    assert!(!rising.is_empty(), "a median needs at least one value");
    assert!(rising.is_sorted(), "the values of a median must be in ascending order");
    let count = rising.len();
    let value = f64::midpoint(rising[(count - 1) / 2], rising[count / 2]);
    let Some(rank) = median_rank(count as u64, confidence) else { return Estimate::of(value) };
    let (low, high) = (rising[rank as usize - 1], rising[count - rank as usize]);
    Estimate { value, low, high, method: Method::OrderStatistics }
}

/// The geometric mean of the ratios first/second of paired positive values, such as times of interleaved runs, with the
/// bootstrap interval of the mean log-ratio, mapped back.
///
/// The geometric mean is the only one for which first/second and second/first agree. With fewer than two ratios, or if all are equal,
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

    /// From tables of the binomial: P(Bin(20, ½) ≤ 5) is 0.0207, and P(Bin(20, ½) ≤ 6) is 0.0577.
    #[test]
    fn ranks_are_those_of_the_tables() {
        let confidence = Confidence::new(0.95);
        let golden = [
            (5, None),
            (6, Some(1)),
            (8, Some(1)),
            (9, Some(2)),
            (20, Some(6)),
            (50, Some(18)),
            (100, Some(40)),
        ];
        for (count, rank) in golden {
            assert_eq!(median_rank(count, confidence), rank, "{count}");
        }
        assert_eq!(median_rank(10_000_000, confidence).map(|rank| (5_000_000 - rank) / 100), Some(30));
    }

    #[test]
    fn odd_and_even_and_few() {
        let confidence = Confidence::new(0.95);
        assert_eq!(median(&[3.0], confidence).method, Method::None);
        assert_eq!(median(&[1.0, 2.0, 4.0], confidence).value, 2.0);
        assert_eq!(median(&[1.0, 2.0], confidence).value, 1.5);
    }

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
