//! Success against counted work (playouts, plies, nodes): a table, and for many players a plot.

use super::document::Block;
use super::numbers::{count, decimals};
use super::picture::{Point, picture};
use super::table::{Cell, Column, Table, column, grouped, named, unseen};
use crate::experiment::{ExperimentSummary, PlayerSummary};

/// The work of each player; empty if no player searched.
pub(super) fn work(experiment: &ExperimentSummary) -> Vec<Block> {
    if experiment.players.iter().all(|player| player.plies + player.nodes == 0) {
        return Vec::new();
    }
    let [success, positions] = axes(experiment);
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
    let picture = picture(&points, &success[1..], &positions[1..]);
    let mut blocks = vec![Table::of(&experiment.players, of_work(experiment)).into()];
    blocks.extend((!picture.is_empty()).then_some(Block::Picture(picture)));
    blocks
}

/// The headings of the success and of the cost of a trial.
fn axes(experiment: &ExperimentSummary) -> [&'static str; 2] {
    if experiment.paired { [">points", ">positions per pair"] } else { [">success", ">positions per deal"] }
}

/// The figures of a player's work.
pub(super) fn of_work<'e>(experiment: &ExperimentSummary) -> [Column<'e, PlayerSummary>; 9] {
    let [success, positions] = axes(experiment);
    let total = |name: &str, of: fn(&PlayerSummary) -> u64| {
        let cell = move |player: &PlayerSummary| {
            let a_move = of(player) as f64 / player.moves.max(1) as f64;
            Some([Cell::figure(of(player), "", count(a_move))])
        };
        named(&[name], grouped([&format!(">{name} per move")], cell))
    };
    let cost = |of: &PlayerSummary| Some([Cell::figure(of.positions.value, "", count(of.positions.value))]);
    let front = |of: &PlayerSummary| Some([Cell::figure(of.front.name(), "", of.front.mark())]);
    [
        column("<work", &|player| player.name.clone()),
        column(success, &|player| decimals(player.result().value, 3)),
        unseen("trials played", |player: &PlayerSummary| Some(player.played)),
        unseen("moves", |player: &PlayerSummary| Some(player.moves)),
        total("playouts", |player| player.playouts),
        total("plies", |player| player.plies),
        total("nodes", |player| player.nodes),
        named(&["positions a trial"], grouped([positions], cost)),
        named(&["front"], grouped(["<Pareto-optimal"], front)),
    ]
}
