//! Optimisations of two folders, compared by what their best candidates are worth in games that did not choose them.

use serde::Serialize;

use super::Summary;
use super::compared::Compared;
use super::optimisation::{OptimisationRunSummary, OptimisationSummary};
use crate::stats::{Confidence, Estimate, Moments, difference_of, mean_interval};

/// An optimisation that both folders have, by its name, and its difference: the second less the first.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedOptimisation {
    /// Its name.
    pub name: String,
    /// Runs of the same name that have ended in both, in the order of the first.
    pub runs: Vec<ComparedRun>,
    /// Runs that have ended in the first folder only.
    pub only_first: u64,
    /// Runs that have ended in the second folder only.
    pub only_second: u64,
    /// The mean difference of two runs or more, which are pairs: they share their settings and seeds. With Student's
    /// interval, so that each run is one observation.
    pub mean: Option<Estimate>,
}

/// A run of the same name in both folders.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun {
    /// Its name.
    pub name: String,
    /// The games that are compared: `judge`, or `again`, new games against the opponents of the fitness.
    pub of: &'static str,
    /// Points a game in the first folder and in the second.
    pub points: [f64; 2],
    /// Their difference, for independent games.
    pub difference: Estimate,
}

impl Compared {
    /// The same with the optimisations of two summaries.
    #[must_use]
    pub fn with_optimisations(self, first: &Summary, second: &Summary) -> Self {
        let compare = |before: &OptimisationSummary| {
            let after = second.optimisations.iter().find(|after| after.name == before.name)?;
            (after.for_two == before.for_two).then(|| ComparedOptimisation::new(before, after))
        };
        Self { optimisations: first.optimisations.iter().filter_map(compare).collect(), ..self }
    }
}

impl ComparedOptimisation {
    fn new(before: &OptimisationSummary, after: &OptimisationSummary) -> Self {
        let ended = |of: &OptimisationSummary| of.runs.iter().filter(|run| run.complete).count() as u64;
        let find = |name: &str| after.runs.iter().find(|run| run.complete && run.name == name);
        let both: Vec<_> = before
            .runs
            .iter()
            .filter(|run| run.complete)
            .filter_map(|run| Some((run, find(&run.name)?)))
            .collect();
        let runs: Vec<ComparedRun> =
            both.iter().filter_map(|(before, after)| ComparedRun::new(before, after)).collect();
        let moments: Moments = runs.iter().map(|run| run.difference.value).collect();
        let shared = both.len() as u64;
        Self {
            name: before.name.clone(),
            only_first: ended(before) - shared,
            only_second: ended(after) - shared,
            mean: (runs.len() > 1).then(|| mean_interval(&moments, Confidence::default_level())),
            runs,
        }
    }
}

impl ComparedRun {
    /// `None` if they were measured against other players.
    fn new(before: &OptimisationRunSummary, after: &OptimisationRunSummary) -> Option<Self> {
        let names = |run: &OptimisationRunSummary| -> Vec<String> {
            run.judges.iter().map(|(name, _)| name.clone()).collect()
        };
        let (of, first, second) = match (before.judge, after.judge) {
            (Some(first), Some(second)) if names(before) == names(after) => ("judge", first, second),
            _ => ("again", before.again?, after.again?),
        };
        Some(Self {
            name: before.name.clone(),
            of,
            points: [first.value, second.value],
            difference: difference_of(&second, &first),
        })
    }
}
