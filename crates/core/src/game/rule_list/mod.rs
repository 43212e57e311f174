//! Lists of rules: policies as data, for manifests.
//!
//! A list scores every legal move by the first rule that applies to it, and plays one of the best. Rules count the game's
//! [patterns](super::PatternOf). The language is small: conditions on counts, and weighted sums of counts. Rejected: a
//! table of options per rule, because a list of ten rules would fill a page.

mod list;
mod points;
mod read;
mod rule;

pub use list::{MoveReasons, Reason, RuleList};
pub use points::{Points, PointsError};
pub use read::RuleError;
