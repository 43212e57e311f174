//! The report of a comparison of two profiles.

use super::super::{ComparedRow, Comparison};
use crate::report::{Block, Cell, Document, Table, column, columns, rate};
use crate::stats::{Estimate, Method};

/// The comparison as a report. `then` names the earlier profile.
pub fn compared_document(comparison: &Comparison, then: &str) -> Document {
    let mut blocks = vec![Block::Heading(format!("compared with {then}"))];
    if comparison.is_another_machine {
        blocks.push(Block::Text(vec![
            "warning: the machines differ, so the ratios compare machines and not builds".into(),
        ]));
    }
    if !comparison.differing.is_empty() {
        let mut table = Table::new(&["<machine and build", "<then", "<now"]);
        for (name, then, now) in &comparison.differing {
            table.row([*name, then, now]);
        }
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Table(ratios(&comparison.rows)));
    blocks.push(Block::Notes(vec![
        "Ratio: now over then; above 1 is faster now. The intervals (order statistics, at least 95 %) cover the rounds within \
         each profile. The profiles were not measured in turn, so a busier machine looks like a slower build. Cycles are \
         independent of the frequency."
            .into(),
    ]));
    Document(blocks)
}

fn ratios(rows: &[ComparedRow]) -> Table {
    let figures = |Estimate { value, low, high, method }: Estimate| {
        let interval = if method == Method::None { "–".into() } else { format!("{low:.3}–{high:.3}") };
        [format!("{value:.3}"), interval].map(Cell::from)
    };
    Table::of(
        rows,
        [
            column("<speed", &|row| row.what.clone()),
            column(">then", &|row| rate(row.then_per_s)),
            column(">now", &|row| rate(row.now_per_s)),
            columns([">ratio", "<95 % interval"], &|row| Some(figures(row.ratio))),
            columns([">in cycles", "<95 % interval"], &|row| row.ratio_in_cycles.map(figures)),
        ],
    )
}
