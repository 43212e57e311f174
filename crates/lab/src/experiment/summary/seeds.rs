//! Runs of an optimisation that differ only in their seed, as one: repetitions of the same setting.

use super::optimisation::{OptimisationRunSummary, OptimisationSummary};
use crate::stats::{Confidence, Estimate, Moments, mean_interval};

/// Runs that differ by this key only repeat each other.
pub(super) const SEED: &str = "seed";

/// The runs of a setting with several seeds.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The values that a sweep chose, without the seed, as `key=value`; "all" if only the seed was swept.
    pub name: String,
    /// How many seeds it has.
    pub seeds: usize,
    /// Means over the seeds, with Student's interval: points a game that the fitness saw, in new games, against the judge.
    pub seen: Option<Estimate>,
    /// The same in new games against the same opponents.
    pub again: Option<Estimate>,
    /// The same against the judge.
    pub judge: Option<Estimate>,
    /// The mean heredity.
    pub heredity: Option<f64>,
    /// The mean number of kept candidates that are selected again.
    pub survivors: Option<f64>,
}

/// The values of a run without its seed.
fn values(run: &OptimisationRunSummary) -> Vec<&(String, String)> {
    run.swept.iter().filter(|(key, _)| key != SEED).collect()
}

impl OptimisationSummary {
    /// The settings in the order of the runs, of those runs that have ended; none unless each has several seeds.
    pub fn settings(&self) -> Vec<Setting> {
        let mut groups: Vec<Vec<&OptimisationRunSummary>> = Vec::new();
        for run in self.runs.iter().filter(|run| run.complete) {
            match groups.iter_mut().find(|group| values(group[0]) == values(run)) {
                Some(group) => group.push(run),
                None => groups.push(vec![run]),
            }
        }
        if groups.iter().any(|group| group.len() < 2) {
            return Vec::new();
        }
        groups.iter().map(|group| Setting::new(group)).collect()
    }
}

impl Setting {
    fn new(runs: &[&OptimisationRunSummary]) -> Self {
        let name: Vec<String> = values(runs[0]).iter().map(|(key, value)| format!("{key}={value}")).collect();
        let moments = |of: &dyn Fn(&OptimisationRunSummary) -> Option<f64>| -> Option<Moments> {
            runs.iter().map(|run| of(run)).collect()
        };
        let mean = |of: &dyn Fn(&OptimisationRunSummary) -> Option<f64>| {
            moments(of).map(|moments| mean_interval(&moments, Confidence::default_level()))
        };
        Self {
            name: if name.is_empty() { "all".into() } else { name.join(" ") },
            seeds: runs.len(),
            seen: mean(&|run| run.seen),
            again: mean(&|run| Some(run.again?.value)),
            judge: mean(&|run| Some(run.judge?.value)),
            heredity: moments(&|run| run.heredity).map(|moments| moments.mean()),
            survivors: moments(&|run| run.survivors).map(|moments| moments.mean()),
        }
    }

    /// What it is worth in games that did not choose its candidates.
    pub fn held_out(&self) -> f64 {
        self.judge.or(self.again).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
    }
}
