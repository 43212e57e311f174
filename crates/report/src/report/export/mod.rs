//! The formats of a report.
//!
//! A [`Report`] has the findings of a command, in forms that favour no format: a document of blocks, the figures of a run, and
//! JSON. An [`Exporter`] writes one format from it. A new format is an entry of [`EXPORTERS`]; every command then offers it with
//! `--format`.

mod csv;

use std::collections::BTreeMap;
use std::io::{Result, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::document::Document;
use super::figures::figure_svg;
use super::page::{Extent, Page};
use super::run::Run;
use super::web::web_page;
use crate::experiment::escaped_in_json;

pub use self::csv::{figure_csv, run_csv};

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
        "of a run one long table with a figure in each row and without times; else its tables as one, or its values as a row",
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

/// An object of JSON with its fields in order: each a name and its value, or a variable of that name. A field may have
/// attributes of serde.
///
/// # Example
/// ```
/// use shikou::report::{object, optional, to_json};
/// let won = 3;
/// let content = object! { won, lost: 1, #[serde(flatten)] drawn: optional("drawn", None::<u64>) };
/// assert_eq!(to_json("match", 1, content).split_whitespace().collect::<String>(), r#"{"command":"match","schema":1,"won":3,"lost":1}"#);
/// ```
#[macro_export]
macro_rules! object {
    ($($(#[$attribute:meta])* $name:ident $(: $value:expr)?),* $(,)?) => {{
        #[expect(non_camel_case_types, reason = "the type of a field has its name")]
        let object = {
            #[derive(::serde::Serialize)]
            struct Object<$($name),*> { $($(#[$attribute])* $name: $name),* }
            Object { $($name $(: $value)?),* }
        };
        object
    }};
}

/// A field of an object that is left out if it has no value. It is flattened.
pub fn optional<T>(name: &'static str, value: Option<T>) -> Option<BTreeMap<&'static str, T>> {
    value.map(|value| BTreeMap::from([(name, value)]))
}

/// A list as a field of an object that is left out if the list is empty. It is flattened.
pub fn unless_empty<T>(name: &'static str, list: Vec<T>) -> Option<BTreeMap<&'static str, Vec<T>>> {
    optional(name, (!list.is_empty()).then_some(list))
}

/// The JSON of a command: its name, the version of its schema, and its content, which must be an object. The version is
/// raised when a field changes or goes. Characters that a terminal would obey or hide are written as `\u202e`.
///
/// # Panics
/// If the content is not an object with keys of text.
pub fn to_json(command: &str, schema: u32, content: impl Serialize) -> String {
    escaped_in_json(pretty(&object! { command, schema, #[serde(flatten)] content }))
}

/// Results as JSON with a line for each value. Numbers are those that every reader reads: zero has no sign, and a whole number
/// above 2⁵³, such as a large seed, is written as text.
///
/// # Panics
/// If a map has keys that are no text.
pub fn pretty(results: &impl Serialize) -> String {
    let mut json = Vec::new();
    let written =
        results.serialize(&mut Serializer::with_formatter(&mut json, Plain(PrettyFormatter::new())));
    written.expect("results can be written as JSON");
    String::from_utf8(json).expect("JSON is text")
}

/// Above this, not every whole number is a number of double precision.
const MOST_EXACT: u64 = 1 << 53;

struct Plain<'i>(PrettyFormatter<'i>);

/// Methods of a formatter that are those of the pretty one.
macro_rules! as_pretty {
    ($($name:ident($($argument:ident: $type:ty)?),)*) => {
        $(fn $name<W: Write + ?Sized>(&mut self, out: &mut W $(, $argument: $type)?) -> Result<()> {
            self.0.$name(out $(, $argument)?)
        })*
    };
}

impl Formatter for Plain<'_> {
    fn write_f64<W: Write + ?Sized>(&mut self, out: &mut W, value: f64) -> Result<()> {
        self.0.write_f64(out, value + 0.0)
    }

    fn write_u64<W: Write + ?Sized>(&mut self, out: &mut W, value: u64) -> Result<()> {
        if value > MOST_EXACT { write!(out, "\"{value}\"") } else { self.0.write_u64(out, value) }
    }

    as_pretty! {
        begin_array(), end_array(), begin_array_value(first: bool), end_array_value(),
        begin_object(), end_object(), begin_object_key(first: bool), begin_object_value(), end_object_value(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JavaScript and jq read 9007199254740993 as 9007199254740992.
    #[test]
    fn numbers_are_those_that_every_reader_reads() {
        let values = serde_json::json!({ "a": [-0.0, 0.5, -1.0], "b": [1_u64 << 53, 9_007_199_254_740_993_u64], "c": {} });
        let plain = "{\n  \"a\": [\n    0.0,\n    0.5,\n    -1.0\n  ],\n  \"b\": [\n    9007199254740992,\n    \
                     \"9007199254740993\"\n  ],\n  \"c\": {}\n}";
        assert_eq!(pretty(&values), plain);
    }
}
