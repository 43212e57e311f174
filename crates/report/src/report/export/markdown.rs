//! Markdown.

use crate::experiment::visible;
use crate::report::document::{Block, Document};

impl Document {
    /// The document in Markdown.
    pub fn markdown(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(markdown).collect();
        parts.join("\n\n")
    }
}

fn markdown(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("## {}", visible(text)),
        Block::Line(line) => visible(line).into(),
        // Each line is a paragraph: Markdown would run lines together.
        Block::Text(lines) | Block::Notes(lines) => visible(&lines.join("\n\n")).into(),
        Block::Table(table) => table.markdown(),
        Block::Picture(lines) => format!("```text\n{}\n```", visible(&lines.join("\n"))),
        Block::OfThisRun(blocks) => blocks.iter().map(markdown).collect::<Vec<_>>().join("\n\n"),
    }
}
