//! The times of the moves of a match.

use serde::Serialize;

use crate::experiment::{ExperimentSummary, MoveTimes};

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
