//! The parts of a report, independent of its format.

use std::fmt;

use super::table::Table;

/// The extent of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// For a terminal: of many comparisons the most important ones.
    Short,
    /// Everything.
    Full,
}

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Block {
    /// A title.
    Heading(String),
    /// Sentences, one per line.
    Text(Vec<String>),
    /// Notes on the block before, without a gap on a terminal.
    Notes(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture of characters, line by line.
    Picture(Vec<String>),
    /// What depends on this machine and this run: on a terminal every line begins with `│`.
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

/// A report: it displays as text for a terminal.
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

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&terminal(&self.0))
    }
}

fn terminal(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        let part = match block {
            Block::Heading(heading) => heading.clone(),
            Block::Text(lines) | Block::Notes(lines) | Block::Picture(lines) => lines.join("\n"),
            Block::Table(table) => table.to_string(),
            Block::OfThisRun(blocks) => {
                let marked: Vec<String> = terminal(blocks).lines().map(|line| format!("│ {line}")).collect();
                marked.join("\n")
            }
        };
        let gap = match (text.is_empty(), block) {
            (true, _) => "",
            (false, Block::Notes(_)) => "\n",
            (false, _) => "\n\n",
        };
        text.push_str(gap);
        text.push_str(&part);
    }
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
