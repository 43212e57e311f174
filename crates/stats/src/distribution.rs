//! The normal and the beta distribution, and the root of a function in an interval, which their quantiles need.
//!
//! The error function comes from `libm`, and the quantile from Wichura's AS 241 over `libm`'s logarithm, so the digits
//! are the same on every machine. Rejected: `statrs`, whose quantile uses the platform's logarithm as soon as any other
//! crate in the build enables it.
//!
//! The kernel xᵃ(1−x)ᵇ/B(a, b) is computed from deviations (Loader 2000, "Fast and accurate computation of binomial
//! probabilities"), so that it keeps its precision if a and b are in the millions. The integral is the continued
//! fraction 8.17.22 of the DLMF. Rejected: the libraries that were tried. They lose precision in differences of
//! logarithms of gamma functions, stop the continued fraction too early, or hang in the tails.
//!
//! Roots are found by Chandrupatla's method (1997, Adv. Eng. Softw. 28): inverse quadratic steps if they are safe, else
//! bisection. It never leaves the bracket, needs no derivative, and tolerates infinite values at the ends. Newton's method is
//! faster near the root but leaves the bracket in the flat tails of a distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};

/// Φ(x), the probability of a value of at most `x` under the standard normal distribution.
///
/// # Example
/// ```
/// use shikou::stats::normal_cdf;
/// assert_eq!(normal_cdf(0.0), 0.5);
/// assert!((normal_cdf(1.959963984540054) - 0.975).abs() < 1e-15);
/// ```
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// Φ⁻¹(p), to about 16 digits: Wichura 1988, "The percentage points of the normal distribution", Appl. Stat. 37,
/// AS 241 (PPND16). At 0 and 1 it is −∞ and ∞.
///
/// # Panics
/// If `p` is not a probability.
///
/// # Example
/// ```
/// assert!((shikou::stats::normal_quantile(0.975) - 1.959963984540054).abs() < 1e-15);
/// ```
pub fn normal_quantile(p: f64) -> f64 {
    assert!((0.0..=1.0).contains(&p), "a probability must be in [0, 1], not {p}");
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail == 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-libm::log(tail)).sqrt();
    let value = if r <= 5.0 {
        polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6)
    } else {
        polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0)
    };
    value.copysign(q)
}

/// Horner's scheme; the constant coefficient comes first.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

// The coefficients of AS 241.
const A: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const B: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_854,
];
const C: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    7.745_450_142_783_414e-4,
];
const D: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const E: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const F: [f64; 8] = [
    1.0,
    0.599_832_206_555_888,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

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

/// The maximum number of steps; bisection alone needs about 60 for a root near 1.
const MOST_STEPS: u32 = 300;

/// The root of `f` between `low` and `high`, to the last digits. If `f` does not change its sign, the end at which it is
/// closer to zero.
pub(super) fn root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut a, mut b) = (high, low);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa == 0.0 || fb == 0.0 || (fa > 0.0) == (fb > 0.0) {
        return if fa.abs() < fb.abs() { a } else { b };
    }
    let mut step = 0.5;
    for _ in 0..MOST_STEPS {
        let x = a + step * (b - a);
        let fx = f(x);
        let (c, fc);
        if (fx > 0.0) == (fa > 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, fx);
        let best = if fa.abs() < fb.abs() { a } else { b };
        let least = (2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE) / (b - a).abs();
        if least > 0.5 || fa == 0.0 {
            return best;
        }
        let (xi, phi) = ((a - b) / (c - b), (fa - fb) / (fc - fb));
        let curved = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
        let quadratic =
            fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
        step = if curved && quadratic.is_finite() { quadratic.clamp(least, 1.0 - least) } else { 0.5 };
    }
    if fa.abs() < fb.abs() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From scipy 1.17.1 (`norm.ppf`).
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let golden = [
            (0.5, 0.0),
            (0.6, 0.2533471031357997),
            (0.8, 0.8416212335729143),
            (0.95, 1.6448536269514722),
            (0.975, 1.959963984540054),
            (0.9995, 3.2905267314919255),
            (1e-6, -4.753424308822899),
            (1e-12, -7.034483825301131),
            (1e-200, -30.20559417957964),
        ];
        for (p, quantile) in golden {
            assert!((normal_quantile(p) - quantile).abs() <= 1e-15 * f64::abs(quantile) * 4.0, "{p}");
        }
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_quantile_undoes_the_distribution() {
        for step in 1..1000 {
            let p = f64::from(step) / 1000.0;
            assert!((normal_cdf(normal_quantile(p)) - p).abs() < 1e-15, "{p}");
        }
    }

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

    #[test]
    fn roots_are_found_to_the_last_digits() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - std::f64::consts::SQRT_2).abs() < 1e-15);
        assert!((root(|x| libm::log(x) + 30.0, 0.0, 1.0) / libm::exp(-30.0) - 1.0).abs() < 1e-13);
        let step = root(|x| if x < 0.3 { -1.0 } else { f64::INFINITY }, 0.0, 1.0);
        assert!((step - 0.3).abs() < 1e-15);
        // Flat almost everywhere, like the distribution of many trials.
        assert!((root(|x| libm::erfc(1e6 * (0.7 - x)) - 1.0, 0.0, 1.0) - 0.7).abs() < 1e-15);
    }

    #[test]
    fn without_a_change_of_sign_the_nearer_end_is_returned() {
        assert_eq!(root(|x| 1.0 + x, 0.0, 1.0), 0.0);
        assert_eq!(root(|x| x, 0.0, 1.0), 0.0);
    }
}
