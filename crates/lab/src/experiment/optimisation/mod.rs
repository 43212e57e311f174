//! Optimisations: the runs of a method, their log, and what they found.

mod again;
mod derived;
mod jobs;
mod log;
mod optimised;
mod outcome;
mod race;
mod run;
mod search;

pub use self::again::{ReplayedGame, VerifiedRows, find_game, verify_rows};
pub use self::derived::write_derived;
pub use self::jobs::{Key, Purpose};
use self::jobs::{Of, Outline, Stage};
pub use self::log::{EvaluationLog, Known, KnownRuns};
use self::log::{canonical_header, log_row, row};
pub use self::optimised::{OptimisationOutline, Optimised, OptimisedError, folder_of};
pub use self::outcome::{Generation, Outcome, Run};
use self::race::Race;
pub use self::run::{OptimisationProgress, Workers, optimise, replay};
pub use self::search::{OptimisationError, SearchStop};
use self::search::{Search, Stretch};
