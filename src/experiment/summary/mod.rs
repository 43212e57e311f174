//! Estimates, intervals and tests: a pure function of plan and records, folded one record at a time.
//!
//! What the fold holds is bounded by cells and players and not by trials, but for the numbers of the different games.
//!
//! | file | holds |
//! |---|---|
//! | `experiment` | an experiment: its players, what compares them, what went wrong |
//! | `player` | a player: its estimates and what it cost |
//! | `difference` | two players of a solitaire on the same deals |
//! | `meeting` | two players of a game for two, over their pairs of games |
//! | `sides` | how two players of a match fared from each seat |
//! | `tested` | the p-value of a comparison and its correction |
//! | `ratings` | cross table and ratings of more than two players |
//! | `front` | who is not beaten at its cost |
//! | `courses` | how many different games there were |
//! | `warning` | what a reader should know before believing a figure |

mod courses;
mod difference;
mod experiment;
mod front;
mod meeting;
mod player;
mod ratings;
mod sides;
mod tested;
mod warning;

use serde::Serialize;

pub use self::difference::Difference;
pub use self::experiment::ExperimentSummary;
pub use self::front::front;
pub use self::meeting::Meeting;
pub use self::player::PlayerSummary;
pub use self::ratings::{RankedPlayer, RatingsSummary};
pub use self::sides::{Side, Sides};
pub use self::tested::{Test, Tested};
pub use self::warning::Warning;

use self::experiment::ExperimentFold;
use super::{Plan, Record, StoppingSummary};
use crate::stats::Confidence;

/// The version of the summary's JSON.
const SCHEMA: u32 = 2;

/// What a run found.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The version of this shape.
    pub schema: u32,
    /// The question of the manifest.
    pub question: Option<String>,
    /// Where the question comes from.
    pub source: Option<String>,
    /// The level of all intervals, between 0 and 1.
    pub confidence: f64,
    /// One summary for each experiment.
    pub experiments: Vec<ExperimentSummary>,
}

impl Summary {
    /// Folds the records, which must be in canonical order.
    pub fn new(plan: &Plan<'_>, records: &[Record]) -> Self {
        let mut fold = SummaryFold::new(plan);
        for record in records {
            fold.push(record);
        }
        fold.finish()
    }

    /// How many games failed.
    pub fn failed_games(&self) -> u64 {
        self.experiments.iter().flat_map(|experiment| &experiment.failures).map(|(_, count)| count).sum()
    }
}

/// A summary in the making.
///
/// # Cost
/// A few divisions for each player of a trial, in a solitaire for each two players of a deal; the courses of games
/// are sorted now and then. Memory by cells and players, and 8 to 16 bytes for each different game.
pub struct SummaryFold<'p> {
    plan: &'p Plan<'p>,
    experiments: Vec<ExperimentFold<'p>>,
}

impl<'p> SummaryFold<'p> {
    /// The summary of no records yet.
    pub fn new(plan: &'p Plan<'_>) -> Self {
        let experiments = plan.manifest.experiments.iter().zip(&plan.cells);
        let experiments =
            experiments.map(|(experiment, cells)| ExperimentFold::new(experiment, cells)).collect();
        Self { plan, experiments }
    }

    /// Adds a record. Records of an experiment come in canonical order: by instance, then by cell.
    ///
    /// # Panics
    /// Where the record is not of this plan, or comes after one of a later instance.
    pub fn push(&mut self, record: &Record) {
        self.experiments[record.trial.experiment].push(record);
    }

    /// Says what the stopping rule of an experiment did. Intervals for a fixed number of trials are then left out,
    /// because the number was not fixed, and those that hold at any time stand in.
    pub fn stop(&mut self, experiment: usize, stopping: StoppingSummary) {
        self.experiments[experiment].stop(stopping);
    }

    /// The summary of all that was added.
    pub fn finish(self) -> Summary {
        let confidence = Confidence::default_level();
        Summary {
            schema: SCHEMA,
            question: self.plan.manifest.question.clone(),
            source: self.plan.manifest.source.clone(),
            confidence: confidence.level(),
            experiments: self
                .experiments
                .into_iter()
                .map(|experiment| experiment.finish(confidence))
                .collect(),
        }
    }
}

/// A player's name in full: in JSON a name says more than an index.
fn name(experiment: &super::Experiment, player: usize) -> String {
    experiment.players[player].name.clone()
}
