//! Success against cost as one wide table for plotting programs: a player a row.

use super::axes::Axes;
use super::csv::Rows;
use super::{Exporter, Report};
use crate::experiment::{ExperimentSummary, Front, PlayerSummary, RunFacts, Summary};
use crate::report::page::Page;
use crate::stats::{Estimate, Method};

/// Success against cost.
pub(super) struct Figure;

impl Exporter for Figure {
    fn name(&self) -> &'static str {
        "figure"
    }

    fn about(&self) -> &'static str {
        "of a run success against cost as CSV, a player a row"
    }

    fn export(&self, report: &dyn Report, page: Page) -> Option<String> {
        let run = report.run()?;
        Some(figure_csv(run.summary, run.facts, page.guards_formulas).trim_end().into())
    }
}

/// The columns.
const COLUMNS: [&str; 20] = [
    "experiment",
    "game",
    "player",
    "search",
    "n",
    "measure",
    "value",
    "low",
    "high",
    "method",
    "playouts_per_move",
    "plies_per_move",
    "nodes_per_move",
    "positions_per_game",
    "front_by_positions",
    "cpu_ms_per_game",
    "cpu_low",
    "cpu_high",
    "cpu_method",
    "front_by_cpu",
];

/// Success against cost of every player of every experiment as CSV.
///
/// Each row has the experiment, the game with its options, the player; `n` trials, its measure (`success`, or
/// `points` a game) in `[0, 1]` with the 95 % interval and the method; the playouts, the plies in them and the nodes of a move; the positions
/// (plies and nodes) of a game, and its [place](Front) by success and these positions; the same of processor time, in milliseconds a game with the interval of its mean. A number that is not known is
/// empty: intervals before all trials are done, times of a debug build. The columns from `cpu_ms_per_game` on are of one
/// machine and one run. After these comes a column for each axis of a sweep. If `guards_formulas` is set, text that a
/// spreadsheet would take for a formula begins with an apostrophe.
pub fn figure_csv(summary: &Summary, facts: &RunFacts, guards_formulas: bool) -> String {
    let axes = Axes::of(summary);
    let mut rows =
        Rows::new(COLUMNS.map(String::from).into_iter().chain(axes.columns(&COLUMNS)), guards_formulas);
    for experiment in &summary.experiments {
        let fronts = experiment.front_by(|player| player.cpu_ns_a_trial);
        for (player, front) in experiment.players.iter().zip(fronts) {
            let row = row(experiment, player, facts.is_optimised().then_some(front));
            rows.write(row.into_iter().chain(axes.cells(experiment, &player.name)));
        }
    }
    rows.finish()
}

fn row(experiment: &ExperimentSummary, player: &PlayerSummary, front_by_cpu: Option<Front>) -> [String; 20] {
    let games = if experiment.paired { 2.0 } else { 1.0 };
    let a_move = |total: u64| (total as f64 / player.moves.max(1) as f64).to_string();
    let [value, low, high, method] =
        if player.trials == 0 { Default::default() } else { cells(&player.result()) };
    let [cpu, cpu_low, cpu_high, cpu_method] = match front_by_cpu {
        Some(_) if player.played > 0 => cells(&player.cpu_ns_a_trial.map(|ns| ns / 1e6 / games)),
        _ => Default::default(),
    };
    [
        experiment.name.clone(),
        experiment.game.clone(),
        player.name.clone(),
        player.search.clone(),
        player.trials.to_string(),
        if experiment.paired { "points" } else { "success" }.into(),
        value,
        low,
        high,
        method,
        a_move(player.playouts),
        a_move(player.plies),
        a_move(player.nodes),
        (player.positions.value / games).to_string(),
        player.front.name().into(),
        cpu,
        cpu_low,
        cpu_high,
        cpu_method,
        front_by_cpu.map_or("", Front::name).into(),
    ]
}

/// Value, ends and method; ends that are not there are empty.
fn cells(estimate: &Estimate) -> [String; 4] {
    let end = |end: f64| if estimate.method == Method::None { String::new() } else { end.to_string() };
    let Estimate { value, low, high, method } = *estimate;
    [value.to_string(), end(low), end(high), method.to_string()]
}
