//! The report of a profile: tables, bars, and notes; and the report of a comparison of two profiles.

mod playouts;

use super::{ComparedRow, Comparison, PathRow, Profile, Sample, SearchersProfile, Spread};
use crate::report::{
    Block, Cell, Document, Table, bar, column, columns, count, decimals, duration, rate, with_thousands,
};
use crate::stats::{Estimate, Method};
use crate::words::counted;

/// The width of the longest bar.
const BAR: usize = 20;

/// The profile as a report.
pub fn document(profile: &Profile) -> Document {
    let position =
        if profile.position.is_empty() { "the start".into() } else { format!("`{}`", profile.position) };
    let Profile { game, policy, host, .. } = profile;
    let whose = if profile.playouts.is_some() { "" } else { " of searchers" };
    let mut head = vec![format!(
        "{} build {}, {}, {} at once{}",
        host.build,
        host.commit,
        host.cpu,
        counted(host.cores as u64, "thread"),
        frequency(profile)
    )];
    head.extend(busy(profile));
    let mut blocks =
        vec![Block::Heading(format!("{game}: {policy} playouts{whose} from {position}")), Block::Text(head)];
    blocks.extend(profile.playouts.iter().flat_map(|part| playouts::blocks(part, &profile.settings)));
    blocks.extend(profile.searchers.iter().flat_map(|part| searchers(part, policy)));
    Document(blocks)
}

/// The samples of all paths.
fn samples(profile: &Profile) -> impl Iterator<Item = &Sample> {
    let rows = profile.playouts.iter().flat_map(|playouts| &playouts.paths);
    rows.flat_map(|row: &PathRow| &row.samples)
}

/// The frequency to which the cycles refer.
fn frequency(profile: &Profile) -> String {
    let cycles: Vec<f64> = samples(profile).filter_map(|sample| sample.lap.cycle_ns).collect();
    if cycles.is_empty() {
        return String::new();
    }
    format!(", about {:.2} GHz", 1.0 / Spread::of(cycles).median)
}

/// A thread with a smaller fraction of its wall time on a CPU was kept waiting.
const BUSY: f64 = 0.95;

/// A warning if the machine was busy.
fn busy(profile: &Profile) -> Option<String> {
    let shares: Vec<f64> = samples(profile).map(|sample| sample.lap.cpu_ns / sample.lap.wall_ns).collect();
    let running = if shares.is_empty() { 1.0 } else { Spread::of(shares).median };
    (running < BUSY).then(|| {
        format!(
            "warning: the machine was busy: the thread had a CPU for {:.0} % of the time. Ratios are valid; measure speeds again on an idle machine",
            100.0 * running
        )
    })
}

/// An interval, or a dash.
fn interval(spread: &Spread, digits: usize) -> String {
    spread.interval.map_or_else(|| "–".into(), |[low, high]| format!("{low:.digits$}–{high:.digits$}"))
}

/// The smallest and the largest value.
fn range(spread: &Spread, digits: usize) -> String {
    format!("{:.digits$}–{:.digits$}", spread.min, spread.max)
}

/// A fraction as a percentage.
fn percent(share: f64) -> String {
    format!("{} %", decimals(100.0 * share, 1))
}

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
    blocks.push(Block::Table(ratios_of(&comparison.rows)));
    blocks.push(Block::Notes(vec![
        "Ratio: now over then; above 1 is faster now. The intervals (order statistics, at least 95 %) cover the rounds within \
         each profile. The profiles were not measured in turn, so a busier machine looks like a slower build. Cycles are \
         independent of the frequency."
            .into(),
    ]));
    Document(blocks)
}

fn ratios_of(rows: &[ComparedRow]) -> Table {
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

fn searchers(profile: &SearchersProfile, policy: &str) -> Vec<Block> {
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
