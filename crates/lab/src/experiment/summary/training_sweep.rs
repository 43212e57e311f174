//! The trainings of one sweep: settings, each with the errors of its seeds.

use super::seeds::by_setting;
use super::training::{NetworkErrors, TrainingSummary};
use crate::learn::Errors;
use crate::stats::{Confidence, Estimate, Moments, mean_interval};

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

/// Finds the errors on a set of samples.
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
