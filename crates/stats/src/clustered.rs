//! A success rate whose trials come in clusters.

use super::rate::wilson_limits;
use super::{Confidence, Estimate, Method};

/// The success rate of trials that are dependent within clusters, such as repeated searches of one deal: Wilson's interval
/// for the number of independent trials with the same variance. Each distinct cluster, as (successes, trials), is given
/// with its number of occurrences.
///
/// The variance of the rate p over n trials is (`1/n²)·Σ_c` (Σ_{i∈c} (`x_i` − p))². If all trials have the same result, or all
/// clusters the same rate, it is not informative, and the number of clusters counts.
///
/// # Panics
/// If a cluster has more successes than trials.
///
/// # Example: pairs of games, of which 0, 1 or 2 were won
/// ```
/// use shikou::stats::{Confidence, clustered_rate_of_counts, wilson};
/// let confidence = Confidence::new(0.95);
/// // One game of every pair was won: this is more informative than 200 single games.
/// let won = clustered_rate_of_counts(&[((0, 2), 1), ((1, 2), 98), ((2, 2), 1)], confidence);
/// assert_eq!(won.value, 0.5);
/// assert!((won.low - wilson(2500, 5000, confidence).low).abs() < 1e-9);
/// ```
pub fn clustered_rate_of_counts(counts: &[((u64, u64), u64)], confidence: Confidence) -> Estimate {
    let (mut successes, mut trials) = (0, 0);
    for &((k, n), count) in counts {
        assert!(k <= n, "{k} successes in {n} trials");
        successes += k * count;
        trials += n * count;
    }
    if trials == 0 {
        return Estimate { value: 0.0, low: 0.0, high: 1.0, method: Method::None };
    }
    let n = trials as f64;
    let value = successes as f64 / n;
    let square = |&((k, n), count): &((u64, u64), u64)| count as f64 * (k as f64 - n as f64 * value).powi(2);
    let squares: f64 = counts.iter().map(square).sum();
    let variance = squares / (n * n);
    let independent = value * (1.0 - value) / n;
    let effective_trials = if independent > 0.0 && variance > 0.0 {
        n / (variance / independent)
    } else {
        counts.iter().filter(|((_, trials), _)| *trials > 0).map(|(_, count)| *count as f64).sum()
    };
    let (low, high) = wilson_limits(value, effective_trials, confidence);
    Estimate { value, low, high, method: Method::WilsonClustered }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wilson;

    /// The clusters have the interval of this many independent trials.
    fn agrees(counts: &[((u64, u64), u64)], successes: u64, trials: u64) {
        let confidence = Confidence::new(0.95);
        let clustered = clustered_rate_of_counts(counts, confidence);
        let plain = wilson(successes, trials, confidence);
        assert!(
            (clustered.low - plain.low).abs() < 1e-12 && (clustered.high - plain.high).abs() < 1e-12,
            "{clustered:?} {plain:?}"
        );
    }

    #[test]
    fn clusters_of_one_are_independent_trials() {
        agrees(&[((1, 1), 37), ((0, 1), 63)], 37, 100);
    }

    #[test]
    fn repetitions_that_agree_are_one_trial() {
        agrees(&[((4, 4), 3), ((0, 4), 2)], 3, 5);
    }

    /// By hand: p = 6/12, and the clusters' sums of deviations are 1, 0 and −1. So the variance is 2/144, and of n
    /// independent trials it is 0.25/n: n = 18.
    #[test]
    fn the_variance_is_that_of_the_definition() {
        agrees(&[((3, 4), 1), ((2, 4), 1), ((1, 4), 1)], 9, 18);
    }

    #[test]
    fn without_variance_the_clusters_are_counted() {
        agrees(&[((4, 4), 2), ((0, 0), 1)], 2, 2);
        agrees(&[((1, 2), 2)], 1, 2);
        assert_eq!(clustered_rate_of_counts(&[], Confidence::new(0.95)).method, Method::None);
    }
}
