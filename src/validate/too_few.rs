//! The test whether a sample is too small for any verdict.
//!
//! Rejected: calling it agreement if the intervals overlap. A sample that cannot differ cannot agree either.

use super::found::{Found, Sample};
use super::published::Published;
use super::verdict::Verdict;
use crate::report::with_thousands;
use crate::stats::{Confidence, PairedCounts, clopper_pearson};

/// The smallest number of values for which the normal interval of a mean is trusted.
const FEWEST_VALUES: u64 = 30;

/// If all values are equal, unseen values are assumed to be at most this many times as far away as max(|value|, 1).
const FARTHEST: f64 = 100.0;

/// A number of trials that is practically infinite.
const MANY: u64 = 1_000_000_000;

/// Returns the reason why a sample cannot support a verdict, or `None` if it can. `verdict` judges a result.
///
/// A rate or paired difference is too small if every outcome of this many trials has the same verdict, but some outcome
/// of a very large number has another. A mean is too small if ours or the published one has fewer than 30 values, or if
/// all our values are equal, so that there is no interval, and values not seen yet could change the verdict.
pub(super) fn too_few(
    published: &Published,
    found: &Found,
    confidence: Confidence,
    verdict: impl Fn(&Found) -> Verdict,
) -> Option<String> {
    if let Found::Mean(sample) = found {
        let wider = || verdict(&Found::Mean(with_the_unseen(*sample, confidence)));
        return match published {
            _ if sample.count < FEWEST_VALUES => Some(format!(
                "a mean of n = {} has no interval; at least {FEWEST_VALUES} values are needed",
                sample.count
            )),
            Published::Mean { trials, .. } if *trials < FEWEST_VALUES => Some(format!(
                "the published mean of n = {trials} has no interval; at least {FEWEST_VALUES} values are needed"
            )),
            _ if sample.variance == 0.0 && wider() != verdict(found) => {
                let count = with_thousands(sample.count);
                Some(format!("all n = {count} values are equal, so their mean has no interval"))
            }
            _ => None,
        };
    }
    let (trials, extremes) = (found.trials()?, extremes(found)?);
    let own = verdict(found);
    let is_settled = |trials: u64| extremes(trials).iter().all(|outcome| verdict(outcome) == own);
    (is_settled(trials) && !is_settled(MANY))
        .then(|| format!("no outcome of n = {} could have changed the verdict", with_thousands(trials)))
}

/// The lowest and the highest outcome of a number of trials. The ends of all intervals here increase with the outcome. So
/// if both extremes have the same verdict, all outcomes between them do, or all on one side of the published figure.
fn extremes(found: &Found) -> Option<fn(u64) -> [Found; 2]> {
    match found {
        Found::Rate { .. } => Some(|trials| [0, trials].map(|successes| Found::Rate { successes, trials })),
        Found::Paired(_) => Some(|trials| {
            [(0, trials), (trials, 0)].map(|(only_first, only_second)| {
                Found::Paired(PairedCounts { both: 0, only_first, only_second, neither: 0 })
            })
        }),
        Found::Exact(_) | Found::Mean(_) | Found::Missing(_) => None,
    }
}

/// The equal values, with the variance of values that may exist but were not seen: the largest fraction that the
/// Clopper–Pearson interval allows, at the largest assumed distance.
fn with_the_unseen(sample: Sample, confidence: Confidence) -> Sample {
    let part = clopper_pearson(0, sample.count, confidence).high;
    let deviation = part * FARTHEST * sample.mean.abs().max(1.0) / confidence.z();
    Sample { variance: deviation * deviation * sample.count as f64, ..sample }
}
