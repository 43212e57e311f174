//! Means of trials and of pairs.

use super::factorial::student_quantile;
use super::rate::clopper_pearson_limits;
use super::{Confidence, Estimate, LEAST_FOR_NORMAL, Method};

/// Count, mean and sum of squared deviations of a series, updated one value at a time (Welford 1962).
///
/// The order of the values affects the last bits: add them in trial order.
///
/// # Example
/// ```
/// use shikou::stats::Moments;
/// let moments: Moments = [2.0, 4.0, 6.0].into_iter().collect();
/// assert_eq!((moments.count(), moments.mean(), moments.variance()), (3, 4.0, 4.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a value.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The number of values.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 without values.
    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// The unbiased variance; 0 for fewer than two values.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 }
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Self::default();
        values.into_iter().for_each(|value| moments.push(value));
        moments
    }
}

/// The mean of independent values with its normal interval, mean ± z·√(variance/n).
///
/// With fewer than two values, or if all are equal, there is no interval: it is (−∞, ∞) and its method is `None`.
pub fn mean_interval(moments: &Moments, confidence: Confidence) -> Estimate {
    let value = moments.mean();
    if moments.variance() == 0.0 {
        return Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY, method: Method::None };
    }
    let half = confidence.z() * (moments.variance() / moments.count() as f64).sqrt();
    Estimate { value, low: value - half, high: value + half, method: Method::Normal }
}

/// The mean of independent values with Student's interval, which holds for few values if they are about normal.
///
/// With fewer than two values, or if all are equal, there is no interval: it is (−∞, ∞) and its method is `None`.
///
/// # Example: Student's t with 4 degrees of freedom is 2.776
/// ```
/// use shikou::stats::{Confidence, Moments, student_interval};
/// let five: Moments = [1.0, 2.0, 3.0, 4.0, 5.0].into_iter().collect();
/// let estimate = student_interval(&five, Confidence::new(0.95));
/// assert!((estimate.high - (3.0 + 2.776445 * 0.5_f64.sqrt())).abs() < 1e-6);
/// ```
pub fn student_interval(moments: &Moments, confidence: Confidence) -> Estimate {
    let normal = mean_interval(moments, confidence);
    if normal.method == Method::None {
        return normal;
    }
    let half = student_quantile(moments.count() - 1, confidence)
        * (moments.variance() / moments.count() as f64).sqrt();
    Estimate { low: normal.value - half, high: normal.value + half, method: Method::StudentT, ..normal }
}

/// The mean of pair scores in `[0, 1]`, with the normal interval from their variance, cut to `[0, 1]`; with fewer than
/// [`LEAST_FOR_NORMAL`] scores Student's interval. If they are all equal, the variance is not informative, and Clopper and
/// Pearson's interval with n = pairs is used.
///
/// Each value is the score of one pair, or the mean of the pairs that share an opening: the values must be independent.
pub fn pair_score_interval(scores: &Moments, confidence: Confidence) -> Estimate {
    let value = scores.mean();
    if scores.count() == 0 {
        return Estimate { value, low: 0.0, high: 1.0, method: Method::None };
    }
    if scores.variance() > 0.0 {
        let is_few = scores.count() < LEAST_FOR_NORMAL;
        let estimate = if is_few { student_interval } else { mean_interval }(scores, confidence);
        return Estimate { low: estimate.low.max(0.0), high: estimate.high.min(1.0), ..estimate };
    }
    let n = scores.count() as f64;
    let (low, high) = clopper_pearson_limits(value.clamp(0.0, 1.0) * n, n, confidence);
    Estimate { value, low, high, method: Method::ExactOnPairs }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs LL..WW [75, 64, 63, 54, 34]: Elo −55.5798 ± 27.6534, half the mapped width, from fishtest's code,
    /// whose variance divides by n and not by n − 1 (a relative difference of 1/580 in the width).
    #[test]
    fn pair_variance_gives_the_published_elo_interval() {
        let counts = [75, 64, 63, 54, 34];
        let scores = counts.iter().enumerate().flat_map(|(i, &n)| std::iter::repeat_n(i as f64 / 4.0, n));
        let moments: Moments = scores.collect();
        let estimate = pair_score_interval(&moments, Confidence::new(0.95));
        let elo = |s: f64| -400.0 * (1.0 / s - 1.0).log10();
        assert_eq!(estimate.method, Method::Normal);
        assert!((elo(estimate.value) + 55.5798).abs() < 1e-4);
        let half = (elo(estimate.high) - elo(estimate.low)) / 2.0;
        assert!((half / 27.6534 - (290.0_f64 / 289.0).sqrt()).abs() < 2e-5, "{half}");
    }

    #[test]
    fn equal_pairs_have_an_exact_interval() {
        let moments: Moments = std::iter::repeat_n(1.0, 10).collect();
        let estimate = pair_score_interval(&moments, Confidence::new(0.95));
        assert_eq!((estimate.method, estimate.high), (Method::ExactOnPairs, 1.0));
        assert!((estimate.low - 0.691502892).abs() < 1e-9, "{}", estimate.low);
    }

    #[test]
    fn one_trial_has_no_interval() {
        let one: Moments = [3.0].into_iter().collect();
        assert_eq!(mean_interval(&one, Confidence::new(0.95)).method, Method::None);
    }
}
