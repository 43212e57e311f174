//! A report in its parts, before it is written for a terminal or as Markdown.

use std::fmt;

use super::Table;

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Block {
    /// The title of what follows.
    Heading(String),
    /// Sentences, a line each.
    Text(Vec<String>),
    /// What belongs to the part before: on a terminal without a gap.
    Notes(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture made of characters, a line each.
    Picture(Vec<String>),
    /// What is of this machine and this run only: on a terminal every line begins with `│`.
    OfThisRun(Vec<Block>),
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

impl Document {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(markdown).collect();
        parts.join("\n\n")
    }
}

fn markdown(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("## {text}"),
        // Each line is a paragraph: Markdown would run lines together.
        Block::Text(lines) | Block::Notes(lines) => lines.join("\n\n"),
        Block::Table(table) => table.markdown(),
        Block::Picture(lines) => format!("```text\n{}\n```", lines.join("\n")),
        Block::OfThisRun(blocks) => blocks.iter().map(markdown).collect::<Vec<_>>().join("\n\n"),
    }
}

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
