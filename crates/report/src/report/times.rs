//! The times of a run.

use super::document::Block;
use super::numbers::{duration, rate};
use super::table::Table;
use crate::experiment::{ExperimentSummary, MoveTimes, RunFacts};
use crate::stats::{Confidence, Method};

/// The heading of the first column, by which a table of times is known.
pub(super) const FIRST_HEADING: &str = "time per move";

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
    let time_heading = format!("<{FIRST_HEADING}");
    let headings = [
        time_heading.as_str(),
        ">p50",
        "<95 % interval",
        ">p90",
        ">p99",
        ">max",
        ">mean",
        wall,
        cpu,
        ">playouts/s",
        "<Pareto-optimal",
    ];
    let mut table = Table::new(&headings);
    let fronts = experiment.front_by(|player| player.cpu_ns_a_trial);
    for (number, (player, front)) in experiment.players.iter().zip(fronts).enumerate() {
        let time = |ns: Option<u64>| ns.map_or_else(|| "–".into(), duration);
        let range = match times.median_ns(index, number, confidence) {
            Some(median) if median.method == Method::OrderStatistics => {
                format!("[{}, {}]", duration(median.low as u64), duration(median.high as u64))
            }
            _ => "–".into(),
        };
        let mean =
            |total: f64, of: u64| if of == 0 { "–".into() } else { duration((total / of as f64) as u64) };
        let playouts = if facts.is_optimised() { times.playouts_per_s(index, number) } else { None };
        table.row([
            player.name.clone(),
            time(times.quantile_ns(index, number, 0.5)),
            range,
            time(times.quantile_ns(index, number, 0.9)),
            time(times.quantile_ns(index, number, 0.99)),
            time(times.max_ns(index, number)),
            mean(player.wall_ns, player.moves),
            mean(player.wall_ns, player.played),
            mean(player.cpu_ns, player.played),
            playouts.map_or_else(|| "–".into(), rate),
            front.mark().into(),
        ]);
    }
    Block::OfThisRun(vec![Block::Table(table)])
}
