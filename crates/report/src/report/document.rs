//! The parts of a report, independent of its format.

use std::fmt;

use super::page::{Page, Tone, wrap};
use super::table::Table;
use crate::experiment::visible;

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Block {
    /// A title.
    Heading(String),
    /// Sentences, one per line; without any the block is none.
    Text(Vec<String>),
    /// Notes on the block before, without a gap on a terminal.
    Notes(Vec<String>),
    /// A line for programs, which never wraps; without a gap on a terminal.
    Line(String),
    /// A table.
    Table(Table),
    /// A picture of characters, line by line.
    Picture(Vec<String>),
    /// Blocks that depend on this machine and this run: on a terminal every line begins with `│`.
    OfThisRun(Vec<Block>),
}

impl From<String> for Block {
    fn from(text: String) -> Self {
        Self::Text(vec![text])
    }
}

impl From<&str> for Block {
    fn from(text: &str) -> Self {
        Self::Text(vec![text.into()])
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

/// A report. It displays as text on a [plain page](Page::PLAIN). Characters that a terminal would obey or hide are escaped.
///
/// # Example
/// ```
/// use shikou::report::{Block, Document, Table};
/// let mut table = Table::new(&["<player", ">wins"]);
/// table.row(["a", "3"]);
/// let document = Document(vec![
///     Block::Heading("noughts".into()),
///     Block::Table(table),
///     Block::Notes(vec!["Three games.".into()]),
///     Block::OfThisRun(vec![Block::Text(vec!["It took 2 s.".into()])]),
/// ]);
/// assert_eq!(document.to_string(), "noughts\n\nplayer  wins\n────────────\na          3\nThree games.\n\n│ It took 2 s.");
/// assert!(document.markdown().starts_with("## noughts\n\n| player | wins |\n|:--|--:|\n| a | 3 |\n\nThree games."));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Document(pub Vec<Block>);

impl Document {
    /// The document as text on a page.
    pub fn text(&self, page: Page) -> String {
        text(&self.0, page)
    }

    /// The document in Markdown.
    pub fn markdown(&self) -> String {
        markdown(&self.0)
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Page::PLAIN))
    }
}

fn markdown(blocks: &[Block]) -> String {
    let part = |block: &Block| match block {
        Block::Heading(text) => format!("## {}", visible(text)),
        Block::Line(line) => visible(line).into(),
        // Each line is a paragraph: Markdown would run lines together.
        Block::Text(lines) | Block::Notes(lines) => visible(&lines.join("\n\n")).into(),
        Block::Table(table) => table.markdown(),
        Block::Picture(lines) => format!("```text\n{}\n```", visible(&lines.join("\n"))),
        Block::OfThisRun(blocks) => markdown(blocks),
    };
    let parts: Vec<String> = blocks.iter().map(part).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

fn text(blocks: &[Block], page: Page) -> String {
    let wrapped = |line: &str, tone: Tone| -> String {
        let lines = wrap(&visible(line), page.width).into_iter().map(|line| tone.paint(&line, page));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut text = String::new();
    for block in blocks {
        let part = match block {
            Block::Heading(heading) => wrapped(heading, Tone::Title),
            Block::Text(lines) | Block::Notes(lines) => {
                let lines = lines.iter().map(|line| wrapped(line, Tone::of_note(line)));
                lines.collect::<Vec<_>>().join("\n")
            }
            Block::Picture(lines) => visible(&lines.join("\n")).into(),
            Block::Line(line) => visible(line).into(),
            Block::Table(table) => table.text(page),
            Block::OfThisRun(blocks) => {
                let inner = Page { width: page.width - MARK.chars().count(), ..page };
                let marked: Vec<String> =
                    self::text(blocks, inner).lines().map(|line| format!("{MARK}{line}")).collect();
                marked.join("\n")
            }
        };
        // A block without lines leaves no gap.
        if part.is_empty() {
            continue;
        }
        let gap = match (text.is_empty(), block) {
            (true, _) => "",
            (false, Block::Notes(_) | Block::Line(_)) => "\n",
            (false, _) => "\n\n",
        };
        text.push_str(gap);
        text.push_str(&part);
    }
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

const MARK: &str = "│ ";
