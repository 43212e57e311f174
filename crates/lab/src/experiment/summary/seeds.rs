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

/// Groups that differ only in their seed, each in the order of its first member and with its name: the values that a sweep chose,
/// without the seed, as `key=value`, or "all" if only the seed was swept.
pub(super) fn by_setting<'r, T>(
    all: impl Iterator<Item = &'r T>,
    swept: fn(&T) -> &[(String, String)],
) -> Vec<(String, Vec<&'r T>)> {
    let mut groups: Vec<(String, Vec<&T>)> = Vec::new();
    for of in all {
        let values = swept(of).iter().filter(|(key, _)| key != SEED);
        let name = values.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { "all".into() } else { name };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(of),
            None => groups.push((name, vec![of])),
        }
    }
    groups
}

impl OptimisationSummary {
    /// The settings in the order of the runs, of those runs that have ended; none unless each has several seeds.
    pub fn settings(&self) -> Vec<Setting> {
        let groups = by_setting(self.runs.iter().filter(|run| run.complete), |run| &run.swept);
        if groups.iter().any(|(_, group)| group.len() < 2) {
            return Vec::new();
        }
        groups.into_iter().map(|(name, group)| Setting::new(name, &group)).collect()
    }
}

impl Setting {
    fn new(name: String, runs: &[&OptimisationRunSummary]) -> Self {
        let moments = |of: &dyn Fn(&OptimisationRunSummary) -> Option<f64>| -> Option<Moments> {
            runs.iter().map(|run| of(run)).collect()
        };
        let mean = |of: &dyn Fn(&OptimisationRunSummary) -> Option<f64>| {
            moments(of).map(|moments| mean_interval(&moments, Confidence::default_level()))
        };
        Self {
            name,
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
