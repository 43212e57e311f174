//! Validation: published figures, derived again and compared.
//!
//! A *case* is data: a published figure, its source, and how to derive it. The built-in cases are in
//! `validate/cases.toml`, which is compiled into the program; a user's cases are in another file of the same form. Exact
//! figures must be equal. Sampled figures are compared by an interval. Its level is Bonferroni-corrected over all
//! statistical cases of the file, so that a correct program fails any of them with a small, known probability. The seeds
//! are fixed, so the verdicts are the same in every run.
//!
//! Rejected: cases as Rust tests, because they cannot be read as a list, and their tolerances would be chosen one by one.

mod derive;
mod published;
mod suite;
mod text;
mod verdict;

pub use derive::Context;
pub use published::{Figure, Found, Published, Sample, Value};
pub use suite::{Case, Checked, Suite, Tier};
pub use text::{TimesShown, document, list};
pub use verdict::{Judged, Verdict, judge};
