//! The report of a profile: tables, bars, and notes.

mod compared;
mod playouts;
mod searchers;

pub use compared::compared_document;

use super::{PathRow, Profile, Sample, Spread};
use crate::report::{Block, Document, decimals};
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
    blocks.extend(profile.searchers.iter().flat_map(|part| searchers::blocks(part, policy)));
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
