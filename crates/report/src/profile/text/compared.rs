//! The report of a comparison of two profiles.

use super::super::{ComparedRow, Comparison};
use crate::report::{Block, Document, Table, rate};
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
    let headings = ["<speed", ">then", ">now", ">ratio", "<95 % interval", ">in cycles", "<95 % interval"];
    let mut table = Table::new(&headings);
    for row in rows {
        let (ratio, of_ratio) = figures(&row.ratio);
        let (cycles, of_cycles) =
            row.ratio_in_cycles.as_ref().map_or_else(|| ("–".into(), "–".into()), figures);
        table.row([
            row.what.clone(),
            rate(row.then_per_s),
            rate(row.now_per_s),
            ratio,
            of_ratio,
            cycles,
            of_cycles,
        ]);
    }
    table
}

fn figures(ratio: &Estimate) -> (String, String) {
    let interval = if ratio.method == Method::None {
        "–".into()
    } else {
        format!("{:.3}–{:.3}", ratio.low, ratio.high)
    };
    (format!("{:.3}", ratio.value), interval)
}
