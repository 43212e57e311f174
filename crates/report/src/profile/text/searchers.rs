//! The table of searchers.

use super::super::SearchersProfile;
use super::{BAR, percent};
use crate::report::{Block, Table, bar, column, columns, count, decimals, duration, rate, with_thousands};

pub(super) fn blocks(profile: &SearchersProfile, policy: &str) -> Vec<Block> {
    let table = Table::of(
        &profile.rows,
        [
            column("<searcher", &|row| row.searcher.clone()),
            columns([">playouts/s"], &|row| Some([rate(row.playouts_per_s?.median).into()])),
            columns([">nodes/s"], &|row| Some([rate(row.nodes_per_s?.median).into()])),
            column(">first decision", &|row| duration(row.ns_per_decision.median as u64)),
            columns([">later"], &|row| Some([duration(row.later_ns?.median as u64).into()])),
            column(">playouts", &|row| count(row.playouts as f64)),
            column(">nodes", &|row| count(row.nodes as f64)),
            column(">batch", &|row| count(row.playouts as f64 / row.batches.max(1) as f64)),
            columns([">overhead", "<quartiles"], &|row| {
                let share = row.own_share?;
                let quartiles = format!("{}–{}", decimals(100.0 * share.q1, 1), percent(share.q3));
                Some([percent(share.median).into(), quartiles.into()])
            }),
            column("<", &|row| row.own_share.map_or_else(String::new, |share| bar(share.median, BAR))),
        ],
    );
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
