//! Experiments: a manifest asks, trials answer, a log keeps the truth, a summary says it.
//!
//! The rooms, lowest first; each imports only those above it in this table, and those beside:
//!
//! | room | holds |
//! |---|---|
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
mod optimisation;
mod plan;
mod stopping;
mod store;
mod summary;
mod training;
mod trial;

pub use self::explore::*;
pub use self::fingerprint::{Differing, EngineFacts, Fingerprints};
pub use self::host::{Build, Host, HostFacts, peak_bytes};
pub use self::optimisation::*;
pub use self::plan::*;
pub use self::stopping::*;
#[cfg(feature = "parquet")]
pub use self::store::parquet::write_parquet;
pub use self::store::*;
pub use self::summary::*;
pub use self::training::*;
pub use self::trial::*;
pub use crate::game::Counts;
pub use shikou_manifest::{
    Against, Balance, Design, Experiment, Fitness, Gene, Genes, Judge, Length, Luck, Manifest, ManifestError,
    ManifestFile, Measure, Openings, Optimisation, OptimisationRun, PlayerSpec, Precision, Published,
    Question, Racing, Recorded, Seat, StoppingRule, Training, document, escaped_in_json, hidden_in,
    player_named, read_file, read_game, read_single_experiment, read_to_the_end, read_whole, visible,
};
