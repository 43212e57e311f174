//! A success rate whose trials come in clusters.

use serde::Serialize;

use super::rate::wilson_limits;
use super::{Confidence, Estimate, Method};

/// A success rate of trials that are dependent within clusters, such as repeated searches of one deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClusteredRate {
    /// The rate with Wilson's interval for the effective number of trials.
    pub rate: Estimate,
    /// The standard error √((`1/n²)·Σ_c` (Σ_{i∈c} (`x_i` − p))²).
    pub standard_error: f64,
    /// The factor by which clustering increases the variance: SE² over p(1−p)/n. 1 if all trials have the same result.
    pub design_effect: f64,
    /// The number of independent trials with the same variance: n/design effect. If all trials have the same result, or all
    /// clusters the same rate, the variance is not informative, and this is the number of clusters.
    pub effective_trials: f64,
}

/// The success rate over clusters, each given as (successes, trials).
///
/// # Panics
/// If a cluster has more successes than trials.
///
/// # Example: five deals, searched four times each
/// ```
/// use shikou::stats::{Confidence, clustered_rate};
/// // The repetitions agree on every deal: this is five results and not twenty.
/// let clustered = clustered_rate(&[(4, 4), (0, 4), (4, 4), (4, 4), (0, 4)], Confidence::new(0.95));
/// assert_eq!(clustered.rate.value, 0.6);
/// assert!((clustered.effective_trials - 5.0).abs() < 1e-12);
/// ```
pub fn clustered_rate(clusters: &[(u64, u64)], confidence: Confidence) -> ClusteredRate {
    let each_once: Vec<_> = clusters.iter().map(|&cluster| (cluster, 1)).collect();
    clustered_rate_of_counts(&each_once, confidence)
}

/// The success rate over clusters, each distinct cluster given once with its number of occurrences.
///
/// # Panics
/// If a cluster has more successes than trials.
///
/// # Example: pairs of games, of which 0, 1 or 2 were won
/// ```
/// use shikou::stats::{Confidence, clustered_rate_of_counts};
/// // One game of every pair was won: this is more informative than 200 single games.
/// let won = clustered_rate_of_counts(&[((0, 2), 1), ((1, 2), 98), ((2, 2), 1)], Confidence::new(0.95));
/// assert_eq!(won.rate.value, 0.5);
/// assert!((won.effective_trials - 5000.0).abs() < 1e-6);
/// ```
pub fn clustered_rate_of_counts(counts: &[((u64, u64), u64)], confidence: Confidence) -> ClusteredRate {
    let (mut successes, mut trials) = (0, 0);
    for &((k, n), count) in counts {
        assert!(k <= n, "{k} successes in {n} trials");
        successes += k * count;
        trials += n * count;
    }
    if trials == 0 {
        let rate = Estimate { value: 0.0, low: 0.0, high: 1.0, method: Method::None };
        return ClusteredRate { rate, standard_error: 0.0, design_effect: 1.0, effective_trials: 0.0 };
    }
    let n = trials as f64;
    let value = successes as f64 / n;
    let square = |&((k, n), count): &((u64, u64), u64)| count as f64 * (k as f64 - n as f64 * value).powi(2);
    let squares: f64 = counts.iter().map(square).sum();
    let variance = squares / (n * n);
    let independent = value * (1.0 - value) / n;
    let design_effect = if independent == 0.0 { 1.0 } else { variance / independent };
    let says_something = independent > 0.0 && variance > 0.0;
    let effective_trials = if says_something {
        n / design_effect
    } else {
        counts.iter().filter(|((_, trials), _)| *trials > 0).map(|(_, count)| *count as f64).sum()
    };
    let (low, high) = wilson_limits(value, effective_trials, confidence);
    let rate = Estimate { value, low, high, method: Method::WilsonClustered };
    ClusteredRate { rate, standard_error: variance.sqrt(), design_effect, effective_trials }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;

    #[test]
    fn clusters_of_one_are_independent_trials() {
        let confidence = Confidence::new(0.95);
        let clusters: Vec<_> = (0..100).map(|i| (u64::from(i < 37), 1)).collect();
        let clustered = clustered_rate(&clusters, confidence);
        let plain = wilson(37, 100, confidence);
        assert!((clustered.design_effect - 1.0).abs() < 1e-12);
        assert!(
            (clustered.rate.low - plain.low).abs() < 1e-12
                && (clustered.rate.high - plain.high).abs() < 1e-12
        );
    }

    /// By hand: p = 6/12, the clusters' sums of deviations are 1, 0 and −1, so SE² = 2/144.
    #[test]
    fn the_standard_error_is_that_of_the_definition() {
        let clustered = clustered_rate(&[(3, 4), (2, 4), (1, 4)], Confidence::new(0.95));
        assert!((clustered.standard_error - (2.0_f64 / 144.0).sqrt()).abs() < 1e-15);
        assert!((clustered.design_effect - (2.0 / 144.0) / (0.25 / 12.0)).abs() < 1e-12);
    }

    #[test]
    fn without_variance_the_clusters_are_counted() {
        let clustered = clustered_rate(&[(4, 4), (4, 4), (0, 0)], Confidence::new(0.95));
        assert_eq!((clustered.effective_trials, clustered.rate.high), (2.0, 1.0));
        assert!(clustered.rate.low > 0.0);
        assert_eq!(clustered_rate(&[], Confidence::new(0.95)).rate.method, Method::None);
        assert_eq!(clustered_rate(&[(1, 2), (1, 2)], Confidence::new(0.95)).effective_trials, 2.0);
    }
}
