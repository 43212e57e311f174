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
use super::verdict::{budget_of, verdict};
use crate::experiment::{ExperimentSummary, PlayerSummary, RunFacts, Summary};

/// All figures of an experiment, the `index`th of its summary; those that [answer](answers) its question first.
pub(super) fn figures(summary: &Summary, index: usize, run: &Run<'_>) -> Vec<Figure> {
    let (experiment, facts) = (&summary.experiments[index], run.facts);
    let mut figures = answers(summary, index, facts);
    let answered: Vec<&str> = figures.iter().map(|figure| figure.kind).collect();
    let mut others = vec![players::players(experiment)];
    others.extend(players::comparisons(experiment));
    others.extend(learned::course(experiment));
    others.extend(cost::by_all_costs(experiment, facts, is_by_cost(experiment)));
    others.extend(sweep::sweeps(experiment));
    others.extend(sweep::over_experiments(summary, index));
    others.extend(players::cross_table(experiment));
    others.extend(players::ratings(experiment));
    others.extend(players::lengths(experiment));
    others.extend(run.times.and_then(|times| players::times(experiment, index, times, facts)));
    others.retain(|figure| figure.has_marks() && !answered.contains(&figure.kind));
    figures.append(&mut others);
    figures
}

/// Players whose positions a move differ by less than this factor cost about the same.
const ABOUT_EQUAL: f64 = 1.5;

/// Whether the players were meant to cost different amounts: those of a sweep, or all where no option of a player was swept. They were
/// not if they have the same budget, or about the same cost.
fn is_by_cost(experiment: &ExperimentSummary) -> bool {
    let played = || experiment.players.iter().filter(|player| player.trials > 0);
    let is_swept = played().any(|player| !player.swept.is_empty());
    let players = || played().filter(|player| !is_swept || !player.swept.is_empty());
    let Some(first) = players().next() else { return true };
    let is_alike = |player: &PlayerSummary| budget_of(player) == budget_of(first);
    if !budget_of(first).is_empty() && players().all(is_alike) {
        return false;
    }
    let costs = || players().map(|player| (player.plies + player.nodes) as f64 / player.moves.max(1) as f64);
    let (least, most) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
    !is_swept || most > ABOUT_EQUAL * least
}

/// The figures that answer the question of an experiment: success by the swept option, or by cost where players were meant to cost
/// different amounts, or else by player.
fn answers(summary: &Summary, index: usize, facts: &RunFacts) -> Vec<Figure> {
    let experiment = &summary.experiments[index];
    if is_by_cost(experiment) {
        return success_by_cost(experiment, facts).into_iter().collect();
    }
    let mut figures = sweep::sweeps(experiment);
    figures.extend(sweep::over_experiments(summary, index));
    if figures.is_empty() && experiment.swept.is_empty() {
        figures.push(players::players(experiment));
    }
    figures.retain(Figure::has_marks);
    figures
}

/// The figures that answer the questions of the experiments as SVG, and the curves of each training and optimisation; empty if nothing
/// was played.
///
/// A cost is processor time a game, if it is known of every player and the build was optimised; else positions a game.
/// Players that differ only in swept options are joined by a line. The colours are those of the reader's theme.
pub fn figure_svg(summary: &Summary, facts: &RunFacts) -> String {
    let answers = (0..summary.experiments.len()).flat_map(|index| answers(summary, index, facts));
    let learned = in_sweeps(&summary.trainings).flat_map(learned);
    let figures: Vec<Figure> =
        answers.chain(learned).chain(summary.optimisations.iter().flat_map(curves)).collect();
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
