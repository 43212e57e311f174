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
//! | `play` | one trial → one record |
//! | `record` | what is known of a finished trial |
//! | `run` | all trials, on many threads, into sinks |
//! | `rows` | the text of a row |
//! | `log`, `log_writer` | the append-only rows, read back and written as trials finish |
//! | `times` | the times of moves |
//! | `results` | the folder that holds them |
//! | `fingerprint` | one number for how this build plays |
//! | `canonical` | the deterministic columns in order; the digest; comparison with a reference |
//! | `summary` | estimates, intervals and tests: a function of plan and records |
//! | `compared` | two runs, trial by trial and strategy by strategy |
//! | `host`, `run_facts` | the machine and the build that a run was made with, written and read |

mod canonical;
mod compared;
mod fingerprint;
mod host;
mod identity;
mod log;
mod log_writer;
mod manifest;
mod openings;
mod pilot;
mod plan;
mod play;
mod record;
mod results;
mod rows;
mod run;
mod run_facts;
mod share;
mod summary;
mod times;

pub use canonical::{Canonical, Comparison};
pub use compared::{Compared, ComparedPlayer};
pub use fingerprint::fingerprint;
pub use host::HostFacts;
pub use identity::TrialId;
pub use log::{LogContents, LogError, read_log};
pub use log_writer::LogWriter;
pub use manifest::{Design, Experiment, Manifest, ManifestError, ManifestFile, PlayerSpec};
pub use openings::Openings;
pub use pilot::{CellTime, Pilot};
pub use plan::{Cell, Plan, Trial};
pub use play::{Watch, is_playing, play, play_watched};
pub use record::{GameRecord, Record, SeatRecord};
pub use results::Results;
pub use run::{Ended, Sink, run};
pub use run_facts::RunFacts;
pub use share::Share;
pub use summary::{
    Difference, ExperimentSummary, Meeting, PlayerSummary, RankedPlayer, RatingsSummary, StoppingSummary,
    Summary, SummaryFold, Test, Tested, Warning, front,
};
pub use times::{Times, TimesWriter};
