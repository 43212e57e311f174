//! The median, without an assumption on the distribution.

use super::beta::fair_binomial_cdf;
use super::{Confidence, Estimate, Method};

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
    match median_rank(count as u64, confidence) {
        Some(rank) => {
            let rank = rank as usize;
            Estimate {
                value,
                low: rising[rank - 1],
                high: rising[count - rank],
                method: Method::OrderStatistics,
            }
        }
        None => Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY, method: Method::None },
    }
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
}
