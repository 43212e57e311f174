//! Profiles: the speed of playouts and searchers on this machine, and the parts of their time.
//!
//! The key decision: everything that is compared is timed in turn, in many short rounds, and reported as a ratio within a
//! round. A busy machine, or a changing clock frequency, slows both sides of a ratio. The main clock is the thread's CPU
//! time; the wall clock shows how busy the machine was. Rejected: one long run of each, because the ratio would compare
//! two different minutes.
//!
//! A [`Workload`](crate::players::Workload) is measured: a game with its type erased, with one virtual call per batch.
//! Estimates are marked as such, here and in the output.
//!
//! | file | holds |
//! |---|---|
//! | `settings` | the duration and the number of rounds |
//! | `timing` | CPU time, wall time, estimated cycles; a summary of repeated measurements |
//! | `rows` | paths and batch sizes, timed in turn |
//! | `scaling` | several threads at once |
//! | `parts` | the parts of a playout, timed alone |
//! | `lengths` | the distribution of playout lengths; sizes in bytes |
//! | `searchers` | decisions of searchers, and the fraction of time in playouts |
//! | `whole` | a profile: all of these, with machine and build |
//! | `saved` | a profile as a file |
//! | `compared` | the comparison of two profiles |
//! | `text` | the report of a profile |

mod compared;
mod lengths;
mod parts;
mod rows;
mod saved;
mod scaling;
mod searchers;
mod settings;
mod text;
mod timing;
mod whole;

pub use compared::{ComparedRow, Comparison, Incomparable};
pub use lengths::{Lengths, Memory};
pub use parts::{PartProfile, PartsProfile};
pub use rows::{PathRow, Sample};
pub use saved::{COMMAND, SCHEMA, SavedError, parse, written};
pub use scaling::{ThreadsRow, Together};
pub use searchers::{SearcherRow, SearchersProfile, Unfit};
pub use settings::{ProfileError, Settings};
pub use text::{compared_document, document};
pub use timing::{Lap, Spread};
pub use whole::{PlayoutsProfile, Profile};
