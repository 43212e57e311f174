//! Reports: what a run or a command found, as text, Markdown, CSV or JSON. Everything here returns values; only `cli`
//! prints.
//!
//! | file | holds |
//! |---|---|
//! | `numbers` | numbers, times and intervals as people read them |
//! | `table` | aligned tables |
//! | `document` | a report in its parts |
//! | `run` | the report of a run |
//! | `verdict` | what an experiment says, in sentences |
//! | `comparisons` | the tables of every two players |
//! | `ratings` | cross table and ratings |
//! | `sides` | a match by seats |
//! | `repeated` | a match that is one game a seat, again and again |
//! | `work`, `picture` | what success cost, as a table and as a picture |
//! | `times` | the times of a run |
//! | `compared` | two runs, compared |
//! | `export` | the formats: text, Markdown, CSV, JSON, figure |

mod compared;
mod comparisons;
mod document;
mod export;
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
pub use document::{Block, Document, Extent};
pub use export::{EXPORTERS, Exporter, Report, figure_csv, run_csv, to_json};
pub use numbers::{
    bar, brackets, count, decimals, duration, interval_strip, long_duration, p_value, rate, with_thousands,
};
pub(crate) use numbers::{counted, is_or_are};
pub(crate) use repeated::without_repetitions;
pub(crate) use run::failures;
pub use run::{match_report, run_report};
pub use table::Table;
pub use verdict::verdict;
