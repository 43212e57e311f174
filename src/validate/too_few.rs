//! Whether a sample is too small to tell anything, whatever came out.
//!
//! Rejected: to call it agreement where the intervals merely meet, because what cannot differ cannot agree either.

use super::found::Found;
use super::verdict::Verdict;
use crate::report::with_thousands;
use crate::stats::PairedCounts;

/// As good as infinitely many trials.
const MANY: u64 = 1_000_000_000;

/// Why a verdict says nothing, or `None` where it does; `verdict` judges what was found.
///
/// Rates and paired differences: no outcome of so many trials would have been judged in another way, and some outcome of
/// very many would.
pub(super) fn too_few(found: &Found, verdict: impl Fn(&Found) -> Verdict) -> Option<String> {
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
