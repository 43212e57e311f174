//! The normal distribution.
//!
//! The error function comes from `libm`, and the quantile from Wichura's AS 241 over `libm`'s logarithm, so the digits
//! are the same on every machine. Rejected: `statrs`, whose quantile uses the platform's logarithm as soon as any other
//! crate in the build enables it.

use std::f64::consts::FRAC_1_SQRT_2;

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
}
