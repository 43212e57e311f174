//! Profiles: the speed of playouts and searchers on this machine, and the parts of their time.
//!
//! The key decision: everything that is compared is timed in turn, in many short rounds, and reported as a ratio within a
//! round. A busy machine, or a changing clock frequency, slows both sides of a ratio. The main clock is the thread's CPU
//! time; the wall clock shows how busy the machine was. Rejected: one long run of each, because the ratio would compare
//! two different minutes.
//!
//! A [`Workload`](crate::players::Workload) is measured: a game with its type erased, with one virtual call per batch.
//! Estimates are marked as such, here and in the output.

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
