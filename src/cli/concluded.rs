//! The results of a run as a report, and how to print it.

use std::path::Path;

use serde::Serialize;

use super::error::CommandError;
use super::groups::OutputArguments;
use super::output::print_report;
use super::pages::PageArguments;
use crate::experiment::{ExplorerGames, MoveTimes, RunFacts, Summary};
use crate::report::{Block, Document, Extent, Report, Run, answer_report, run_report, to_json, verdict};
use crate::words::shell_path;

const SCHEMA: u32 = 3;

/// How to print a conclusion.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    /// Whether to print the last line only, if the format is for people.
    pub(super) quiet: bool,
    /// Whether to print the whole report, not only the answer.
    pub(super) full: bool,
    /// The format.
    pub(super) output: &'a OutputArguments,
    /// Whether a result that does not reproduce the reference gives exit code 1.
    pub(super) check: bool,
    /// What to write for people to look at. If anything, it is named in place of the report.
    pub(super) pages: Option<&'a PageArguments>,
}

impl Manner<'_> {
    const fn extent(&self) -> Extent {
        if self.full { Extent::Short } else { Extent::Answer }
    }

    pub(super) fn width(&self) -> usize {
        self.output.page(self.extent()).width
    }

    pub(super) fn print(&self, concluded: &Concluded<'_>) -> Result<(), CommandError> {
        let written = self.pages.map(|pages| pages.write(concluded.path, concluded)).transpose()?;
        let written = written.unwrap_or_default();
        if written.is_empty() || !self.output.is_text() {
            return self.output.print_as(concluded, self.extent());
        }
        let document = Document(vec![Block::Text(written), Block::Line(concluded.last_line())]);
        print_report(&document.text(self.output.page(self.extent())))
    }
}

/// The results of a run, from its log or from a reference.
pub(super) struct Concluded<'a> {
    pub(super) command: &'a str,
    pub(super) summary: &'a Summary,
    /// The times; none for a reference.
    pub(super) times: Option<&'a MoveTimes>,
    pub(super) digest: &'a str,
    pub(super) facts: &'a RunFacts,
    /// How the digest compares with the reference.
    pub(super) comparison: String,
    /// The same in words, if there is something to explain.
    pub(super) meaning: Option<String>,
    /// The width of the page: the digest is cut to fit it.
    pub(super) width: usize,
    /// Whether the document is the last line only.
    pub(super) brief: bool,
    /// What the document says of the log.
    pub(super) folder: Vec<String>,
    /// The folder.
    pub(super) path: &'a Path,
    /// Games for the page.
    pub(super) explored: Option<ExplorerGames>,
}

impl Concluded<'_> {
    fn last_line(&self) -> String {
        format!("digest {} {}", self.digest, self.comparison)
    }
}

impl Report for Concluded<'_> {
    fn document(&self, extent: Extent) -> Document {
        let mut digest = self.last_line();
        if self.brief {
            return Document(vec![Block::Line(digest)]);
        }
        if digest.chars().count() > self.width {
            digest = format!("digest {:.8}… {}", self.digest, self.comparison);
        }
        let mut last = self.folder.clone();
        let mut document = if extent == Extent::Answer {
            last.push(format!("everything else: shikou report {} --full", shell_path(self.path)));
            last.extend(self.meaning.clone());
            answer_report(self.summary, self.times.map(|_| self.facts))
        } else {
            last.push(format!("results in {}", self.path.display()));
            run_report(self.summary, self.times, self.facts, extent)
        };
        document.0.extend([Block::Text(last), Block::Line(digest)]);
        document
    }

    fn json(&self) -> String {
        let summary = self.summary;
        let verdicts = summary.experiments.iter().map(verdict).collect();
        let (digest, comparison) = (self.digest, self.comparison.clone());
        to_json(self.command, SCHEMA, Content { summary, verdicts, digest, comparison })
    }

    fn run(&self) -> Option<Run<'_>> {
        let digest = Some(self.last_line());
        Some(Run {
            summary: self.summary,
            times: self.times,
            facts: self.facts,
            digest,
            explored: self.explored.as_ref(),
        })
    }
}

/// The content of the JSON. The summary has a schema version of its own.
#[derive(Serialize)]
struct Content<'s> {
    summary: &'s Summary,
    /// The verdict of each experiment, in sentences.
    verdicts: Vec<Vec<String>>,
    digest: &'s str,
    comparison: String,
}
