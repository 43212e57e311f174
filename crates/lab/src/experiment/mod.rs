//! Experiments: a manifest asks, trials answer, a log keeps the truth, a summary says it.
//!
//! The rooms, lowest first; each imports only those above it in this table, and those beside:
//!
//! | room | holds |
//! |---|---|
//! | `manifest` | the questions of a file, as data; reading them |
//! | `plan` | cells × instances: the trials in their order, their names and their random streams |
//! | `trial` | playing: a trial in, a record out; all trials of a plan on many threads |
//! | `store` | the folder of results: log, canonical log, digests, times |
//! | `training` | games that are learned, checkpoints, weights |
//! | `optimisation` | the runs of a method: jobs, rows, what they found |
//! | `stopping` | standings while trials are played; the stopping rules |
//! | `summary` | estimates, intervals and tests from a log; comparison of two runs |
//! | `explore` | chosen games, played again to be looked at |
//!
//! Beside them: `host`, the machine and the build; `engines`, other programs that play; `fingerprint`, checksums of what a plan
//! uses; `line`, a line of CSV with its check.

mod engines;
mod explore;
mod fingerprint;
mod host;
mod line;
mod manifest;
mod optimisation;
mod plan;
mod stopping;
mod store;
mod summary;
mod training;
mod trial;

pub use self::manifest::read::document;
pub use self::manifest::read::files::{read_to_the_end, read_whole};
pub use self::manifest::read::section::{player_named, read_game, read_single_experiment};
pub use self::manifest::visible::{escaped_in_json, hidden_in, visible};

pub use self::engines::EngineFacts;
pub use self::explore::{
    ExplorerGame, ExplorerGames, OtherDecision, OtherPlayer, Reason, Source, Wish, explore,
};
pub use self::fingerprint::{Differing, Fingerprints};
pub use self::host::{Build, Host, HostFacts};
pub use self::manifest::error::ManifestError;
pub use self::manifest::experiment::{Design, Experiment, PlayerSpec, Published};
pub use self::manifest::genes::{Gene, Genes};
pub use self::manifest::openings::{Balance, Openings};
pub use self::manifest::optimisation::{
    Against, Fitness, Judge, Length, Luck, Measure, Optimisation, OptimisationRun, Racing, Seat,
};
pub use self::manifest::read::files::ManifestFile;
pub use self::manifest::stopping::{Precision, StoppingRule};
pub use self::manifest::training::{Recorded, Training};
pub use self::manifest::{Manifest, Question};
pub use self::optimisation::again::{ReplayedGame, VerifiedRows, find_game, verify_rows};
pub use self::optimisation::derived::write_derived;
pub use self::optimisation::error::{OptimisationError, SearchStop};
pub use self::optimisation::key::{Key, Purpose};
pub use self::optimisation::log::{EvaluationLog, KnownRuns};
pub use self::optimisation::optimised::{Optimised, OptimisedError, folder_of};
pub use self::optimisation::outcome::{Generation, Outcome};
pub use self::optimisation::outline::OptimisationOutline;
pub use self::optimisation::run::{OptimisationProgress, Run, Workers, optimise, replay};
pub use self::optimisation::search::Known;
pub use self::plan::Plan;
pub use self::plan::cell::{Cell, Trial};
pub use self::plan::identity::TrialId;
pub use self::plan::outline::{CellOutline, ExperimentOutline, Outline};
pub use self::plan::shard::Shard;
pub use self::stopping::live::Live;
pub use self::stopping::shards::{Decider, decided_by_shards};
pub use self::stopping::standings::{BoundedMean, InstanceResults, Standings};
pub use self::stopping::stopper::{Stopper, StoppingPoint, StoppingSummary, TestSummary};
pub use self::store::canonical::{CanonicalWriter, Comparison, Digests, canonical_log};
pub use self::store::draft::Draft;
pub use self::store::error::{KeptManifestError, LogError};
pub use self::store::form::LogForm;
pub use self::store::in_order::LogChunk;
pub use self::store::log::Log;
pub use self::store::log_writer::LogWriter;
pub use self::store::merge::{MergeError, Merged, merge};
pub use self::store::owner::{Owner, OwnerFacts, release_folders};
#[cfg(feature = "parquet")]
pub use self::store::parquet::{ParquetFileError, write_parquet};
pub use self::store::recover::{Recovered, recover};
pub use self::store::results::Results;
pub use self::store::results::{CHECKPOINTS, EVALUATIONS};
pub use self::store::shards::{Numbering, Shards, ShardsError};
pub use self::store::times::{MoveTimes, TimesWriter};
pub use self::summary::compared::{Compared, ComparedPlayer, MatchedTrials};
pub use self::summary::compared_optimisations::{ComparedOptimisation, ComparedRun};
pub use self::summary::crossing::{CrossingSummary, CurveCrossings};
pub use self::summary::crossing::{amount_of, curve_of, without_swept};
pub use self::summary::difference::Difference;
pub use self::summary::effects::{Axis, Effects, FullGrid, ResultEffects};
pub use self::summary::experiment::ExperimentSummary;
pub use self::summary::findings::{Findings, FindingsError, find};
pub use self::summary::front::{Front, front};
pub use self::summary::lengths::Lengths;
pub use self::summary::meeting::Meeting;
pub use self::summary::optimisation::{CurvePoint, OptimisationRunSummary, OptimisationSummary};
pub use self::summary::player::PlayerSummary;
pub use self::summary::ratings::{RankedPlayer, RatingsSummary};
pub use self::summary::reference::Reference;
pub use self::summary::run_facts::RunFacts;
pub use self::summary::seeds::Setting;
pub use self::summary::sides::{Side, Sides};
pub use self::summary::tested::{Test, Tested};
pub use self::summary::training::{NetworkErrors, TrainingPoint, TrainingSummary};
pub use self::summary::training_sweep::SETS;
pub use self::summary::training_sweep::{SetOfSeeds, TrainingSetting};
pub use self::summary::warning::Warning;
pub use self::summary::{Summary, SummaryFold};
pub use self::training::{
    Judgement, Trained, TrainingError, TrainingProgress, play_for_samples, recover_training, train,
};
pub use self::trial::pilot::{CellTime, Pilot};
pub use self::trial::play::{Watch, play, play_watched};
pub use self::trial::record::{GameRecord, Record, SeatRecord};
pub use self::trial::run::{Encoded, Encoder, Ended, Finished, MoveTime, Pace, Sink, run};
pub use self::trial::tally::Tally;
pub use self::trial::unfinished::Unfinished;
pub use self::trial::watched::{ChosenBy, ShownPosition, WatchedGame, WatchedPly, WatchedSeat, WatchedTrial};
