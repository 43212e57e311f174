//! The values of sweeps as columns.

use crate::experiment::{ExperimentSummary, Summary};

/// The axes of a run's sweeps, in the order in which they occur.
pub(super) struct Axes(Vec<String>);

impl Axes {
    pub(super) fn of(summary: &Summary) -> Self {
        let mut axes: Vec<String> = Vec::new();
        for experiment in &summary.experiments {
            let of_players = experiment.players.iter().flat_map(|player| &player.swept);
            for (axis, _) in experiment.swept.iter().chain(of_players) {
                if !axes.contains(axis) {
                    axes.push(axis.clone());
                }
            }
        }
        Self(axes)
    }

    /// The names of the columns beside others: the name of the axis, with `swept_` before it if another column has it.
    pub(super) fn columns(&self, others: &[&str]) -> Vec<String> {
        let name = |axis: &String| {
            if others.contains(&axis.as_str()) { format!("swept_{axis}") } else { axis.clone() }
        };
        self.0.iter().map(name).collect()
    }

    /// The cells of a row about an experiment, or about a player of it; empty for an axis that is not theirs.
    pub(super) fn cells(&self, experiment: &ExperimentSummary, player: &str) -> Vec<String> {
        let player = experiment.players.iter().find(|other| other.name == player);
        let values = || experiment.swept.iter().chain(player.iter().flat_map(|player| &player.swept));
        let cell = |axis: &String| values().find(|(other, _)| other == axis).map(|(_, value)| value.clone());
        self.0.iter().map(|axis| cell(axis).unwrap_or_default()).collect()
    }
}
