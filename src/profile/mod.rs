//! Profiles: how fast playouts and searches are on this machine, and where their time goes.
//!
//! The key decision: what is compared is timed in turn, in many short rounds, and told as a ratio within the round.
//! A machine that is busy, or a core that changes its frequency, slows down both sides of a ratio. The main clock is that of the
//! thread's processor time; the wall clock says how busy the machine was. Rejected: one long run of each, whose ratio
//! is that of two different minutes.
//!
//! What is measured is a [`Workload`](crate::players::Workload): a game whose type is forgotten, one virtual call a
//! batch. All that is an estimate says so, here and where it is printed.
//!
//! | file | holds |
//! |---|---|
//! | `settings` | what is to be measured, and for how long |
//! | `timing` | processor time, time on the wall, estimated cycles |
//! | `spread` | repeated measurements in a few numbers |
//! | `rows` | paths and sizes of batches, in turn |
//! | `scaling` | several threads at once |
//! | `parts` | the parts of a playout, each alone |
//! | `lengths` | how many plies playouts take |
//! | `memory` | bytes |
//! | `searchers` | decisions of searchers, and what of them is playouts |
//! | `whole` | a profile: all of these, with machine and build |
//! | `saved` | a profile as a file |
//! | `compared` | two profiles |
//! | `text` | a profile for people |

mod compared;
mod lengths;
mod memory;
mod parts;
mod rows;
mod saved;
mod scaling;
mod searchers;
mod settings;
mod spread;
mod text;
mod timing;
mod whole;

pub use compared::{ComparedRow, Comparison, Incomparable};
pub use lengths::Lengths;
pub use memory::Memory;
pub use parts::{PartProfile, PartsProfile};
pub use rows::{PathRow, Sample};
pub use saved::{COMMAND, SCHEMA, SavedError, parse, written};
pub use scaling::{ThreadsRow, Together};
pub use searchers::{SearcherRow, SearchersProfile, Unfit};
pub use settings::{NoProfile, Settings};
pub use spread::Spread;
pub use text::{compared_document, document};
pub use timing::Lap;
pub use whole::{PlayoutsProfile, Profile};
