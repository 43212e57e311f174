//! Success against cost as one wide table for plotting programs: a player a row.

use super::csv::{Axes, Rows};
use crate::experiment::{ExperimentSummary, PlayerSummary, RunFacts, Summary};
use crate::stats::{Estimate, Method};

/// A player with its experiment: value, ends and method of its result and of its processor time, and its place by that time.
struct Row<'e> {
    experiment: &'e ExperimentSummary,
    player: &'e PlayerSummary,
    result: [String; 4],
    cpu: [String; 4],
    front_by_cpu: &'static str,
}

impl Row<'_> {
    fn a_move(&self, total: u64) -> String {
        (total as f64 / self.player.moves.max(1) as f64).to_string()
    }
}

type CellOf = fn(&Row<'_>) -> String;

const COLUMNS: [(&str, CellOf); 20] = [
    ("experiment", |row| row.experiment.name.clone()),
    ("game", |row| row.experiment.game.clone()),
    ("player", |row| row.player.name.clone()),
    ("search", |row| row.player.search.clone()),
    ("n", |row| row.player.trials.to_string()),
    ("measure", |row| if row.experiment.paired { "points" } else { "success" }.into()),
    ("value", |row| row.result[0].clone()),
    ("low", |row| row.result[1].clone()),
    ("high", |row| row.result[2].clone()),
    ("method", |row| row.result[3].clone()),
    ("playouts_per_move", |row| row.a_move(row.player.playouts)),
    ("plies_per_move", |row| row.a_move(row.player.plies)),
    ("nodes_per_move", |row| row.a_move(row.player.nodes)),
    ("positions_per_game", |row| (row.player.positions.value / games(row.experiment)).to_string()),
    ("front_by_positions", |row| row.player.front.name().into()),
    ("cpu_ms_per_game", |row| row.cpu[0].clone()),
    ("cpu_low", |row| row.cpu[1].clone()),
    ("cpu_high", |row| row.cpu[2].clone()),
    ("cpu_method", |row| row.cpu[3].clone()),
    ("front_by_cpu", |row| row.front_by_cpu.into()),
];

/// The games of a trial.
fn games(experiment: &ExperimentSummary) -> f64 {
    if experiment.paired { 2.0 } else { 1.0 }
}

/// Success against cost of every player of every experiment as CSV.
///
/// Each row has the experiment, the game with its options, the player; `n` trials, its measure (`success`, or
/// `points` a game) in `[0, 1]` with the 95 % interval and the method; the playouts, the plies in them and the nodes of a move; the positions
/// (plies and nodes) of a game, and its [place](crate::experiment::Front) by success and these positions; the same of processor time, in milliseconds a game with the interval of its mean. A number that is not known is
/// empty: intervals before all trials are done, times of a debug build. The columns from `cpu_ms_per_game` on are of one
/// machine and one run. After these comes a column for each axis of a sweep. If `guards_formulas` is set, text that a
/// spreadsheet would take for a formula begins with an apostrophe.
pub fn figure_csv(summary: &Summary, facts: &RunFacts, guards_formulas: bool) -> String {
    let axes = Axes::of(summary);
    let names = COLUMNS.map(|(name, _)| name);
    let mut rows =
        Rows::new(names.map(String::from).into_iter().chain(axes.columns(&names)), guards_formulas);
    for experiment in &summary.experiments {
        let fronts = experiment.front_by(|player| player.cpu_ns_a_trial);
        for (player, front) in experiment.players.iter().zip(fronts) {
            let has_times = facts.is_optimised();
            let a_game = player.cpu_ns_a_trial.map(|ns| ns / 1e6 / games(experiment));
            let known = |is_known: bool, figure| if is_known { cells(figure) } else { Default::default() };
            let row = Row {
                experiment,
                player,
                result: known(player.trials > 0, &player.result()),
                cpu: known(has_times && player.played > 0, &a_game),
                front_by_cpu: if has_times { front.name() } else { "" },
            };
            let cells = COLUMNS.iter().map(|(_, cell)| cell(&row));
            rows.write(cells.chain(axes.cells(experiment, &player.name)));
        }
    }
    rows.finish()
}

/// Value, ends and method; ends that are not there are empty.
fn cells(estimate: &Estimate) -> [String; 4] {
    let end = |end: f64| if estimate.method == Method::None { String::new() } else { end.to_string() };
    let Estimate { value, low, high, method } = *estimate;
    [value.to_string(), end(low), end(high), method.to_string()]
}
