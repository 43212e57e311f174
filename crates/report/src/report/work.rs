//! Success against counted work (playouts, plies, nodes): a table, and for many players a plot.

use super::document::Block;
use super::numbers::{count, decimals};
use super::picture::{Point, picture};
use super::table::Table;
use crate::experiment::ExperimentSummary;

/// The work of each player; empty if no player searched.
pub(super) fn work(experiment: &ExperimentSummary) -> Vec<Block> {
    if experiment.players.iter().all(|player| player.plies + player.nodes == 0) {
        return Vec::new();
    }
    let success = if experiment.paired { ">points" } else { ">success" };
    let trial = if experiment.paired { ">positions per pair" } else { ">positions per deal" };
    let headings = [
        "<work",
        success,
        ">playouts per move",
        ">plies per move",
        ">nodes per move",
        trial,
        "<Pareto-optimal",
    ];
    let mut table = Table::new(&headings);
    for player in &experiment.players {
        let a_move = |total: u64| count(total as f64 / player.moves.max(1) as f64);
        table.row([
            player.name.clone(),
            decimals(player.result().value, 3),
            a_move(player.playouts),
            a_move(player.plies),
            a_move(player.nodes),
            count(player.positions.value),
            player.front.mark().into(),
        ]);
    }
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
