//! The table of searchers.

use super::super::SearchersProfile;
use super::{BAR, percent};
use crate::report::{Block, Table, bar, count, decimals, duration, rate, with_thousands};

pub(super) fn blocks(profile: &SearchersProfile, policy: &str) -> Vec<Block> {
    let headings = [
        "<searcher",
        ">playouts/s",
        ">nodes/s",
        ">first decision",
        ">later",
        ">playouts",
        ">nodes",
        ">batch",
        ">overhead",
        "<quartiles",
        "<",
    ];
    let mut table = Table::new(&headings);
    for row in &profile.rows {
        let median =
            |spread: Option<super::Spread>| spread.map_or_else(|| "–".into(), |spread| rate(spread.median));
        let share = row.own_share;
        table.row([
            row.searcher.clone(),
            median(row.playouts_per_s),
            median(row.nodes_per_s),
            duration(row.ns_per_decision.median as u64),
            row.later_ns.map_or_else(|| "–".into(), |spread| duration(spread.median as u64)),
            count(row.playouts as f64),
            count(row.nodes as f64),
            count(row.playouts as f64 / row.batches.max(1) as f64),
            share.map_or_else(|| "–".into(), |share| percent(share.median)),
            share.map_or_else(
                || "–".into(),
                |share| format!("{}–{}", decimals(100.0 * share.q1, 1), percent(share.q3)),
            ),
            share.map_or_else(String::new, |share| bar(share.median, BAR)),
        ]);
    }
    let mut notes = vec![
        format!(
            "Default options, {policy} playouts. Searchers with a budget had {} playouts, or nodes if they make \
             no playouts. Medians over rounds, in CPU time. First: by a new machine, with its construction; later: the next \
             of the same machine, a few plies later in the game.",
            with_thousands(profile.budget)
        ),
        "Overhead (and bar): the fraction of the time outside playouts, estimated from as many playouts alone, in batches \
         of the same mean size from this position."
            .into(),
    ];
    if !profile.unfit.is_empty() {
        notes.push(String::new());
        notes.push("Not measured:".into());
        notes.extend(profile.unfit.iter().map(|unfit| format!("{}: {}", unfit.searcher, unfit.reason)));
    }
    vec![Block::Table(table), Block::Notes(notes)]
}
