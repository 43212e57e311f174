//! The figures of a run, each only if its data are there.

mod cost;
mod learned;
mod players;
mod sweep;

use self::cost::success_by_cost;
pub(super) use self::learned::{curves, learned};

use super::figure::svg::{Colours, svg_file};
use super::figure::{Axis, Figure, Scale};
use super::run::Run;
use super::training::in_sweeps;
use super::verdict::verdict;
use crate::experiment::{ExperimentSummary, RunFacts, Summary};

/// All figures of an experiment, the `index`th of its summary.
pub(super) fn figures(summary: &Summary, index: usize, run: &Run<'_>) -> Vec<Figure> {
    let (experiment, facts) = (&summary.experiments[index], run.facts);
    let mut figures = vec![players::players(experiment)];
    figures.extend(players::comparisons(experiment));
    figures.extend(learned::course(experiment));
    figures.extend(cost::by_all_costs(experiment, facts));
    figures.extend(sweep::sweeps(experiment));
    figures.extend(sweep::over_experiments(summary, index));
    figures.extend(players::cross_table(experiment));
    figures.extend(players::ratings(experiment));
    figures.extend(players::lengths(experiment));
    figures.extend(run.times.and_then(|times| players::times(experiment, index, times, facts)));
    figures.retain(Figure::has_marks);
    figures
}

/// Success against cost as SVG, one figure an experiment, and the curves of each training and optimisation; empty if nothing was
/// played.
///
/// The cost is processor time a game, if it is known of every player and the build was optimised; else positions a game.
/// Players that differ only in swept options are joined by a line. The colours are those of the reader's theme.
pub fn figure_svg(summary: &Summary, facts: &RunFacts) -> String {
    let costs = summary.experiments.iter().filter_map(|experiment| success_by_cost(experiment, facts));
    let learned = in_sweeps(&summary.trainings).flat_map(learned);
    let figures: Vec<Figure> =
        costs.chain(learned).chain(summary.optimisations.iter().flat_map(curves)).collect();
    if figures.is_empty() { String::new() } else { svg_file(&figures, Colours::Themed) }
}

/// A figure of an experiment without marks, with its verdict in words.
fn of_experiment(experiment: &ExperimentSummary, kind: &'static str, what: &str) -> Figure {
    let title = format!("{}: {what}", experiment.name);
    Figure { kind, title, words: words(experiment), ..Figure::default() }
}

/// A figure with a row for each player.
fn of_players(experiment: &ExperimentSummary, kind: &'static str, what: &str) -> Figure {
    let names = experiment.players.iter().map(|player| player.name.clone()).collect();
    Figure { y: Axis::new("player", Scale::Names(names)), ..of_experiment(experiment, kind, what) }
}

fn words(experiment: &ExperimentSummary) -> String {
    let sentences = verdict(experiment);
    if sentences.is_empty() {
        "Some trials are missing, so there is no verdict.".into()
    } else {
        sentences.join(" ")
    }
}
