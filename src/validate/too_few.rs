//! Whether a sample is too small to tell anything, whatever came out.
//!
//! Rejected: to call it agreement where the intervals merely meet, because what cannot differ cannot agree either.

use super::found::{Found, Sample};
use super::published::Published;
use super::verdict::Verdict;
use crate::report::with_thousands;
use crate::stats::{Confidence, PairedCounts, clopper_pearson};

/// A mean of fewer values has no normal interval that could be trusted.
const FEWEST_VALUES: u64 = 30;

/// Where all values were equal, others lie at most so many times as far away as the value itself, or as 1.
const FARTHEST: f64 = 100.0;

/// As good as infinitely many trials.
const MANY: u64 = 1_000_000_000;

/// Why a verdict says nothing, or `None` where it does; `verdict` judges what was found.
///
/// Rates and paired differences: no outcome of so many trials would have been judged in another way, and some outcome of
/// very many would. Means: there are fewer than 30 values, here or there; or all of ours are equal, so that they have no
/// interval, and values that were not met could turn the verdict.
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
                "a mean of n = {} has no interval; it takes {FEWEST_VALUES} values",
                sample.count
            )),
            Published::Mean { trials, .. } if *trials < FEWEST_VALUES => Some(format!(
                "the published mean of n = {trials} has no interval; it takes {FEWEST_VALUES} values"
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

/// The lowest and the highest outcome of so many trials. The ends of every interval here move up with the outcome, so a
/// verdict that both have is that of all between, or of all that lie on one side of what was published.
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

/// Equal values with a variance for what was not met among them: as large a part as the interval of Clopper and Pearson
/// allows, as far away as may be.
fn with_the_unseen(sample: Sample, confidence: Confidence) -> Sample {
    let part = clopper_pearson(0, sample.count, confidence).high;
    let deviation = part * FARTHEST * sample.mean.abs().max(1.0) / confidence.z();
    Sample { variance: deviation * deviation * sample.count as f64, ..sample }
}
