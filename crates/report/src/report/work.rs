//! Success against counted work (playouts, plies, nodes): a table, and for many players a plot.

use super::document::Block;
use super::numbers::{count, decimals};
use super::picture::{Point, picture};
use super::table::{Table, column};
use crate::experiment::{ExperimentSummary, PlayerSummary};

/// The work of each player; empty if no player searched.
pub(super) fn work(experiment: &ExperimentSummary) -> Vec<Block> {
    if experiment.players.iter().all(|player| player.plies + player.nodes == 0) {
        return Vec::new();
    }
    let success = if experiment.paired { ">points" } else { ">success" };
    let trial = if experiment.paired { ">positions per pair" } else { ">positions per deal" };
    let a_move = |player: &PlayerSummary, total: u64| count(total as f64 / player.moves.max(1) as f64);
    let table = Table::of(
        &experiment.players,
        [
            column("<work", &|player| player.name.clone()),
            column(success, &|player| decimals(player.result().value, 3)),
            column(">playouts per move", &|player| a_move(player, player.playouts)),
            column(">plies per move", &|player| a_move(player, player.plies)),
            column(">nodes per move", &|player| a_move(player, player.nodes)),
            column(trial, &|player| count(player.positions.value)),
            column("<Pareto-optimal", &|player| player.front.mark()),
        ],
    );
    let points: Vec<Point<'_>> = experiment
        .players
        .iter()
        .map(|player| Point {
            name: &player.name,
            success: player.result().value,
            cost: player.positions.value,
            front: player.front.is_marked(),
        })
        .collect();
    let picture = picture(&points, &success[1..], &trial[1..]);
    let mut blocks = vec![Block::Table(table)];
    blocks.extend((!picture.is_empty()).then_some(Block::Picture(picture)));
    blocks
}
