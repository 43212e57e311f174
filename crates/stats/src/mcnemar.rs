//! `McNemar`'s tests of equal success rates on the same instances.
//!
//! Only the discordant pairs count: `b` in which only the first succeeded, and `c` in which only the second did.

use super::beta::{binomial_pmf, fair_binomial_cdf};

/// The exact test, two-sided: 2·P(Bin(b+c, ½) ≤ min(b, c)), at most 1 (`McNemar` 1947, Psychometrika 12).
///
/// Its error rate is at most its level, and often much lower.
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
