//! Two success rates on the same instances: intervals of their difference, and `McNemar`'s tests of equal rates.

use serde::{Deserialize, Serialize};

use super::distribution::{binomial_pmf, fair_binomial_cdf, root};
use super::rate::wilson_limits;
use super::{Confidence, Estimate, Method};

/// The joint results of two players on the same instances.
///
/// # Example: on 50 deals
/// ```
/// use shikou::stats::{Confidence, PairedCounts, tango};
/// let counts = PairedCounts { both: 20, only_first: 12, only_second: 2, neither: 16 };
/// assert_eq!(counts.difference(), 0.2);
/// let estimate = tango(counts, Confidence::new(0.95));
/// assert!((estimate.low - 0.061112).abs() < 1e-6 && (estimate.high - 0.344709).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedCounts {
    /// Instances on which both succeeded.
    pub both: u64,
    /// Instances on which only the first did.
    pub only_first: u64,
    /// Instances on which only the second did.
    pub only_second: u64,
    /// Instances on which neither did.
    pub neither: u64,
}

impl PairedCounts {
    /// Adds one instance.
    pub fn push(&mut self, first: bool, second: bool) {
        *match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_first,
            (false, true) => &mut self.only_second,
            (false, false) => &mut self.neither,
        } += 1;
    }

    /// The number of instances.
    pub const fn instances(self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// The first's rate minus the second's; 0 without instances.
    pub fn difference(self) -> f64 {
        let [_, b, c, _] = self.numbers();
        if self.instances() == 0 { 0.0 } else { (b - c) / self.instances() as f64 }
    }

    /// The correlation of the two successes (φ); `None` if one of them always or never succeeded.
    pub fn correlation(self) -> Option<f64> {
        let [a, b, c, d] = self.numbers();
        let margins = (a + b) * (c + d) * (a + c) * (b + d);
        (margins > 0.0).then(|| (a * d - b * c) / margins.sqrt())
    }

    /// The factor by which pairing reduces the variance of the difference: p₁q₁ + p₂q₂ over its variance. Independent deals
    /// would need this many times more trials. `None` if the difference is the same on all instances.
    pub fn variance_reduction(self) -> Option<f64> {
        let [a, b, c, d] = self.numbers();
        let n = a + b + c + d;
        let variance = n * (b + c) - (b - c) * (b - c);
        (variance > 0.0).then(|| ((a + b) * (c + d) + (a + c) * (b + d)) / variance)
    }

    fn numbers(self) -> [f64; 4] {
        [self.both, self.only_first, self.only_second, self.neither].map(|count| count as f64)
    }
}

/// The estimate with these limits; without instances, the one for no data.
fn estimate(counts: PairedCounts, method: Method, limits: impl FnOnce(f64) -> (f64, f64)) -> Estimate {
    let value = counts.difference();
    if counts.instances() == 0 {
        return Estimate { value, low: -1.0, high: 1.0, method: Method::None };
    }
    let (low, high) = limits(value);
    Estimate { value, low: low.max(-1.0), high: high.min(1.0), method }
}

/// Tango's score interval for the difference of paired rates (Tango 1998, Stat. Med. 17, 891–908), the default.
///
/// The interval contains the differences Δ for which |b − c − nΔ| ≤ z·√(n(2q + Δ(1−Δ))), with q the estimate under Δ of the rate of
/// the pairs in which only the second succeeded. Without instances the interval is [−1, 1].
pub fn tango(counts: PairedCounts, confidence: Confidence) -> Estimate {
    let [_, b, c, _] = counts.numbers();
    let n = counts.instances() as f64;
    let statistic = |delta: f64| {
        let (square, line) = (2.0 * n, -b - c + (2.0 * n - b + c) * delta);
        let constant = -c * delta * (1.0 - delta);
        let root = (line * line - 4.0 * square * constant).max(0.0).sqrt();
        // The larger root, in the numerically stable form.
        let q = if line > 0.0 { -2.0 * constant / (line + root) } else { (root - line) / (2.0 * square) };
        let deviation = b - c - n * delta;
        let variance = (n * (2.0 * q + delta * (1.0 - delta))).max(0.0);
        if deviation == 0.0 { 0.0 } else { deviation / variance.sqrt() }
    };
    let z = confidence.z();
    estimate(counts, Method::Tango, |value| {
        let low = if value <= -1.0 { -1.0 } else { root(|delta| statistic(delta) - z, -1.0, value) };
        let high = if value >= 1.0 { 1.0 } else { root(|delta| statistic(delta) + z, value, 1.0) };
        (low, high)
    })
}

/// Newcombe's method 10 for the difference of paired rates (Newcombe 1998, Stat. Med. 17, 2635–2650): Wilson's limits,
/// squared and added with the correlation. A positive numerator ad − bc of the correlation is reduced by n/2, but not
/// below 0.
pub fn newcombe_paired(counts: PairedCounts, confidence: Confidence) -> Estimate {
    let [a, b, c, d] = counts.numbers();
    let n = counts.instances() as f64;
    estimate(counts, Method::NewcombePaired, |value| {
        let (first, second) = ((a + b) / n, (a + c) / n);
        let (first_low, first_high) = wilson_limits(first, n, confidence);
        let (second_low, second_high) = wilson_limits(second, n, confidence);
        let margins = (a + b) * (c + d) * (a + c) * (b + d);
        let raw = a * d - b * c;
        let numerator = if raw > 0.0 { (raw - n / 2.0).max(0.0) } else { raw };
        let phi = if margins == 0.0 { 0.0 } else { numerator / margins.sqrt() };
        let joined = |x: f64, y: f64| (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt();
        let below = joined(first - first_low, second_high - second);
        let above = joined(first_high - first, second - second_low);
        (value - below, value + above)
    })
}

/// Bonett and Price's interval for the difference of paired rates (2012, J. Educ. Behav. Stat. 37): Wald's interval on
/// b + 1, c + 1 and n + 2.
pub fn bonett_price(counts: PairedCounts, confidence: Confidence) -> Estimate {
    let [_, b, c, _] = counts.numbers();
    let n = counts.instances() as f64 + 2.0;
    let (only_first, only_second) = ((b + 1.0) / n, (c + 1.0) / n);
    let centre = only_first - only_second;
    let half = confidence.z() * ((only_first + only_second - centre * centre) / n).sqrt();
    estimate(counts, Method::BonettPrice, |_| (centre - half, centre + half))
}

/// The exact test, two-sided: 2·P(Bin(b+c, ½) ≤ min(b, c)), at most 1 (`McNemar` 1947, Psychometrika 12).
///
/// The error rate is at most the level, and often much lower.
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    (2.0 * fair_binomial_cdf(b.min(c), b + c)).min(1.0)
}

/// The mid-p test, two-sided: the exact p minus P(Bin(b+c, ½) = min(b, c)); if b = c, 1 minus half of that;
/// 1 without discordant pairs (Fagerland, Lydersen, Laake 2013, BMC Med. Res. Methodol. 13:91).
///
/// # Example
/// ```
/// use shikou::stats::{mcnemar_exact, mcnemar_mid_p};
/// assert!((mcnemar_exact(1, 7) - 0.0703125).abs() < 1e-12);
/// assert!((mcnemar_mid_p(1, 7) - 0.0390625).abs() < 1e-12);
/// ```
pub fn mcnemar_mid_p(b: u64, c: u64) -> f64 {
    let n = b + c;
    if n == 0 {
        return 1.0;
    }
    let point = binomial_pmf(b.min(c), n, 0.5);
    if b == c { 1.0 - 0.5 * point } else { (mcnemar_exact(b, c) - point).max(0.0) }
}

/// `McNemar`'s test without correction: (b−c)²/(b+c) on χ² with one degree of freedom; 1 without discordant pairs. It is the
/// score test of equal rates that [`tango`](super::tango) inverts, so it is the test beside that interval.
pub fn mcnemar_asymptotic(b: u64, c: u64) -> f64 {
    if b + c == 0 {
        return 1.0;
    }
    let statistic = (b.abs_diff(c) as f64).powi(2) / (b + c) as f64;
    libm::erfc((statistic / 2.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(both: u64, only_first: u64, only_second: u64, neither: u64) -> PairedCounts {
        PairedCounts { both, only_first, only_second, neither }
    }

    type Interval = fn(PairedCounts, Confidence) -> Estimate;

    /// Values of Tango and Newcombe 10 from R packages, to six decimal places.
    #[test]
    fn the_intervals_agree_with_published_values() {
        let golden: [(Interval, PairedCounts, f64, f64); 7] = [
            (tango, counts(1, 1, 7, 12), -0.517232, -0.026003),
            (newcombe_paired, counts(1, 1, 7, 12), -0.506920, -0.025559),
            (bonett_price, counts(1, 1, 7, 12), -0.508359, -0.013380),
            (tango, counts(20, 12, 2, 16), 0.061112, 0.344709),
            (newcombe_paired, counts(20, 12, 2, 16), 0.056156, 0.329207),
            (bonett_price, counts(20, 12, 2, 16), 0.050892, 0.333724),
            (tango, counts(40, 0, 0, 60), -0.036993, 0.036993),
        ];
        for (interval, counts, low, high) in golden {
            let estimate = interval(counts, Confidence::new(0.95));
            assert!((estimate.low - low).abs() < 1e-6, "{estimate:?}");
            assert!((estimate.high - high).abs() < 1e-6, "{estimate:?}");
        }
    }

    #[test]
    fn every_small_table_has_an_interval_around_its_value_that_mirrors() {
        let confidence = Confidence::new(0.95);
        for (a, b, c, d) in (0..256).map(|code| (code % 4, code / 4 % 4, code / 16 % 4, code / 64)) {
            for interval in [tango, newcombe_paired, bonett_price] {
                let there = interval(counts(a, b, c, d), confidence);
                let back = interval(counts(a, c, b, d), confidence);
                let bounds = (-1.0..=1.0).contains(&there.low) && (-1.0..=1.0).contains(&there.high);
                let around = there.low <= there.value && there.value <= there.high;
                assert!(
                    bounds && (around || there.method == Method::BonettPrice),
                    "{a} {b} {c} {d}: {there:?}"
                );
                assert!((there.low + back.high).abs() < 1e-12, "{a} {b} {c} {d}: {there:?} {back:?}");
            }
        }
    }

    #[test]
    fn the_pairing_saves_what_the_definition_says() {
        let table = counts(20, 12, 2, 16);
        // p₁ = .64, p₂ = .44; var = (.28 − .04) = .24; φ = (320 − 24)/√(32·18·22·28).
        assert!((table.variance_reduction().unwrap() - (0.64 * 0.36 + 0.44 * 0.56) / 0.24).abs() < 1e-12);
        assert!((table.correlation().unwrap() - 296.0 / 354_816.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!((counts(5, 0, 0, 5).variance_reduction(), counts(5, 0, 0, 0).correlation()), (None, None));
        let mut pushed = PairedCounts::default();
        for (first, second) in [(true, true), (true, false), (false, false)] {
            pushed.push(first, second);
        }
        assert_eq!(pushed, counts(1, 1, 0, 1));
    }

    /// From statsmodels 0.15.0 and scipy 1.17.1, to nine decimal places.
    #[test]
    fn the_tests_agree_with_statsmodels() {
        let golden = [
            (1, 7, 0.070312500, 0.039062500, 0.033894854),
            (12, 2, 0.012939453, 0.007385254, 0.007526315),
            (120, 90, 0.045114088, 0.038643349, 0.038433930),
        ];
        for (b, c, exact, mid, asymptotic) in golden {
            for (b, c) in [(b, c), (c, b)] {
                assert!((mcnemar_exact(b, c) - exact).abs() < 1e-9, "{}", mcnemar_exact(b, c));
                assert!((mcnemar_mid_p(b, c) - mid).abs() < 1e-9, "{}", mcnemar_mid_p(b, c));
                assert!((mcnemar_asymptotic(b, c) - asymptotic).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn balanced_and_empty_tables_are_no_evidence() {
        assert_eq!((mcnemar_exact(5, 5), mcnemar_exact(0, 0)), (1.0, 1.0));
        assert!((mcnemar_mid_p(1, 1) - 0.75).abs() < 1e-15);
        assert_eq!((mcnemar_mid_p(0, 0), mcnemar_asymptotic(0, 0)), (1.0, 1.0));
        assert!((mcnemar_mid_p(0, 1) - 0.5).abs() < 1e-15);
    }
}
