//! Experiments: a manifest asks, trials answer, a log keeps the truth, a summary says it.
//!
//! The files follow one trial on its way:
//!
//! | file | holds |
//! |---|---|
//! | `manifest` | what was typed, and what is meant by it, checked against what each game and searcher can do |
//! | `openings` | how the games for two begin |
//! | `plan` | cells × instances: the trials in their order |
//! | `pilot` | a few trials of each cell, to tell how long all will take |
//! | `identity` | the name of a trial, and its random streams: functions of its content |
//! | `play`, `course` | one trial → one record |
//! | `lock_step` | many trials of a cell at once, the same records |
//! | `record` | what is known of a finished trial |
//! | `run`, `supply` | all trials, on many threads, into sinks; which trials next |
//! | `rows` | the text of a row |
//! | `log`, `log_writer`, `places` | the append-only rows, read back and written as trials finish |
//! | `times` | the times of moves |
//! | `unfinished` | the decisions that took long, of trials that are not over |
//! | `results` | the folder that holds them |
//! | `fingerprint` | two numbers for how this build plays |
//! | `canonical` | the deterministic columns in order; the digest; comparison with a reference |
//! | `standings`, `stopping`, `live` | how players stand on the way; when it is enough |
//! | `findings` | what follows from a log, in one pass |
//! | `summary` | estimates, intervals and tests: a function of plan and records |
//! | `compared` | two runs, trial by trial and strategy by strategy |
//! | `host`, `run_facts` | the machine and the build that a run was made with, written and read |

mod canonical;
mod compared;
mod course;
mod findings;
mod fingerprint;
mod host;
mod identity;
mod live;
mod lock_step;
mod log;
mod log_writer;
mod manifest;
mod openings;
mod pilot;
mod places;
mod plan;
mod play;
mod record;
mod results;
mod rows;
mod run;
mod run_facts;
mod share;
mod standings;
mod stopping;
mod summary;
mod supply;
mod times;
mod unfinished;

pub use canonical::{CanonicalWriter, Comparison, Digests, canonical_log};
pub use compared::{Compared, ComparedPlayer};
pub use findings::{Findings, FindingsError, find};
pub use fingerprint::fingerprint;
pub(crate) use fingerprint::plays_alike;
pub use host::{Host, HostFacts};
pub use identity::TrialId;
pub use live::Live;
pub use log::{Chunk, Log, LogError};
pub use log_writer::LogWriter;
pub use manifest::{Design, Experiment, Manifest, ManifestError, ManifestFile, PlayerSpec};
pub(crate) use manifest::{document, player_named, read_game, read_single_experiment};
pub use openings::{Balance, Openings};
pub use pilot::{CellTime, Pilot};
pub use plan::{Cell, Plan, Trial};
pub use play::{Watch, is_playing, play, play_watched};
pub use record::{GameRecord, Record, SeatRecord};
pub use results::{Draft, Results};
pub use run::{Ended, Finished, MoveTime, Pace, Sink, run, run_resumably};
pub use run_facts::RunFacts;
pub use share::Share;
pub use standings::{BoundedMean, InstanceResults, Standings};
pub use stopping::{Decision, Precision, Stopper, StoppingRule, StoppingSummary, TestSummary};
pub use summary::{
    Difference, ExperimentSummary, Meeting, PlayerSummary, RankedPlayer, RatingsSummary, Side, Sides,
    Summary, SummaryFold, Test, Tested, Warning, front,
};
pub use times::{Times, TimesWriter};
pub use unfinished::Unfinished;
