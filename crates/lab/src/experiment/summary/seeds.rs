//! The runs of a sweep that differ only in their seed, as one, of an optimisation or of trainings.

use super::{NetworkErrors, OptimisationRunSummary, OptimisationSummary, SEED, TrainingSummary};
use crate::learn::Errors;
use crate::stats::{Confidence, Estimate, Moments, mean_interval};

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

    /// The worth in games that did not choose its candidates.
    pub fn held_out(&self) -> f64 {
        self.judge.or(self.again).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
    }
}

/// Trainings that differ only in their seed.
#[derive(Clone, Debug)]
pub struct TrainingSetting {
    /// The values that the sweep chose, without the seed, as `key=value`; "all" if only the seed was swept.
    pub name: String,
    /// How many trainings have ended.
    pub ended: usize,
    /// How many there are.
    pub of: usize,
    /// The errors on each set of samples, by the name of the set.
    pub sets: Vec<(&'static str, SetOfSeeds)>,
    /// The points a game against the judge: the mean over the seeds, with Student's interval.
    pub judge: Option<Estimate>,
}

/// The errors on a set of samples, over the seeds.
#[derive(Clone, Debug)]
pub struct SetOfSeeds {
    /// The mean squared error: its mean over the seeds, with Student's interval.
    pub squared: Estimate,
    /// The least and the largest.
    pub range: [f64; 2],
    /// The mean absolute error: its mean over the seeds.
    pub absolute: f64,
}

impl TrainingSetting {
    /// The settings of the trainings of one sweep, in their order.
    pub fn all(trainings: &[&TrainingSummary]) -> Vec<Self> {
        let groups = by_setting(trainings.iter().copied(), |training| &training.swept);
        groups.into_iter().map(|(name, group)| Self::new(name, &group)).collect()
    }

    fn new(name: String, trainings: &[&TrainingSummary]) -> Self {
        let ended: Vec<_> = trainings.iter().filter(|training| training.complete).collect();
        let judge: Option<Moments> =
            ended.iter().map(|training| Some(training.curve.last()?.points.value)).collect();
        let sets = SETS.iter().filter_map(|&(name, of)| {
            let errors = ended.iter().map(|training| of(training.errors.as_ref()?));
            Some((name, SetOfSeeds::new(&errors.collect::<Option<Vec<_>>>()?)?))
        });
        Self {
            name,
            ended: ended.len(),
            of: trainings.len(),
            sets: sets.collect(),
            judge: judge
                .filter(|_| !ended.is_empty())
                .map(|moments| mean_interval(&moments, Confidence::default_level())),
        }
    }
}

type Of = fn(&NetworkErrors) -> Option<Errors>;

/// The sets of samples, with their names in reports.
pub const SETS: [(&str, Of); 4] = [
    ("training", |errors| Some(errors.training)),
    ("tuning", |errors| errors.tuning),
    ("held out", |errors| errors.held_out),
    ("held out, by the mean", |errors| errors.mean),
];

impl SetOfSeeds {
    fn new(errors: &[Errors]) -> Option<Self> {
        let (first, squared) = (errors.first()?, errors.iter().map(|errors| errors.squared));
        let moments: Moments = squared.clone().collect();
        let absolute: Moments = errors.iter().map(|errors| errors.absolute).collect();
        Some(Self {
            squared: mean_interval(&moments, Confidence::default_level()),
            range: squared
                .fold([first.squared; 2], |[least, most], error| [least.min(error), most.max(error)]),
            absolute: absolute.mean(),
        })
    }
}
