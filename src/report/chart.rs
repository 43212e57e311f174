//! Figures: success against cost as a chart, and the [curves](curve) of an optimisation, drawn as [SVG](svg).
//!
//! A chart is data: an axis of costs or generations, and series of points with intervals. What it looks like is decided in one place, so
//! that another kind of picture can draw the same chart. Drawing needs a few lines, fewer than a library for it would take.

pub(super) mod curve;
pub(super) mod svg;
mod svg_curve;

use super::numbers::{brackets, decimals};
use crate::experiment::{ExperimentSummary, PlayerSummary, RunFacts};
use crate::stats::{Estimate, Method};

/// Success against cost.
pub(super) struct Chart {
    pub(super) title: String,
    /// What success is: the label of the vertical axis.
    pub(super) success: &'static str,
    /// What cost is: the label of the horizontal axis.
    pub(super) cost: &'static str,
    /// The unit of a tick of 1, 10³, 10⁶ and 10⁹.
    pub(super) units: [&'static str; 4],
    /// What the costs depend on; empty if they are the same everywhere.
    pub(super) depends: String,
    pub(super) series: Vec<Series>,
}

/// Players that differ in what was swept only, in the order of the manifest.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<Point>,
}

/// A player.
pub(super) struct Point {
    pub(super) name: String,
    /// In `[0, 1]`.
    pub(super) success: Estimate,
    /// Not negative.
    pub(super) cost: f64,
}

impl Point {
    /// The point in words.
    pub(super) fn words(&self) -> String {
        let Estimate { value, low, high, method } = self.success;
        let interval =
            if method == Method::None { String::new() } else { format!(" {}", brackets(low, high, 3)) };
        format!("{}: {}{interval}", self.name, decimals(value, 3))
    }
}

impl Chart {
    /// The chart of an experiment: against processor time if that is known, else against positions a move. `None` if
    /// nothing was played.
    pub(super) fn of(experiment: &ExperimentSummary, facts: &RunFacts) -> Option<Self> {
        let played: Vec<&PlayerSummary> =
            experiment.players.iter().filter(|player| player.trials > 0).collect();
        if played.is_empty() {
            return None;
        }
        let games = if experiment.paired { 2.0 } else { 1.0 };
        let has_times = facts.is_optimised() && played.iter().all(|player| player.cpu_ns_a_trial.value > 0.0);
        let mut series: Vec<Series> = Vec::new();
        for player in played {
            let cost = if has_times {
                player.cpu_ns_a_trial.value / games
            } else {
                (player.plies + player.nodes) as f64 / player.moves.max(1) as f64
            };
            let point = Point { name: player.name.clone(), success: player.result(), cost };
            let name = series_of(player);
            match series.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push(point),
                None => series.push(Series { name, points: vec![point] }),
            }
        }
        let game = (experiment.name != experiment.game).then(|| format!(" ({})", experiment.game));
        let machine = facts.fact("cpu");
        Some(Self {
            title: experiment.name.clone() + &game.unwrap_or_default(),
            success: if experiment.paired { "points a game" } else { "success rate" },
            cost: if has_times { "processor time a game" } else { "positions a move" },
            units: if has_times { [" ns", " µs", " ms", " s"] } else { ["", " k", " M", " G"] },
            depends: if has_times && !machine.is_empty() {
                format!("Times of one {machine}.")
            } else {
                String::new()
            },
            series,
        })
    }
}

/// The name of a player without the values that a sweep chose.
fn series_of(player: &PlayerSummary) -> String {
    let swept = |word: &&str| {
        let option = word.split_once('=').map_or("", |(option, _)| option);
        !player.swept.iter().any(|(axis, _)| axis == option || axis.ends_with(&format!(".{option}")))
    };
    let name: Vec<&str> = player.name.split(' ').filter(swept).collect();
    if name.is_empty() { player.name.clone() } else { name.join(" ") }
}
