//! Quantiles of the times of moves.

use super::{title, words};
use crate::experiment::{ExperimentSummary, MoveTimes, RunFacts};
use crate::report::figure::{Axis, Figure, Line, Point, Scale, Series};
use crate::report::numbers::duration;
use crate::report::table::Table;

/// The quantiles that are shown.
const SHARES: [(&str, f64); 4] = [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("longest", 1.0)];

/// The quantiles of the wall times of each player's moves. `None` if no time is known or the build was not optimised.
pub(super) fn times(
    experiment: &ExperimentSummary,
    index: usize,
    times: &MoveTimes,
    facts: &RunFacts,
) -> Option<Figure> {
    if !facts.is_optimised() {
        return None;
    }
    let of = |player: usize, share: f64| match share {
        1.0 => times.max_ns(index, player),
        _ => times.quantile_ns(index, player, share),
    };
    let headings = ["<player".to_owned()].into_iter().chain(SHARES.map(|(name, _)| format!(">{name}")));
    let mut table = Table::new(&headings.collect::<Vec<_>>());
    for (number, player) in experiment.players.iter().enumerate() {
        let cells = SHARES.map(|(_, share)| of(number, share).map_or_else(|| "–".into(), duration));
        table.row([player.name.clone()].into_iter().chain(cells));
    }
    let series = SHARES.map(|(name, share)| {
        let point = |(row, player): (usize, &crate::experiment::PlayerSummary)| {
            let ns = of(row, share)?;
            let words = format!("{}, {name}: {}", player.name, duration(ns));
            Some(Point { x: (ns as f64).into(), y: row.into(), words })
        };
        Series::new(name, Line::None, experiment.players.iter().enumerate().filter_map(point))
    });
    let names = experiment.players.iter().map(|player| player.name.clone()).collect();
    let machine = facts.fact("cpu");
    let of_machine = if machine.is_empty() { String::new() } else { format!(". Times of one {machine}.") };
    let figure = Figure {
        kind: "times",
        title: title(experiment, "time a move"),
        about: format!("quantiles of the wall times of moves{of_machine}"),
        words: words(experiment),
        x: Axis::new("time a move", Scale::Decades([" ns", " µs", " ms", " s"])),
        y: Axis::new("player", Scale::Names(names)),
        series: series.into(),
        table,
        ..Figure::default()
    };
    figure.has_marks().then_some(figure)
}
