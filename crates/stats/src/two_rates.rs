//! The difference of two independent rates.

use super::{Confidence, Estimate, Method, wilson};

/// Newcombe's interval for the difference of two independent rates, the first minus the second, each given as
/// (successes, trials) (Newcombe 1998, Stat. Med. 17, 873–890, method 10): Wilson's limits, squared and added.
///
/// Not for players that played the same deals: see [`tango`](super::tango).
///
/// # Panics
/// If there are more successes than trials.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, newcombe};
/// let difference = newcombe((56, 70), (48, 80), Confidence::new(0.95));
/// assert!((difference.low - 0.052431).abs() < 1e-6 && (difference.high - 0.333873).abs() < 1e-6);
/// ```
pub fn newcombe(first: (u64, u64), second: (u64, u64), confidence: Confidence) -> Estimate {
    difference_of(&wilson(first.0, first.1, confidence), &wilson(second.0, second.1, confidence))
}

/// The difference of two independent values in [0, 1], the first less the second, from their intervals: by squares added,
/// as [`newcombe`] does from Wilson's.
///
/// # Example
/// ```
/// use shikou::stats::{Estimate, Method, difference_of};
/// let [a, b] = [(0.6, 0.5, 0.68), (0.4, 0.36, 0.43)]
///     .map(|(value, low, high)| Estimate { value, low, high, method: Method::Normal });
/// let difference = difference_of(&a, &b);
/// assert!((difference.low - (0.2 - 0.0109_f64.sqrt())).abs() < 1e-12);
/// assert!((difference.high - (0.2 + 0.0080_f64.sqrt())).abs() < 1e-12);
/// ```
pub fn difference_of(first: &Estimate, second: &Estimate) -> Estimate {
    let value = first.value - second.value;
    if first.method == Method::None || second.method == Method::None {
        return Estimate { value, low: -1.0, high: 1.0, method: Method::None };
    }
    let below = length(first.value - first.low, second.high - second.value);
    let above = length(first.high - first.value, second.value - second.low);
    Estimate { value, low: value - below, high: value + above, method: Method::Newcombe }
}

/// √(x² + y²), using only operations that IEEE 754 defines exactly; the numbers are near 1.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 56/70 and 48/80, the first example of Newcombe's paper, to six decimal places.
    #[test]
    fn newcombe_agrees_with_statsmodels() {
        let difference = newcombe((56, 70), (48, 80), Confidence::new(0.95));
        assert!((difference.value - 0.2).abs() < 1e-15);
        assert!((difference.low - 0.052431).abs() < 1e-6, "{}", difference.low);
        assert!((difference.high - 0.333873).abs() < 1e-6, "{}", difference.high);
    }

    #[test]
    fn the_interval_stays_within_its_range() {
        let confidence = Confidence::new(0.95);
        let extreme = newcombe((10, 10), (0, 10), confidence);
        assert_eq!((extreme.value, extreme.high), (1.0, 1.0));
        assert_eq!(newcombe((0, 0), (1, 2), confidence).method, Method::None);
    }
}
