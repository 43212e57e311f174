//! Estimates, intervals and tests: a pure function of plan and records, folded one record at a time.
//!
//! The memory of the fold is bounded by cells and players, not by trials, except for a hash of each distinct game.

mod beginnings;
mod compared;
mod crossing;
mod difference;
mod experiment;
mod experiment_fold;
mod findings;
mod meeting;
mod optimisation;
mod player;
mod reference;
mod seeds;
mod sides;
mod training;
mod warning;

use serde::{Deserialize, Serialize};

use self::beginnings::{Beginning, Beginnings, DistinctGames, FirstPairs, distinct_openings};
pub use self::compared::{Compared, ComparedOptimisation, ComparedPlayer, ComparedRun, MatchedTrials};
use self::crossing::CrossingFold;
pub use self::crossing::{CurveCrossings, amount_of, curve_of, without_swept};
pub use self::difference::{Difference, Test, Tested};
use self::difference::{DifferenceFold, correct};
pub use self::experiment::{ExperimentSummary, Front, front};
use self::experiment_fold::ExperimentFold;
pub use self::findings::{Findings, find};
pub use self::meeting::{Meeting, RankedPlayer, RatingsSummary};
use self::meeting::{MeetingFold, cross_table};
pub use self::optimisation::{CurvePoint, OptimisationRunSummary, OptimisationSummary};
use self::player::PlayerFold;
pub use self::player::{Lengths, PlayerSummary};
pub use self::reference::{Reference, RunFacts};
pub use self::seeds::{Axis, Effects, FullGrid, ResultEffects, SETS, SetOfSeeds, Setting, TrainingSetting};
use self::sides::SidesFold;
pub use self::sides::{Side, Sides};
pub use self::training::{NetworkErrors, TrainingPoint, TrainingSummary};
pub use self::warning::Warning;
use crate::experiment::manifest::Experiment;
use crate::experiment::plan::Plan;
use crate::experiment::stopping::StoppingSummary;
use crate::experiment::trial::Record;
use crate::stats::Confidence;

/// The version of the summary's JSON.
const SCHEMA: u32 = 3;

/// The results of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The version of this shape.
    pub schema: u32,
    /// The question of the manifest.
    pub question: Option<String>,
    /// The source of the question.
    pub source: Option<String>,
    /// The level of all intervals, between 0 and 1.
    pub confidence: f64,
    /// One summary for each training.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trainings: Vec<TrainingSummary>,
    /// One summary for each optimisation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optimisations: Vec<OptimisationSummary>,
    /// One summary for each experiment.
    pub experiments: Vec<ExperimentSummary>,
}

impl Summary {
    /// Folds the records, which must be in canonical order.
    pub fn new(plan: &Plan, records: &[Record]) -> Self {
        let mut fold = SummaryFold::new(plan);
        for record in records {
            fold.push(record);
        }
        fold.finish()
    }

    /// Whether a stopping rule chose the number of trials of some experiment.
    pub fn has_stopping_rules(&self) -> bool {
        self.experiments.iter().any(|experiment| experiment.stopping.is_some())
    }

    /// Reads the JSON of a summary, such as `summary.json` of a reference. The times are not in the JSON.
    ///
    /// # Errors
    /// If the text is not the JSON of a summary of this version.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let mut summary: Self = serde_json::from_str(text)?;
        if summary.schema != SCHEMA {
            let message = format!("schema {}, but this build reads {SCHEMA}", summary.schema);
            return Err(serde::de::Error::custom(message));
        }
        for experiment in &mut summary.experiments {
            experiment.find_indices()?;
            let measured = |player: &PlayerSummary| player.success.is_some() != player.points.is_some();
            if !experiment.players.iter().all(measured) {
                return Err(serde::de::Error::custom("a player must have either `success` or `points`"));
            }
            experiment.find_fronts();
        }
        Ok(summary)
    }

    /// The number of failed games.
    pub fn failed_games(&self) -> u64 {
        self.experiments.iter().flat_map(|experiment| &experiment.failures).map(|(_, count)| count).sum()
    }
}

/// A summary in the making.
///
/// # Cost
/// A few divisions for each player of a trial, in a solitaire for each two players of a deal; the hashes of games
/// are sorted now and then. Memory by cells and players, and 8 to 16 bytes for each different game.
pub struct SummaryFold {
    plan: Plan,
    experiments: Vec<ExperimentFold>,
}

impl SummaryFold {
    /// The summary of no records yet.
    pub fn new(plan: &Plan) -> Self {
        let experiments = (0..plan.experiments().len()).map(|index| ExperimentFold::new(plan, index));
        Self { plan: plan.clone(), experiments: experiments.collect() }
    }

    /// Adds a record. Records of an experiment come in canonical order: by instance, then by cell.
    ///
    /// # Panics
    /// If the record is not of this plan, or comes after one of a later instance.
    pub fn push(&mut self, record: &Record) {
        self.experiments[record.trial.experiment].push(record);
    }

    /// Says what the stopping rule of an experiment did. Intervals for a fixed number of trials are then left out,
    /// because the number was not fixed, and anytime-valid ones are used.
    pub fn stop(&mut self, experiment: usize, stopping: StoppingSummary) {
        self.experiments[experiment].stop(stopping);
    }

    /// The summary of all that was added.
    pub fn finish(self) -> Summary {
        let confidence = Confidence::default_level();
        Summary {
            schema: SCHEMA,
            question: self.plan.manifest().question.clone(),
            source: self.plan.manifest().source.clone(),
            confidence: confidence.level(),
            trainings: Vec::new(),
            optimisations: Vec::new(),
            experiments: self
                .experiments
                .into_iter()
                .map(|experiment| experiment.finish(confidence))
                .collect(),
        }
    }
}

/// A player's name in full: in JSON a name says more than an index.
fn name(experiment: &Experiment, player: usize) -> String {
    experiment.players[player].name.clone()
}
