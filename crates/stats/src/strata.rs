//! The sum of the means of fixed strata.

use super::factorial::student_quantile_of;
use super::{Confidence, Estimate, Method, Moments};

/// The sum of the means of strata that are fixed, such as the boards of a list, with Student's interval: only what varies
/// within a stratum is chance. Its standard error is √(Σ variance/n), with Satterthwaite's degrees of freedom,
/// (Σ v)²/Σ (v²/(n − 1)) of the parts v = variance/n.
///
/// A stratum with fewer than two values says nothing of chance: then there is no interval, nor if none varies.
///
/// # References
/// Satterthwaite 1946, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2(6).
///
/// # Example: two boards in two rounds
/// ```
/// use shikou::stats::{Confidence, Moments, total_interval};
/// let boards: [Moments; 2] = [[10.0, 14.0], [1.0, 5.0]].map(|scores| scores.into_iter().collect());
/// let total = total_interval(&boards, Confidence::new(0.95));
/// // The variance of each mean is 4, so the degrees of freedom are 8²/(16 + 16) = 2.
/// assert_eq!(total.value, 15.0);
/// assert!((total.high - (15.0 + 4.302653 * 8.0_f64.sqrt())).abs() < 1e-5);
/// ```
pub fn total_interval(strata: &[Moments], confidence: Confidence) -> Estimate {
    let value = strata.iter().map(Moments::mean).sum();
    let parts = strata.iter().map(|of| (of.variance() / of.count() as f64, of.count()));
    let variance: f64 = parts.clone().map(|(part, _)| part).sum();
    if variance == 0.0 || strata.iter().any(|of| of.count() < 2) {
        return Estimate::of(value);
    }
    let squares: f64 = parts.map(|(part, count)| part * part / (count - 1) as f64).sum();
    let half = student_quantile_of(variance * variance / squares, confidence) * variance.sqrt();
    Estimate::around(value, half, Method::StudentT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// Boards whose scores differ a hundred times more than the rounds of one do not widen the interval.
    #[test]
    fn it_covers_the_total_of_fixed_boards() {
        let mut rng = (Stream::new(1) / "strata").rng();
        let (repetitions, mut covered, mut widest) = (2000, 0, 0.0_f64);
        for _ in 0..repetitions {
            let scores = |board: u32| {
                let spread = f64::from(1 + board % 3);
                let mut noise =
                    || (0..12).map(|_| rng.below(1 << 20) as f64 / f64::from(1 << 20)).sum::<f64>() - 6.0;
                (0..4).map(|_| f64::from(100 * board) + spread * noise()).collect()
            };
            let boards: Vec<Moments> = (0..10).map(scores).collect();
            let total = total_interval(&boards, Confidence::new(0.95));
            covered += u32::from((total.low..=total.high).contains(&4500.0));
            widest = widest.max(total.high - total.low);
        }
        let share = f64::from(covered) / f64::from(repetitions);
        assert!((0.94..0.965).contains(&share) && widest < 30.0, "{share} {widest}");
    }

    #[test]
    fn one_round_has_a_total_and_no_interval() {
        let once: [Moments; 2] = [[10.0], [5.0]].map(|scores| scores.into_iter().collect());
        let total = total_interval(&once, Confidence::new(0.95));
        assert_eq!((total.value, total.method), (15.0, Method::None));
    }
}
