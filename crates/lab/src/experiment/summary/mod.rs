//! Estimates, intervals and tests: a pure function of plan and records, folded one record at a time.
//!
//! The memory of the fold is bounded by cells and players, not by trials, except for a hash of each distinct game.

mod beginnings;
mod compared;
mod crossing;
mod difference;
mod effects;
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

use self::beginnings::{Beginning, Beginnings, DistinctGames, FirstPairs, distinct_openings};
pub use self::compared::{Compared, ComparedOptimisation, ComparedPlayer, ComparedRun, MatchedTrials};
use self::crossing::CrossingFold;
pub use self::crossing::{CurveCrossings, amount_of, curve_of, without_swept};
pub use self::difference::{Difference, Test, Tested};
use self::difference::{DifferenceFold, correct};
use self::effects::SEED;
pub use self::effects::{Axis, Effects, FullGrid, ResultEffects};
pub use self::experiment::{ExperimentSummary, front};
pub use self::findings::{Findings, Summary, SummaryFold, find};
pub use self::meeting::{Meeting, RankedPlayer, RatingsSummary};
use self::meeting::{MeetingFold, cross_table};
pub use self::optimisation::{CurvePoint, OptimisationRunSummary, OptimisationSummary, SURVIVAL};
use self::player::PlayerFold;
pub use self::player::{Front, Lengths, PlayerSummary, Total};
pub use self::reference::{REFERENCES, Reference, RunFacts};
pub use self::seeds::{SETS, SetOfSeeds, Setting, TrainingSetting};
use self::sides::SidesFold;
pub use self::sides::{Side, Sides};
pub use self::training::{NetworkErrors, RaceSummary, TrainingPoint, TrainingSummary};
pub use self::warning::{Warning, WarningKind};
