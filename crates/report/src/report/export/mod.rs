//! The formats of a report.
//!
//! A [`Report`] is what a command found, in forms that favour no format: a document of blocks, the figures of a run, and
//! JSON. An [`Exporter`] writes one format from it. A new format is an entry of [`EXPORTERS`]; every command then offers it with
//! `--format`.

mod csv;
mod json;

pub use self::csv::{figure_csv, run_csv};
pub use self::json::{optional, pretty, to_json, unless_empty};

use super::document::{Document, Extent};
use super::figures::figure_svg;
use super::page::Page;
use super::web::web_page;
use crate::experiment::{ExplorerGames, MoveTimes, RunFacts, Summary};

/// A format of reports.
#[derive(Clone, Copy)]
pub struct Exporter {
    /// The name for `--format`.
    pub name: &'static str,
    /// The content of the format, in a line.
    pub about: &'static str,
    /// The report in this format, without a final line break; text and CSV depend on the page. `None` if the report has
    /// nothing that the format shows.
    pub export: fn(&dyn Report, Page) -> Option<String>,
}

const fn format(
    name: &'static str,
    about: &'static str,
    export: fn(&dyn Report, Page) -> Option<String>,
) -> Exporter {
    Exporter { name, about, export }
}

/// All formats, the default first. `shikou report` writes trials from the log, and a report has none.
pub const EXPORTERS: [Exporter; 10] = [
    format("text", "tables for a terminal", |report, page| Some(report.document(page.extent).text(page))),
    format("markdown", "the same in Markdown, with all comparisons", |report, _| {
        Some(report.document(Extent::Full).markdown())
    }),
    format(
        "csv",
        "of a run one long table with a figure in each row and without times; else its tables as one",
        csv::export,
    ),
    format("figure", "of a run success against cost as CSV, a player a row", |report, page| {
        let run = report.run()?;
        Some(figure_csv(run.summary, run.facts, page.guards_formulas).trim_end().into())
    }),
    format("svg", "figures of a run: success, training, optimisation", |report, _| {
        let run = report.run()?;
        let picture = figure_svg(run.summary, run.facts);
        (!picture.is_empty()).then(|| picture.trim_end().into())
    }),
    format(
        "html",
        "of a run a page for a browser, with figures; one file that loads nothing",
        |report, _| Some(web_page(&report.run()?, None).trim_end().into()),
    ),
    format("json", "everything, for programs", |report, _| Some(report.json())),
    format(
        "trials",
        "of a run with its log the trials in the columns of trials.csv, in the order of the plan; one that experiments share is in each",
        |_, _| None,
    ),
    format(
        "canonical",
        "of a run with its log the bytes of its digest, as in canonical.csv, where the margin is called score",
        |_, _| None,
    ),
    format("parquet", "of a run with its log the trials as bytes, with the cargo feature parquet", |_, _| {
        None
    }),
];

/// The findings of a command.
///
/// # Example
/// ```
/// use shikou::report::{Block, Document, EXPORTERS, Extent, Page, Report};
/// struct Answer;
/// impl Report for Answer {
///     fn document(&self, _extent: Extent) -> Document {
///         Document(vec![Block::Heading("answer".into()), Block::Text(vec!["42".into()])])
///     }
///     fn json(&self) -> String {
///         shikou::report::to_json("example", 1, [("answer", 42)])
///     }
/// }
/// let export = |name| (EXPORTERS.iter().find(|format| format.name == name).unwrap().export)(&Answer, Page::PLAIN);
/// assert_eq!(export("text").unwrap(), "answer\n\n42");
/// assert_eq!(export("markdown").unwrap(), "## answer\n\n42");
/// assert_eq!(export("figure"), None);
/// ```
pub trait Report {
    /// The report as people read it.
    fn document(&self, extent: Extent) -> Document;

    /// The report as JSON, with the name of its command and the version of its schema.
    fn json(&self) -> String;

    /// The findings of a run. By default none.
    fn run(&self) -> Option<Run<'_>> {
        None
    }
}

/// The findings of a run, and the facts of the run.
#[derive(Clone)]
pub struct Run<'r> {
    /// The estimates.
    pub summary: &'r Summary,
    /// The times of moves; none of a reference, which has no log.
    pub times: Option<&'r MoveTimes>,
    /// The machine and the builds.
    pub facts: &'r RunFacts,
    /// The digest of the results and how it compares with the reference, if there are results on disk.
    pub digest: Option<String>,
    /// Games to look at, if any were asked for.
    pub explored: Option<&'r ExplorerGames>,
}
