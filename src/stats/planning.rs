//! The number of trials that a question needs.
//!
//! All numbers are rounded up, and assume that the number of trials is fixed in advance.

use super::beta::binomial_pmf;
use super::{Confidence, LEAST_FOR_NORMAL, mcnemar_exact, mcnemar_mid_p, normal_quantile};

/// The least number of pairs of games with which the exact sign test can be significant at 1 − level: if one side wins
/// them all.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, least_pairs};
/// assert_eq!(least_pairs(Confidence::new(0.95)), 6);
/// assert_eq!(least_pairs(Confidence::new(1.0 - 0.05 / 10.0)), 9);
/// ```
pub fn least_pairs(confidence: Confidence) -> u64 {
    least(confidence, |n| mcnemar_exact(0, n))
}

/// The least number of instances with which `McNemar`'s mid-p test can be significant at 1 − level: if one player
/// succeeds on all of them and the other on none.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, least_instances};
/// assert_eq!(least_instances(Confidence::new(0.95)), 5);
/// ```
pub fn least_instances(confidence: Confidence) -> u64 {
    least(confidence, |n| mcnemar_mid_p(0, n))
}

fn least(confidence: Confidence, p: impl Fn(u64) -> f64) -> u64 {
    (1..=u64::MAX).find(|&n| p(n) <= confidence.alpha()).expect("p halves with every unit")
}

/// The least number of pairs of games above `played` and below [`LEAST_FOR_NORMAL`] with which the exact sign test at 1 − level
/// finds a difference with probability `power`, if these fractions of the pairs are lost and won; `None` if that takes more.
///
/// # Panics
/// If a fraction is not a probability, or their sum is above 1.
///
/// # Example: of seven pairs five were lost and one was won
/// ```
/// use shikou::stats::{Confidence, pairs_for_sign_test};
/// assert_eq!(pairs_for_sign_test(1, [5.0 / 7.0, 1.0 / 7.0], 0.8, Confidence::new(0.95)), Some(20));
/// ```
pub fn pairs_for_sign_test(
    played: u64,
    [lost, won]: [f64; 2],
    power: f64,
    confidence: Confidence,
) -> Option<u64> {
    let decisive = won + lost;
    check(&[won, lost, decisive]);
    let rejected = |decided: u64| -> f64 {
        let found = (0..=decided).filter(|&won| mcnemar_exact(decided - won, won) <= confidence.alpha());
        found.map(|count| binomial_pmf(count, decided, won / decisive)).sum()
    };
    let power_of = |pairs: u64| -> f64 {
        (0..=pairs).map(|decided| binomial_pmf(decided, pairs, decisive) * rejected(decided)).sum()
    };
    (played + 1..LEAST_FOR_NORMAL).find(|&pairs| decisive > 0.0 && power_of(pairs) >= power)
}

/// The units for which the mean score, if it is `score` and the scores have this variance, differs from ½ at 1 − level
/// with probability `power`: (z_{α/2} + `z_β)²v/(s` − ½)².
///
/// # Panics
/// If the score or the power is not a probability, or the score is ½.
///
/// # Example: 55 % of the points, and a pair's score with a standard deviation of 0.3
/// ```
/// use shikou::stats::{Confidence, units_for_score};
/// assert_eq!(units_for_score(0.55, 0.09, 0.8, Confidence::new(0.95)), 283);
/// ```
pub fn units_for_score(score: f64, variance: f64, power: f64, confidence: Confidence) -> u64 {
    check(&[score]);
    assert!(score != 0.5, "a score of ½ cannot be distinguished from ½");
    up(((confidence.z() + z_of_power(power)) / (score - 0.5)).powi(2) * variance)
}

/// The trials for which the interval of a rate near `rate` has the half-width `half_width`: z²p(1−p)/E², or more if Wilson's
/// interval is wider with that number, as for a rate near 0 or 1. If nothing is known about the rate, use ½.
///
/// # Panics
/// If the rate is not in `[0, 1]` or the half-width is not positive.
///
/// # Example: ± 3 points
/// ```
/// use shikou::stats::{Confidence, trials_for_half_width};
/// assert_eq!(trials_for_half_width(0.5, 0.03, Confidence::new(0.95)), 1068);
/// ```
pub fn trials_for_half_width(rate: f64, half_width: f64, confidence: Confidence) -> u64 {
    check(&[rate]);
    assert!(half_width > 0.0, "a half-width must be positive, not {half_width}");
    let z = confidence.z();
    let variance = rate * (1.0 - rate);
    let is_wide = |n: f64| {
        let half = z * (variance / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
        half > half_width
    };
    // Wilson's half-width falls with n: z²/E² trials suffice.
    let (mut low, mut high) =
        (up(z * z * variance / (half_width * half_width)).max(1), up(z * z / (half_width * half_width)));
    while low < high {
        let middle = u64::midpoint(low, high);
        if is_wide(middle as f64) { low = middle + 1 } else { high = middle }
    }
    low
}

/// The trials for each of two independent players with these rates, so that a two-sided test at 1 − level detects
/// their difference with probability `power`: [z_{α/2}√(2p̄q̄) + `z_β√(p₁q₁` + p₂q₂)]²/(p₁ − p₂)².
///
/// # Panics
/// If a rate or the power is not strictly between 0 and 1, or the rates are equal.
pub fn trials_for_two_rates(first: f64, second: f64, power: f64, confidence: Confidence) -> u64 {
    check(&[first, second]);
    assert!(first != second, "equal rates cannot be distinguished");
    let mean = f64::midpoint(first, second);
    let null = (2.0 * mean * (1.0 - mean)).sqrt();
    let alternative = (first * (1.0 - first) + second * (1.0 - second)).sqrt();
    let sum = confidence.z() * null + z_of_power(power) * alternative;
    up((sum / (first - second)).powi(2))
}

/// The instances for a comparison of two players, if only the first succeeds on a fraction `only_first` of them and
/// only the second on `only_second`, so that `McNemar`'s test at 1 − level detects the difference with probability
/// `power`: [z_{α/2}√ψ + `z_β√(ψ` − δ²)]²/δ², with ψ the sum and δ the difference of the fractions (Connor 1987,
/// Biometrics 43), and never fewer than can be significant.
///
/// # Panics
/// If a fraction or the power is not a probability, the fractions are equal, or their sum is above 1.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, instances_for_paired_rates};
/// assert_eq!(instances_for_paired_rates(0.15, 0.05, 0.8, Confidence::new(0.95)), 155);
/// ```
pub fn instances_for_paired_rates(
    only_first: f64,
    only_second: f64,
    power: f64,
    confidence: Confidence,
) -> u64 {
    check(&[only_first, only_second, only_first + only_second]);
    assert!(only_first != only_second, "equal rates cannot be distinguished");
    let (psi, delta) = (only_first + only_second, only_first - only_second);
    let sum = confidence.z() * psi.sqrt() + z_of_power(power) * (psi - delta * delta).max(0.0).sqrt();
    up((sum / delta).powi(2)).max(least_instances(confidence))
}

/// The smallest difference of paired rates that `instances` instances detect with probability `power`, if a fraction
/// `discordant` of them is expected to be discordant. `None` if not even the largest possible difference is detected.
///
/// # Panics
/// If the fraction or the power is not a probability.
pub fn detectable_paired_difference(
    instances: u64,
    discordant: f64,
    power: f64,
    confidence: Confidence,
) -> Option<f64> {
    check(&[discordant]);
    // With n = [z_{α/2}√ψ + z_β√(ψ − δ²)]²/δ²: √n·δ − z_{α/2}√ψ = z_β√(ψ − δ²), a quadratic equation in δ.
    let (z, z_power, n) = (confidence.z(), z_of_power(power), instances as f64);
    let square = n + z_power * z_power;
    let half = z * (n * discordant).sqrt();
    let constant = (z * z - z_power * z_power) * discordant;
    let inside = half * half - square * constant;
    let delta = (half + inside.max(0.0).sqrt()) / square;
    (instances > 0 && delta <= discordant).then_some(delta)
}

fn z_of_power(power: f64) -> f64 {
    assert!(power > 0.0 && power < 1.0, "a power must be between 0 and 1, not {power}");
    normal_quantile(power)
}

fn check(rates: &[f64]) {
    assert!(rates.iter().all(|rate| (0.0..=1.0).contains(rate)), "a rate must be in [0, 1]: {rates:?}");
}

fn up(trials: f64) -> u64 {
    trials.ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_have_the_golden_values() {
        let confidence = Confidence::new(0.95);
        assert_eq!(trials_for_two_rates(0.5, 0.55, 0.8, confidence), 1565);
        assert_eq!(trials_for_two_rates(0.55, 0.5, 0.8, confidence), 1565);
        for (only_first, only_second, pairs) in [(0.15, 0.05, 155), (0.45, 0.05, 23), (0.2, 0.15, 1097)] {
            assert_eq!(instances_for_paired_rates(only_first, only_second, 0.8, confidence), pairs);
            assert_eq!(instances_for_paired_rates(only_second, only_first, 0.8, confidence), pairs);
        }
    }

    #[test]
    fn the_detectable_difference_needs_just_so_many() {
        let confidence = Confidence::new(0.95);
        for (n, psi) in [(155, 0.2), (1000, 0.3), (100_000, 0.01)] {
            let delta = detectable_paired_difference(n, psi, 0.8, confidence).unwrap();
            let (more, less) = (f64::midpoint(psi, delta), f64::midpoint(psi, -delta));
            assert!(instances_for_paired_rates(more, less, 0.8, confidence).abs_diff(n) <= 1, "{n} {psi}");
        }
        assert_eq!(detectable_paired_difference(5, 0.1, 0.8, confidence), None);
    }
}
