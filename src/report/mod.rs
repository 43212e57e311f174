//! How results look: tables for a terminal, Markdown and CSV. Everything here returns text; only `cli` prints it.
//!
//! | file | holds |
//! |---|---|
//! | `numbers` | numbers, times and intervals as people read them |
//! | `table` | aligned tables |
//! | `document` | a report in its parts, for a terminal or as Markdown |
//! | `run` | the report of a run |
//! | `verdict` | what an experiment says, in sentences |
//! | `comparisons` | the tables of every two players |
//! | `ratings` | cross table and ratings |
//! | `sides` | a match by seats |
//! | `repeated` | a match that is one game a seat, again and again |
//! | `work`, `picture` | what success cost, as a table and as a picture |
//! | `times` | the times of a run |
//! | `compared` | two runs, compared |
//! | `csv` | all figures as one long table |
//! | `figure` | success against cost as one wide table |

mod compared;
mod comparisons;
mod csv;
mod document;
mod figure;
mod numbers;
mod picture;
mod ratings;
mod repeated;
mod run;
mod sides;
mod table;
mod times;
mod verdict;
mod work;

pub use compared::compared_report;
pub use csv::run_csv;
pub use document::{Block, Document};
pub use figure::figure_csv;
pub(crate) use numbers::counted;
pub use numbers::{bar, brackets, count, decimals, duration, interval_strip, p_value, rate, with_thousands};
pub(crate) use repeated::without_repetitions;
pub(crate) use run::failures;
pub use run::{Extent, match_report, run_report};
pub use table::Table;
pub use verdict::verdict;
