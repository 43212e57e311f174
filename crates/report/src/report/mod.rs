//! Reports: the findings of a run or a command, in each format of [`EXPORTERS`]. Everything here returns values; only `cli`
//! prints.

mod answer;
mod atlas;
mod caution;
mod claims;
mod compared;
mod comparisons;
mod document;
pub mod effects;
mod export;
mod figure;
mod figures;
mod measure;
mod numbers;
mod optimisation;
mod page;
mod picture;
mod run;
mod table;
mod tables;
mod training;
mod verdict;
mod warnings;
mod web;

pub use crate::object;
pub use answer::answer_report;
pub use atlas::{Character, Characters, Discoveries, Gain, atlas_report, called, gains_table, sentences};
pub use caution::Caution;
pub use claims::{Replication, claims_report, claims_table, replications};
pub use compared::compared_report;
pub use document::{Block, Document};
pub use export::{EXPORTERS, Exporter, Report, figure_csv, optional, pretty, run_csv, to_json, unless_empty};
pub use figures::figure_svg;
pub use numbers::{
    bar, brackets, bytes, count, counted, decimals, duration, instances, interval_strip, is_or_are,
    long_duration, p_value, rate, with_thousands,
};
pub use page::{Extent, Page, Tone};
pub use run::{Run, failures, keep_times, run_report};
pub use table::{Cell, Column, Table, column, columns, estimate, if_any, number, strip, when};
pub use tables::PRIOR;
pub use verdict::verdict;
pub use warnings::cautions;
pub use web::{atlas_page, figure_files, file_name, markdown_html, site};
