//! Experiments: a manifest asks, trials answer, a log keeps the truth, a summary says it.
//!
//! The files follow one trial on its way:
//!
//! | file | holds |
//! |---|---|
//! | `manifest` | what was typed, and what is meant by it, checked against what each game and searcher can do |
//! | `plan` | cells × instances: the trials in their order |
//! | `identity` | the name of a trial, and its random streams: functions of its content |
//! | `play` | one trial → one record |
//! | `record` | what is known of a finished trial |
//! | `run` | all trials, on many threads, into sinks |
//! | `rows` | the text of a row |
//! | `log` | the append-only rows, written as trials finish and read back |
//! | `canonical` | the deterministic columns in order; the digest; comparison with a reference |
//! | `summary` | estimates and intervals: a function of plan and records |
//! | `host` | the machine and the build that a run was made with |

mod canonical;
mod host;
mod identity;
mod log;
mod manifest;
mod plan;
mod play;
mod record;
mod rows;
mod run;
mod summary;

pub use canonical::{Canonical, Comparison};
pub use host::HostFacts;
pub use identity::TrialId;
pub use log::{LogError, LogWriter, read_log};
pub use manifest::{Design, Experiment, Manifest, ManifestError, PlayerSpec};
pub use plan::{Cell, Plan, Trial};
pub use play::play;
pub use record::{GameRecord, Record, SeatRecord};
pub use run::{PLAYER_THREAD, Sink, run};
pub use summary::{ExperimentSummary, PlayerSummary, Summary, Times};
