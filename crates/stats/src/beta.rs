//! The beta and binomial distributions.
//!
//! The kernel xᵃ(1−x)ᵇ/B(a, b) is computed from deviations (Loader 2000, "Fast and accurate computation of binomial
//! probabilities"), so that it keeps its precision if a and b are in the millions. The integral is the continued
//! fraction 8.17.22 of the DLMF. Rejected: the libraries that were tried. They lose precision in differences of
//! logarithms of gamma functions, stop the continued fraction too early, or hang in the tails.

use std::f64::consts::{PI, TAU};

use super::root::root;

/// ln B(a, b).
pub(super) fn ln_beta(a: f64, b: f64) -> f64 {
    // At x = a/(a + b) the deviations are 0.
    let n = a + b;
    let (x, y) = (a / n, b / n);
    a * libm::log(x) + b * libm::log(y) - ln_kernel(a, b, x, y)
}

/// ln of xᵃ yᵇ / B(a, b) for y = 1 − x; x and y are positive.
pub(super) fn ln_kernel(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let scale = 0.5 * libm::log(a / n * b / TAU);
    scale + stirling_rest(n) - stirling_rest(a) - stirling_rest(b) - deviance(a, n * x) - deviance(b, n * y)
}

/// ln Γ(z) − [(z − ½) ln z − z + ½ ln 2π]: the remainder of Stirling's formula.
fn stirling_rest(z: f64) -> f64 {
    if z < 10.0 {
        return libm::lgamma(z) - ((z - 0.5) * libm::log(z) - z + 0.5 * libm::log(2.0 * PI));
    }
    let s = 1.0 / (z * z);
    let series = 1.0 / 12.0
        - s * (1.0 / 360.0
            - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s * (1.0 / 1188.0 - s * 691.0 / 360_360.0))));
    series / z
}

/// k ln(k/m) + m − k, which is 0 at k = m and never negative.
fn deviance(k: f64, m: f64) -> f64 {
    let d = (m - k) / k;
    if d.abs() > 0.1 {
        return k * (d - libm::log1p(d));
    }
    // d − ln(1 + d) = d²/2 − d³/3 + d⁴/4 − …
    let (mut power, mut sum) = (d, 0.0);
    for j in 2..40 {
        power *= -d;
        let term = power / f64::from(j);
        sum -= term;
        if term.abs() <= 1e-17 * f64::abs(sum) {
            break;
        }
    }
    k * sum
}

/// The regularised incomplete beta function Iₓ(a, b): the probability of at most `x` under Beta(a, b).
pub(super) fn beta_cdf(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let y = 1.0 - x;
    let kernel = libm::exp(ln_kernel(a, b, x, y));
    if x < (a + 1.0) / (a + b + 2.0) {
        if kernel == 0.0 { 0.0 } else { kernel * fraction(a, b, x) / a }
    } else if kernel == 0.0 {
        1.0
    } else {
        1.0 - kernel * fraction(b, a, y) / b
    }
}

/// The continued fraction of DLMF 8.17.22 by Lentz's method; it needs about √(a + b) steps.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut value) = (1.0, d);
    let mut m = 1.0;
    loop {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        value *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        value *= c * d;
        m += 1.0;
        if (c * d - 1.0).abs() < 1e-15 || m > 1e8 {
            return value;
        }
    }
}

/// The `p`-quantile of Beta(a, b). For an upper quantile, compute that of 1 − x, which is distributed as Beta(b, a): this
/// keeps the precision.
pub(super) fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    root(|x| beta_cdf(a, b, x) - p, 0.0, 1.0)
}

/// The probability of at most `k` successes in `n` trials of a fair coin.
pub(super) fn fair_binomial_cdf(k: u64, n: u64) -> f64 {
    if k >= n { 1.0 } else { beta_cdf((n - k) as f64, k as f64 + 1.0, 0.5) }
}

/// The probability of exactly `k` successes in `n` trials with the rate `rate`, strictly between 0 and 1.
pub(super) fn binomial_pmf(k: u64, n: u64, rate: f64) -> f64 {
    let (k, n) = (k as f64, n as f64);
    let other = 1.0 - rate;
    libm::exp(ln_kernel(k + 1.0, n - k + 1.0, rate, other)) / ((n + 1.0) * rate * other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From mpmath with 40 digits; the last three from scipy 1.17.1, because other libraries err at such parameters.
    #[test]
    fn the_distribution_keeps_its_digits() {
        let golden = [
            (0.5, 0.5, 0.2, 0.295_167_235_300_866_6),
            (10.5, 0.5, 0.9, 0.141_553_091_812_887),
            (2.5, 7.25, 0.25, 0.530_328_525_777_583_6),
            (37.0, 64.0, 0.3, 0.079_880_042_293_730_72),
            (37.0, 64.0, 0.6, 0.999_998_914_339_439_7),
            (300.5, 700.5, 0.33, 0.978_826_021_293_624_3),
            (1e4, 3e4, 0.245, 0.010227845116896912),
            (1_000_001.0, 1e6, 0.5, 0.49971790524348764),
            (5e6, 5_000_001.0, 0.4996900529, 0.025000139956428004),
        ];
        for (a, b, x, p) in golden {
            assert!((beta_cdf(a, b, x) / p - 1.0).abs() < 1e-12, "{a} {b} {x}: {}", beta_cdf(a, b, x));
            assert!((beta_quantile(a, b, p) - x).abs() < 1e-12, "{a} {b} {x}: {}", beta_quantile(a, b, p));
        }
    }

    #[test]
    fn small_binomials_are_exact() {
        let choose = [1.0, 10.0, 45.0, 120.0, 210.0, 252.0];
        let mut sum = 0.0;
        for (k, ways) in choose.into_iter().enumerate() {
            sum += ways / 1024.0;
            assert!((binomial_pmf(k as u64, 10, 0.5) - ways / 1024.0).abs() < 1e-15);
            assert!((fair_binomial_cdf(k as u64, 10) - sum).abs() < 4e-15);
        }
        assert!((binomial_pmf(0, 3, 0.2) - 0.512).abs() < 1e-15);
        assert_eq!(fair_binomial_cdf(0, 0), 1.0);
    }

    #[test]
    fn the_logarithm_of_beta_agrees_with_that_of_gamma() {
        for (a, b) in [(0.5, 0.5), (1.5, 7.5), (12.5, 2.5), (120.5, 90.5), (1.0, 1e6)] {
            let gamma = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
            assert!((ln_beta(a, b) - gamma).abs() < 1e-9, "{a} {b}");
        }
        assert!((ln_beta(0.5, 0.5) - libm::log(PI)).abs() < 1e-15);
    }
}
