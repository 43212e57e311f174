//! Means of trials and of pairs, and two series of values on the same instances.

use super::distribution::beta_cdf;
use super::factorial::{f_tail, student_quantile};
use super::rate::clopper_pearson_limits;
use super::{Confidence, Estimate, Method};

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
        self.push_many(value, 1);
    }

    /// Adds a value `count` times.
    pub fn push_many(&mut self, value: f64, count: u64) {
        if count > 0 {
            self.count += count;
            let (before, count) = (value - self.mean, count as f64);
            self.mean += count * before / self.count as f64;
            self.squares += count * before * (value - self.mean);
        }
    }

    /// The moments of `count` integers with this sum and this sum of squares.
    pub fn of_sums(count: u64, sum: i64, squares: u64) -> Self {
        let (n, sum) = (count.max(1) as f64, sum as f64);
        Self { count, mean: sum / n, squares: (squares as f64 - sum * sum / n).max(0.0) }
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

/// The mean of independent values with Student's interval, mean ± t·√(variance/n) with n − 1 degrees of freedom, which holds
/// for few values if they are about normal.
///
/// With fewer than two values, or if all are equal, there is no interval: it is (−∞, ∞) and its method is `None`.
///
/// # Example: Student's t with 4 degrees of freedom is 2.776
/// ```
/// use shikou::stats::{Confidence, Moments, mean_interval};
/// let five: Moments = [1.0, 2.0, 3.0, 4.0, 5.0].into_iter().collect();
/// let estimate = mean_interval(&five, Confidence::new(0.95));
/// assert!((estimate.high - (3.0 + 2.776445 * 0.5_f64.sqrt())).abs() < 1e-6);
/// ```
pub fn mean_interval(moments: &Moments, confidence: Confidence) -> Estimate {
    let value = moments.mean();
    if moments.variance() == 0.0 {
        return Estimate::of(value);
    }
    let half = student_quantile(moments.count() - 1, confidence)
        * (moments.variance() / moments.count() as f64).sqrt();
    Estimate::around(value, half, Method::StudentT)
}

/// The mean of scores in `[0, 1]`, such as those of pairs, with its interval.
///
/// The interval is Student's, with n − 1 degrees of freedom, but centre and variance are those of the n scores and two more, a
/// score of 0 and one of 1; it is cut to `[0, 1]`. If each value is the mean of `each` scores, as of the pairs that share an
/// opening, the two more have one score of 0 or 1 each, and the mean for the rest. They represent results that are possible and were not
/// seen. Without them the variance of few scores is often much too small: with probabilities 0.9 of ½ and 0.1 of 1, Student's
/// interval of 50 scores covers the mean in 88 % of runs. Agresti and Caffo (2000, The American Statistician 54) add one success
/// and one failure to each sample for the same reason. `docs/validating.md` shows the coverage.
///
/// If all scores are equal, it is Clopper and Pearson's interval for n units, of which the sum of the scores succeeded.
///
/// The values must be independent.
///
/// # Panics
/// If `each` is below 1.
///
/// # Example: 21 pairs with a loss and a draw, 8 won
/// ```
/// use shikou::stats::{Confidence, Moments, score_interval};
/// let scores: Moments = [0.25; 21].into_iter().chain([1.0; 8]).collect();
/// let points = score_interval(&scores, 1.0, Confidence::new(0.95));
/// assert!((points.low - 0.324976).abs() < 1e-6 && (points.high - 0.594379).abs() < 1e-6);
/// ```
pub fn score_interval(scores: &Moments, each: f64, confidence: Confidence) -> Estimate {
    assert!(each >= 1.0, "a value is the mean of one score or more, not of {each}");
    let (value, n) = (scores.mean(), scores.count());
    if n == 0 {
        return Estimate { value, low: 0.0, high: 1.0, method: Method::None };
    }
    if scores.variance() == 0.0 {
        let (low, high) = clopper_pearson_limits(value * n as f64, n as f64, confidence);
        return Estimate { value, low, high, method: Method::ExactOnPairs };
    }
    let (centre, error) = with_two_more(scores, each);
    let half = student_quantile(n - 1, confidence) * error;
    let (low, high) = ((centre - half).max(0.0).min(value), (centre + half).min(1.0).max(value));
    Estimate { value, low, high, method: Method::StudentPlusTwo }
}

/// The two-sided test that the mean of scores in `[0, 1]` is ½, to which [`score_interval`] belongs: its p-value is the α at which
/// the interval of level 1 − α ends at ½. It is never below 2¹⁻ⁿ, that of n scores of 1.
pub fn score_test(scores: &Moments) -> f64 {
    let n = scores.count() as f64;
    if n == 0.0 {
        return 1.0;
    }
    let points = scores.mean() * n;
    let exact = |lost: f64| (2.0 * beta_cdf(n - lost, lost + 1.0, 0.5)).min(1.0);
    if scores.variance() == 0.0 {
        return exact(points.min(n - points));
    }
    let (centre, error) = with_two_more(scores, 1.0);
    let t = (centre - 0.5) / error;
    f_tail(t * t, 1, scores.count() - 1).max(exact(0.0))
}

/// The mean of values and two more, with a score of 0 or 1 among their `each`, and its standard error.
pub(super) fn with_two_more(scores: &Moments, each: f64) -> (f64, f64) {
    let (mean, mut more) = (scores.mean(), *scores);
    more.push(mean - mean / each);
    more.push(mean + (1.0 - mean) / each);
    (more.mean(), (more.variance() / scores.count() as f64).sqrt())
}

/// The means, variances and covariance of two paired series, updated one instance at a time.
///
/// # Example
/// ```
/// use shikou::stats::PairedMoments;
/// let paired: PairedMoments = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)].into_iter().collect();
/// assert!((paired.correlation().unwrap() - 0.981980506).abs() < 1e-9);
/// // var 1 + var 7/3, compared with var 1/3 of the difference: ten times fewer instances.
/// assert!((paired.variance_reduction().unwrap() - 10.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedMoments {
    first: Moments,
    second: Moments,
    difference: Moments,
}

impl PairedMoments {
    /// Adds the values of one instance.
    pub fn push(&mut self, first: f64, second: f64) {
        self.first.push(first);
        self.second.push(second);
        self.difference.push(first - second);
    }

    /// The mean difference, first less second, with its interval.
    pub fn difference(&self, confidence: Confidence) -> Estimate {
        mean_interval(&self.difference, confidence)
    }

    /// The p-value of Student's test that the mean difference is 0, two-sided: it is at most α exactly if the interval of
    /// level 1 − α leaves out 0. 1 if the difference does not vary, for then there is no interval.
    ///
    /// # Example: t = √8 with 4 degrees of freedom
    /// ```
    /// use shikou::stats::PairedMoments;
    /// let paired: PairedMoments = [(2.0, 1.5), (3.0, 2.0), (4.0, 4.0), (5.0, 3.5), (6.0, 4.0)].into_iter().collect();
    /// assert!((paired.p_value() - 0.047_420_656).abs() < 1e-9);
    /// ```
    pub fn p_value(&self) -> f64 {
        let Moments { count, mean, .. } = self.difference;
        let squared_error = self.difference.variance() / count.max(1) as f64;
        if squared_error == 0.0 { 1.0 } else { f_tail(mean * mean / squared_error, 1, count - 1) }
    }

    /// The correlation of the two series; `None` if one of them does not vary.
    pub fn correlation(&self) -> Option<f64> {
        let (x, y) = (self.first.variance(), self.second.variance());
        let covariance = (x + y - self.difference.variance()) / 2.0;
        (x > 0.0 && y > 0.0).then(|| (covariance / (x * y).sqrt()).clamp(-1.0, 1.0))
    }

    /// The variance-reduction factor (var x + var y)/var(x − y): with different instances for each player, this many times
    /// more would be needed. `None` if the difference does not vary.
    pub fn variance_reduction(&self) -> Option<f64> {
        let together = self.difference.variance();
        (together > 0.0).then(|| (self.first.variance() + self.second.variance()) / together)
    }
}

impl Extend<(f64, f64)> for PairedMoments {
    fn extend<I: IntoIterator<Item = (f64, f64)>>(&mut self, values: I) {
        values.into_iter().for_each(|(first, second)| self.push(first, second));
    }
}

impl FromIterator<(f64, f64)> for PairedMoments {
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(values: I) -> Self {
        let mut moments = Self::default();
        moments.extend(values);
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairedCounts;

    #[test]
    fn many_equal_values_are_added_at_once() {
        let mut at_once = Moments::default();
        at_once.push_many(0.25, 21);
        at_once.push_many(1.0, 8);
        let one_by_one: Moments = [0.25; 21].into_iter().chain([1.0; 8]).collect();
        assert!((at_once.mean() - one_by_one.mean()).abs() < 1e-15);
        assert!((at_once.variance() - one_by_one.variance()).abs() < 1e-15);
        assert_eq!(at_once.count(), 29);
    }

    /// The mean of 16 pairs of an opening can hardly be 0 or 1: the interval is Student's to within 2 %, and not 70 % wider.
    #[test]
    fn two_pairs_among_many_change_little() {
        let shares: Moments = (0..30).map(|i| 0.9 + f64::from(i % 5) / 25.0).collect();
        let width = |estimate: Estimate| estimate.high - estimate.low;
        let student = width(mean_interval(&shares, Confidence::new(0.95)));
        let (of_one, of_many) =
            [1.0, 16.0].map(|each| width(score_interval(&shares, each, Confidence::new(0.95)))).into();
        assert!(
            of_one > 1.7 * student && (0.98..1.04).contains(&(of_many / student)),
            "{student} {of_one} {of_many}"
        );
    }

    #[test]
    fn binary_values_agree_with_the_table() {
        let table = PairedCounts { both: 20, only_first: 12, only_second: 2, neither: 16 };
        let values = [(20, 1.0, 1.0), (12, 1.0, 0.0), (2, 0.0, 1.0), (16, 0.0, 0.0)];
        let paired: PairedMoments =
            values.into_iter().flat_map(|(n, x, y)| std::iter::repeat_n((x, y), n)).collect();
        assert!((paired.correlation().unwrap() - table.correlation().unwrap()).abs() < 1e-12);
        assert!((paired.variance_reduction().unwrap() - table.variance_reduction().unwrap()).abs() < 1e-12);
        assert!((paired.difference(Confidence::new(0.95)).value - 0.2).abs() < 1e-12);
    }

    /// The extra hours of sleep of ten patients after two drugs, the example of Student (1908, Biometrika 6): as printed by R's
    /// `t.test(paired = TRUE)`, t = −4.0621, p = 0.002833, and the interval [−2.4598858, −0.7001142].
    #[test]
    fn the_paired_test_has_the_golden_values() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let paired: PairedMoments = first.into_iter().zip(second).collect();
        let Estimate { value, low, high, .. } = paired.difference(Confidence::new(0.95));
        assert!((value + 1.58).abs() < 1e-12 && (paired.p_value() - 0.002833).abs() < 5e-7);
        assert!((low + 2.4598858).abs() < 5e-8 && (high + 0.7001142).abs() < 5e-8);
    }

    #[test]
    fn the_interval_leaves_out_0_exactly_if_the_test_is_significant() {
        let confidence = Confidence::new(0.95);
        let mut apart = 0;
        // Scores of 2 to 5 deals, and many nearly at the limit.
        for (n, shift) in (2..=5_u32).flat_map(|n| (0..4000).map(move |shift| (n, f64::from(shift) / 500.0)))
        {
            let paired: PairedMoments = (0..n).map(|i| (shift + f64::from(i * i % 7), 1.0)).collect();
            let Estimate { low, high, .. } = paired.difference(confidence);
            assert_eq!(low > 0.0 || high < 0.0, paired.p_value() <= 0.05, "{n} {shift}");
            apart += u32::from(low > 0.0);
        }
        assert!((4000..12_000).contains(&apart), "{apart}");
    }

    #[test]
    fn what_does_not_vary_has_no_interval_and_no_correlation() {
        let one: Moments = [3.0].into_iter().collect();
        assert_eq!(mean_interval(&one, Confidence::new(0.95)).method, Method::None);
        let paired: PairedMoments = [(1.0, 2.0), (1.0, 2.0)].into_iter().collect();
        assert_eq!((paired.correlation(), paired.variance_reduction()), (None, None));
        assert_eq!((paired.p_value(), paired.difference(Confidence::new(0.95)).method), (1.0, Method::None));
        assert_eq!(PairedMoments::default().p_value(), 1.0);
    }
}
