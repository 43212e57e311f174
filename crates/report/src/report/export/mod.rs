//! The formats of a report.
//!
//! A [`Report`] is what a command found, in forms that favour no format: a document of blocks, the figures of a run, and
//! JSON. An [`Exporter`] writes one format from it. A new format is a file here and a line in [`EXPORTERS`]; every command
//! then offers it with `--format`.
//!
//! | file | holds |
//! |---|---|
//! | `text` | text for a terminal |
//! | `markdown` | Markdown |
//! | `csv` | all figures of a run as one long table; of any other report its tables |
//! | `figure` | success against cost as one wide table |
//! | `svg` | success against cost, what trainings learned, curves of optimisations: as a picture |
//! | `html` | a page for a browser |
//! | `json` | JSON |
//! | `trials` | the trials of a log: rows, canonical, Parquet |
//! | `axes` | the values of sweeps as columns |

mod axes;
mod csv;
mod figure;
mod html;
mod json;
mod markdown;
mod svg;
mod text;
mod trials;

pub use self::csv::run_csv;
pub use self::figure::figure_csv;
pub use self::json::{optional, pretty, to_json, unless_empty};
pub use self::svg::figure_svg;

use super::document::{Document, Extent};
use super::page::Page;
use crate::experiment::{ExplorerGames, MoveTimes, RunFacts, Summary};

/// All formats, the default first.
pub const EXPORTERS: [&dyn Exporter; 10] = [
    &text::Text,
    &markdown::Markdown,
    &csv::Csv,
    &figure::Figure,
    &svg::Svg,
    &html::Html,
    &json::Json,
    &trials::ROWS,
    &trials::CANONICAL,
    &trials::PARQUET,
];

/// A format of reports.
pub trait Exporter: Send + Sync {
    /// The name for `--format`.
    fn name(&self) -> &'static str;

    /// The content of the format, in a line.
    fn about(&self) -> &'static str;

    /// The report in this format, without a final line break; text and CSV depend on the page. `None` if the report has
    /// nothing that the format shows.
    fn export(&self, report: &dyn Report, page: Page) -> Option<String>;
}

/// What a command found.
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
/// let export = |name| EXPORTERS.iter().find(|format| format.name() == name).unwrap().export(&Answer, Page::PLAIN);
/// assert_eq!(export("text").unwrap(), "answer\n\n42");
/// assert_eq!(export("markdown").unwrap(), "## answer\n\n42");
/// assert_eq!(export("figure"), None);
/// ```
pub trait Report {
    /// The report as people read it.
    fn document(&self, extent: Extent) -> Document;

    /// The report as JSON, with the name of its command and the version of its schema.
    fn json(&self) -> String;

    /// What a run found. By default none.
    fn run(&self) -> Option<Run<'_>> {
        None
    }
}

/// What a run found, and what is known of the run.
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
