//! Validation: figures that others published, derived again.
//!
//! A *case* is data: what was published and where, and how it is derived here. The cases of the house stand in
//! `validate/cases.toml`, which is part of the program; a user's own may stand in another file of the same form. What is
//! exact has to be equal. What is sampled is compared by an interval at a level that is shared out among all statistical
//! cases of the file, so that a right program fails the whole of it with a known small probability: a red line means
//! something. The seeds are fixed, so the verdicts are the same in every run.
//!
//! Rejected: cases as tests in Rust, which nobody can read as a list, and whose tolerances are chosen one at a time.
//!
//! | file | holds |
//! |---|---|
//! | `suite` | the cases of a file, and which of them are asked for |
//! | `case` | one case, as the file writes it |
//! | `published` | what was published: exact values, samples, bounds |
//! | `found` | what was derived here |
//! | `verdict` | the one against the other |
//! | `too_few` | whether a sample is too small for a verdict |
//! | `derive` | one file for each way of deriving |
//! | `text` | the table |

mod case;
mod derive;
mod found;
mod published;
mod suite;
mod text;
mod too_few;
mod verdict;

pub use case::{Case, Tier};
pub use derive::Context;
pub use found::{Found, Sample, Value};
pub use published::{Figure, Published};
pub use suite::{Checked, Suite};
pub use text::{TimesShown, document, list};
pub use verdict::{Judged, Verdict, judge};
