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
//! Beside them: `host`, the machine and the build; `fingerprint`, checksums of what a plan uses, and its engines; `line`, a line of CSV with its check.

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

pub use self::explore::{
    ExplorerGame, ExplorerGames, OtherDecision, OtherPlayer, Reason, Source, Wish, explore,
};
pub use self::fingerprint::{Differing, EngineFacts, Fingerprints};
pub use self::host::{Build, Host, HostFacts};
pub use self::manifest::read::{
    ManifestFile, document, player_named, read_game, read_single_experiment, read_to_the_end, read_whole,
};
pub use self::manifest::{
    Against, Balance, Design, Experiment, Fitness, Gene, Genes, Judge, Length, Luck, Manifest, ManifestError,
    Measure, Openings, Optimisation, OptimisationRun, PlayerSpec, Precision, Published, Question, Racing,
    Recorded, Seat, StoppingRule, Training, escaped_in_json, hidden_in, visible,
};
pub use self::optimisation::{
    EvaluationLog, Generation, Key, Known, KnownRuns, OptimisationError, OptimisationOutline,
    OptimisationProgress, Optimised, OptimisedError, Outcome, Purpose, ReplayedGame, Run, SearchStop,
    VerifiedRows, Workers, find_game, folder_of, optimise, replay, verify_rows, write_derived,
};
pub use self::plan::{Cell, CellOutline, ExperimentOutline, Outline, Plan, Shard, Trial, TrialId};
pub use self::stopping::{
    Decider, InstanceResults, Live, Standings, Stopper, StoppingPoint, StoppingSummary, TestSummary,
    decided_by_shards,
};
#[cfg(feature = "parquet")]
pub use self::store::parquet::write_parquet;
pub use self::store::{
    CHECKPOINTS, CanonicalWriter, Comparison, Digests, Draft, EVALUATIONS, Log, LogChunk, LogError, LogForm,
    LogWriter, Merged, MoveTimes, Numbering, Owner, OwnerFacts, Recovered, Results, Shards, TimesWriter,
    canonical_log, merge, recover, release_folders,
};
pub use self::summary::{
    Axis, Compared, ComparedOptimisation, ComparedPlayer, ComparedRun, CurveCrossings, CurvePoint,
    Difference, Effects, ExperimentSummary, Findings, Front, FullGrid, Lengths, MatchedTrials, Meeting,
    NetworkErrors, OptimisationRunSummary, OptimisationSummary, PlayerSummary, RankedPlayer, RatingsSummary,
    Reference, ResultEffects, RunFacts, SETS, SetOfSeeds, Setting, Side, Sides, Summary, SummaryFold, Test,
    Tested, TrainingPoint, TrainingSetting, TrainingSummary, Warning, amount_of, curve_of, find, front,
    without_swept,
};
pub use self::training::{
    Judgement, Trained, TrainingError, TrainingProgress, play_for_samples, recover_training, train,
};
pub use self::trial::{
    CellTime, ChosenBy, Encoded, Encoder, Ended, Finished, GameRecord, MoveTime, Pace, Pilot, Record,
    SeatRecord, ShownPosition, Sink, Tally, Unfinished, Watch, WatchedGame, WatchedPly, WatchedSeat,
    WatchedTrial, play, play_watched, run,
};
