//! The times of a run.

use super::document::Block;
use super::numbers::{duration, rate};
use super::table::{Table, column, columns, grouped};
use crate::experiment::{ExperimentSummary, Front, MoveTimes, PlayerSummary, RunFacts};
use crate::stats::{Confidence, Method};

/// The heading of the first column, by which a table of times is known.
pub(super) const FIRST_HEADING: &str = "time per move";

/// A player with its number and its place on the front of success against processor time.
type Row<'r> = (usize, (&'r PlayerSummary, Front));

/// The times of an experiment's players.
pub(super) fn times(
    experiment: &ExperimentSummary,
    index: usize,
    times: &MoveTimes,
    facts: &RunFacts,
) -> Block {
    let confidence = Confidence::default_level();
    let (wall, cpu) = if experiment.paired {
        (">wall per pair", ">CPU per pair")
    } else {
        (">wall per deal", ">CPU per deal")
    };
    let cell = |ns: u64| [duration(ns).into()];
    let quantile = |heading: &str, share| {
        grouped([heading], move |(number, _): &Row<'_>| times.quantile_ns(index, *number, share).map(cell))
    };
    let mean = |heading: &str, of: fn(&PlayerSummary) -> (f64, u64)| {
        grouped([heading], move |(_, (player, _)): &Row<'_>| {
            let (total, number) = of(player);
            (number > 0).then(|| cell((total / number as f64) as u64))
        })
    };
    let fronts = experiment.front_by(|player| player.cpu_ns_a_trial);
    let rows: Vec<_> = experiment.players.iter().zip(fronts).enumerate().collect();
    let table = Table::of(
        &rows,
        [
            column(&format!("<{FIRST_HEADING}"), &|(_, (player, _))| player.name.clone()),
            quantile(">p50", 0.5),
            columns(["<95 % interval"], &|(number, _)| {
                let median = times.median_ns(index, *number, confidence)?;
                let [low, high] = [median.low, median.high].map(|ns| duration(ns as u64));
                (median.method == Method::OrderStatistics).then(|| [format!("[{low}, {high}]").into()])
            }),
            quantile(">p90", 0.9),
            quantile(">p99", 0.99),
            columns([">max"], &|(number, _)| times.max_ns(index, *number).map(cell)),
            mean(">mean", |player| (player.wall_ns, player.moves)),
            mean(wall, |player| (player.wall_ns, player.played)),
            mean(cpu, |player| (player.cpu_ns, player.played)),
            columns([">playouts/s"], &|(number, _)| {
                let playouts = times.playouts_per_s(index, *number).filter(|_| facts.is_optimised());
                Some([rate(playouts?).into()])
            }),
            column("<Pareto-optimal", &|(_, (_, front))| front.mark()),
        ],
    );
    Block::OfThisRun(vec![Block::Table(table)])
}
