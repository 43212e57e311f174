//! The number of trials that a question needs.
//!
//! All numbers are rounded up, and assume that the number of trials is fixed in advance.

use super::distribution::beta_cdf;
use super::factorial::student_quantile;
use super::{Confidence, MatchCounts, mcnemar_asymptotic, mcnemar_exact, normal_quantile};

/// The least number of pairs of games with which the [test](super::score_test) of ½ can be significant at 1 − level: if one side
/// wins them all.
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

/// The least number of instances with which `McNemar`'s test can be significant at 1 − level: if one player succeeds on all of
/// them and the other on none.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, least_instances};
/// assert_eq!(least_instances(Confidence::new(0.95)), 4);
/// ```
pub fn least_instances(confidence: Confidence) -> u64 {
    least(confidence, |n| mcnemar_asymptotic(0, n))
}

fn least(confidence: Confidence, p: impl Fn(u64) -> f64) -> u64 {
    (1..=u64::MAX).find(|&n| p(n) <= confidence.alpha()).expect("p halves with every unit")
}

/// The number of units, more than these, with which the [test](super::score_test) of ½ at 1 − level finds a difference with
/// probability `power`, if the scores stay distributed as they are; `None` if the score is ½. Approximate: the mean is taken as
/// normal.
///
/// # Panics
/// If the power is not strictly between 0 and 1, or nothing was counted.
///
/// # Example: 55 % of the points with 40 pairs, and four pairs that were all won
/// ```
/// use shikou::stats::{Confidence, MatchCounts, units_to_show};
/// let needed = |counts| units_to_show(&MatchCounts::pairs(counts), 0.8, Confidence::new(0.95));
/// assert_eq!(needed([2, 0, 32, 0, 6]), Some(164));
/// assert_eq!(needed([0, 0, 0, 0, 4]), Some(6));
/// ```
pub fn units_to_show(counts: &MatchCounts, power: f64, confidence: Confidence) -> Option<u64> {
    let (score, z) = (counts.score(), z_of_power(power));
    if score == 0.5 {
        return None;
    }
    let variance = counts.variance();
    let shows = |units: u64| {
        let n = units as f64;
        if variance == 0.0 {
            let lost = n * score.min(1.0 - score);
            return 2.0 * beta_cdf(n - lost, lost + 1.0, 0.5) <= confidence.alpha();
        }
        // As score intervals do: the scores more often, and two more, 0 and 1.
        let centre = (n * score + 1.0) / (n + 2.0);
        let squares = n * (variance + (score - centre).powi(2)) + centre.powi(2) + (1.0 - centre).powi(2);
        let error = (squares / (n + 1.0) / n).sqrt();
        (centre - 0.5).abs() / error >= student_quantile(units - 1, confidence) + z
    };
    let mut high = counts.total() + 1;
    let mut low = high;
    while !shows(high) && high < 1 << 60 {
        (low, high) = (high + 1, 2 * high);
    }
    while low < high {
        let middle = u64::midpoint(low, high);
        if shows(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

/// The smallest mean difference, in standard deviations of the differences, that Student's paired test at 1 − level finds with
/// probability `power` on this many instances: (t + `z_β)/√n`. Approximate for few instances; infinite for fewer than two.
///
/// # Panics
/// If the power is not strictly between 0 and 1.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, detectable_mean_difference};
/// assert!((detectable_mean_difference(100, 0.8, Confidence::new(0.95)) - 0.282584).abs() < 1e-6);
/// ```
pub fn detectable_mean_difference(instances: u64, power: f64, confidence: Confidence) -> f64 {
    if instances < 2 {
        return f64::INFINITY;
    }
    (student_quantile(instances - 1, confidence) + z_of_power(power)) / (instances as f64).sqrt()
}

/// The least number of instances on which [`detectable_mean_difference`] is at most `size`, a difference in its standard
/// deviations. `None` if the size is 0, or so small that no possible number is enough.
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, instances_for_mean_difference};
/// assert_eq!(instances_for_mean_difference(-0.5, 0.8, Confidence::new(0.95)), Some(34));
/// ```
pub fn instances_for_mean_difference(size: f64, power: f64, confidence: Confidence) -> Option<u64> {
    let is_found = |n: u64| detectable_mean_difference(n, power, confidence) <= size.abs();
    let (mut low, mut high) = (2, 1 << 40);
    if !is_found(high) {
        return None;
    }
    while low < high {
        let middle = u64::midpoint(low, high);
        if is_found(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
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

/// The pairs of games with which a two-sided test of `scores[0]` points a game at 1 − level finds with probability `power` that they are
/// `scores[1]`, if the points of a pair, in `[0, 1]`, have these variances: [z_{α/2}√v₀ + `z_β√v₁`]²/(s₁ − s₀)², and never fewer than can
/// be significant.
///
/// # Panics
/// If a variance is negative, the scores are equal, or the power is not strictly between 0 and 1.
///
/// # Example: 0.52 against 0.5, without draws
/// ```
/// use shikou::stats::{Confidence, pairs_for_scores, pair_variance};
/// let variances = [0.5, 0.52].map(|score| pair_variance(score, 0.0).unwrap());
/// assert_eq!(pairs_for_scores([0.5, 0.52], variances, 0.8, Confidence::new(0.95)), 2452);
/// ```
pub fn pairs_for_scores(scores: [f64; 2], variances: [f64; 2], power: f64, confidence: Confidence) -> u64 {
    assert!(scores[0] != scores[1], "equal scores cannot be distinguished");
    assert!(variances.iter().all(|variance| *variance >= 0.0), "a variance is not negative: {variances:?}");
    let [null, alternative] = variances.map(f64::sqrt);
    let sum = confidence.z() * null + z_of_power(power) * alternative;
    up((sum / (scores[1] - scores[0])).powi(2)).max(least_pairs(confidence))
}

/// The variance of the points of a pair of independent games, if a share `drawn` of games is drawn and the points a game are `score`:
/// (s(1 − s) − d/4)/2. `None` if so many draws are not possible with this score.
pub fn pair_variance(score: f64, drawn: f64) -> Option<f64> {
    (drawn / 2.0 <= score.min(1.0 - score)).then(|| (score * (1.0 - score) - drawn / 4.0) / 2.0)
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
