//! Sweeps whose best value is the first or the last of its axis: then the answer may lie outside.

use crate::experiment::{ExperimentSummary, PlayerSummary};

/// The sentence about the axes whose best value is at an edge, if there are some. Axes of words have no edge.
pub(super) fn edges(experiment: &ExperimentSummary) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let swept = experiment.players.iter().filter(|player| !player.swept.is_empty());
    for name in swept.map(stem) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let found: Vec<String> = names.iter().flat_map(|name| edges_of(experiment, name)).collect();
    (!found.is_empty()).then(|| {
        format!(
            "The best value is at the edge of its sweep, and a better one may lie beyond: {}.",
            found.join(", ")
        )
    })
}

/// The name of a player without its swept values.
fn stem(player: &PlayerSummary) -> &str {
    let shorter = |name: &'_ str, (axis, value): &(String, String)| {
        name.strip_suffix(&format!(" {axis}={value}")).map_or(name.len(), str::len)
    };
    player.swept.iter().rev().fold(&player.name, |name, choice| &name[..shorter(name, choice)])
}

/// The edges of the sweep of this name.
fn edges_of(experiment: &ExperimentSummary, name: &str) -> Vec<String> {
    let of_sweep =
        || experiment.players.iter().filter(|player| !player.swept.is_empty() && stem(player) == name);
    let result = |player: &PlayerSummary| player.result().value;
    let Some(best) = of_sweep().reduce(|best, other| if result(other) > result(best) { other } else { best })
    else {
        return Vec::new();
    };
    let edge = |(index, (axis, text)): (usize, &(String, String))| {
        let is_beside = |other: &&PlayerSummary| {
            let pairs = || best.swept.iter().zip(&other.swept).enumerate();
            other.swept.len() == best.swept.len()
                && pairs().all(|(at, (a, b))| a.0 == b.0 && (at == index || a.1 == b.1))
        };
        let beside: Vec<&PlayerSummary> = of_sweep().filter(is_beside).collect();
        let number = |player: &&PlayerSummary| player.swept[index].1.parse::<f64>().ok();
        let values: Vec<f64> = beside.iter().map(number).collect::<Option<_>>()?;
        let (low, high) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
        let chosen: f64 = text.parse().ok()?;
        let differs = beside.iter().any(|player| result(player) < result(best));
        (differs && (chosen == low || chosen == high))
            .then(|| format!("{axis}={text} of {name} (from {low} to {high})"))
    };
    best.swept.iter().enumerate().filter_map(edge).collect()
}
