//! Quantiles of the times of moves, and the lengths of games.

use super::of_experiment;
use crate::experiment::{ExperimentSummary, Lengths, MoveTimes, PlayerSummary, RunFacts};
use crate::report::figure::{Axis, Figure, Line, Place, Point, Scale, Series};
use crate::report::numbers::{decimals, duration, significant, with_thousands};
use crate::report::table::Table;

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
        let point = |(row, player): (usize, &PlayerSummary)| {
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
        about: format!("quantiles of the wall times of moves{of_machine}"),
        x: Axis::new("time a move", Scale::Decades([" ns", " µs", " ms", " s"])),
        y: Axis::new("player", Scale::Names(names)),
        series: series.into(),
        table,
        ..of_experiment(experiment, "times", "time a move")
    };
    figure.has_marks().then_some(figure)
}

/// The lengths of each player's games: the median with the middle half and the middle nine tenths, the shortest and the
/// longest. `None` if all games are equally long.
pub(super) fn lengths(experiment: &ExperimentSummary) -> Option<Figure> {
    let mut table = Table::new(&[
        "<player",
        ">games",
        ">mean",
        ">shortest",
        ">5 %",
        ">25 %",
        ">median",
        ">75 %",
        ">95 %",
        ">longest",
    ]);
    let (mut half, mut most, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (row, player) in experiment.players.iter().enumerate() {
        let Some(Lengths { games, mean, quantiles }) = player.lengths else { continue };
        let name = &player.name;
        let numbers = quantiles.map(|plies| plies.to_string());
        let cells = [name.clone(), with_thousands(games), significant(libm::round(mean * 100.0) / 100.0)];
        table.row(cells.into_iter().chain(numbers));
        let [shortest, low, quarter, median, three_quarters, high, longest] = quantiles.map(f64::from);
        let point = |value: f64, interval: Option<[f64; 2]>, words: String| Point {
            x: Place { value, interval },
            y: row.into(),
            words: format!("{name}: {words}"),
        };
        let plies = |value: f64| decimals(value, 0);
        let words = format!(
            "median {} plies, half of the games {} to {}",
            plies(median),
            plies(quarter),
            plies(three_quarters)
        );
        half.push(point(median, Some([quarter, three_quarters]), words));
        for (value, share) in [(low, "5 %"), (high, "95 %")] {
            most.push(point(
                value,
                None,
                format!("{share} of the games have at most {} plies", plies(value)),
            ));
        }
        for (value, what) in [(shortest, "shortest"), (longest, "longest")] {
            ends.push(point(value, None, format!("the {what} has {} plies", plies(value))));
        }
    }
    let all = || ends.iter().map(|point| point.x.value);
    if all().fold(f64::INFINITY, f64::min) >= all().fold(f64::NEG_INFINITY, f64::max) {
        return None;
    }
    let names = experiment.players.iter().map(|player| player.name.clone()).collect();
    let series = [("median and middle half", half), ("5 % and 95 %", most), ("shortest and longest", ends)];
    Some(Figure {
        about: "plies of the games that were played to their end, with those of chance and of the opening"
            .into(),
        x: Axis::new("plies", Scale::Numbers([0.0, 0.0])),
        y: Axis::new("player", Scale::Names(names)),
        series: series.into_iter().map(|(name, points)| Series::new(name, Line::None, points)).collect(),
        table,
        ..of_experiment(experiment, "lengths", "lengths of games")
    })
}
