//! The times of the moves of a match.

use serde::Serialize;

use crate::experiment::{ExperimentSummary, MoveTimes};
use crate::report::{Table, duration, with_thousands};

/// The wall times of a player's moves, in nanoseconds. Not deterministic.
#[derive(Serialize)]
pub(super) struct PlayerTimes {
    player: String,
    moves: u64,
    mean_ns: Option<u64>,
    p50_ns: Option<u64>,
    p99_ns: Option<u64>,
    max_ns: Option<u64>,
}

/// The times of the players of a match.
pub(super) fn player_times(experiment: &ExperimentSummary, times: &MoveTimes) -> Vec<PlayerTimes> {
    let of = |(index, player): (usize, &crate::experiment::PlayerSummary)| PlayerTimes {
        player: player.name.clone(),
        moves: player.moves,
        mean_ns: (player.moves > 0).then(|| (player.wall_ns / player.moves as f64) as u64),
        p50_ns: times.quantile_ns(0, index, 0.5),
        p99_ns: times.quantile_ns(0, index, 0.99),
        max_ns: times.max_ns(0, index),
    };
    experiment.players.iter().enumerate().map(of).collect()
}

/// The same as a table.
pub(super) fn times_table(players: &[PlayerTimes]) -> Table {
    let mut table = Table::new(&["<time a move", ">moves", ">mean", ">p50", ">p99", ">max"]);
    for player in players {
        let time = |ns: Option<u64>| ns.map_or_else(|| "–".into(), duration);
        table.row([
            player.player.clone(),
            with_thousands(player.moves),
            time(player.mean_ns),
            time(player.p50_ns),
            time(player.p99_ns),
            time(player.max_ns),
        ]);
    }
    table
}
