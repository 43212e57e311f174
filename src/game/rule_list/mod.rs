//! Lists of rules: policies as data, so that the next one is written in a manifest.
//!
//! A list scores every legal move by the first rule that applies to it, and plays one of the best. What rules count are
//! the game's [`Pattern`](super::Pattern)s. The language is small on purpose: conditions on counts, and weighted sums of
//! counts. Rejected: tables of options for each rule, in which a list of ten rules fills a page.
//!
//! | file | holds |
//! |---|---|
//! | `points` | scores, exact decimal numbers |
//! | `words` | a text in words |
//! | `read` | words in rules, or what is wrong with them |
//! | `rule` | a rule: when it applies, and what it gives |
//! | `list` | the policy |

mod list;
mod points;
mod read;
mod rule;
mod words;

pub use list::{MoveReasons, Reason, RuleList};
pub use points::{NoPoints, Points};
pub use read::RuleError;
pub use words::plain_rules;
