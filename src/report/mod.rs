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
//! | `work` | what success cost |
//! | `times` | the times of a run |
//! | `compared` | two runs, compared |
//! | `csv` | all figures as one long table |

mod compared;
mod comparisons;
mod csv;
mod document;
mod numbers;
mod ratings;
mod run;
mod table;
mod times;
mod verdict;
mod work;

pub use compared::compared_report;
pub use csv::run_csv;
pub use document::{Block, Document};
pub use numbers::{bar, brackets, count, decimals, duration, interval_strip, p_value, rate, with_thousands};
pub use run::{Extent, run_report};
pub use table::Table;
pub use verdict::verdict;
