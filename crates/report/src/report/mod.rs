//! Reports: what a run or a command found, in each format of [`EXPORTERS`]. Everything here returns values; only `cli`
//! prints.
//!
//! | file | holds |
//! |---|---|
//! | `numbers` | numbers, times and intervals as people read them |
//! | `page` | the width and the colours of text, and how it wraps |
//! | `table`, `layout` | aligned tables, and how they fit a width |
//! | `document` | a report in its parts |
//! | `answer` | the last screen of a run |
//! | `run` | the report of a run |
//! | `optimisation` | the report of an optimisation |
//! | `training` | the report of a training |
//! | `effects` | which values of a sweep change a result |
//! | `verdict`, `contrast` | what an experiment and a comparison say, in sentences; sweeps with the best value at an edge |
//! | `crossings` | where curves of success against budget cross |
//! | `comparisons` | the tables of every two players |
//! | `tables` | the other tables: seats, published results, cross table and ratings, work, times |
//! | `picture` | success against cost as a picture of characters |
//! | `measured` | the times of a report whose log is gone |
//! | `compared` | two runs, compared |
//! | `figure`, `figures` | a figure and its drawing; the figures of a run |
//! | `web` | the report as a page for a browser |
//! | `export` | the formats, listed in [`EXPORTERS`] |

mod answer;
mod compared;
mod comparisons;
mod contrast;
mod crossings;
mod document;
pub mod effects;
mod export;
mod figure;
mod figures;
mod layout;
mod measured;
mod numbers;
mod optimisation;
mod page;
mod picture;
mod run;
mod table;
mod tables;
mod training;
mod verdict;
mod web;

pub use crate::object;
pub use answer::answer_report;
pub use compared::compared_report;
pub use document::{Block, Document, Extent};
pub use export::{
    EXPORTERS, Exporter, Report, Run, figure_csv, optional, pretty, run_csv, to_json, unless_empty,
};
pub use figures::figure_svg;
pub use measured::keep_times;
pub use numbers::{
    bar, brackets, count, decimals, duration, interval_strip, long_duration, p_value, rate, with_thousands,
};
pub use numbers::{counted, instances, is_or_are};
pub use page::{Page, Tone};
pub use run::failures;
pub use run::run_report;
pub use table::{Cell, Column, Table, column, columns, estimate, if_any, number, strip, when};
pub use tables::PRIOR;
pub use verdict::verdict;
pub use web::{figure_files, site};
