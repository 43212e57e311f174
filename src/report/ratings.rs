//! The cross table and the ratings of more than two players.

use super::run::interval;
use super::{Block, Extent, Table, decimals};
use crate::experiment::ExperimentSummary;

/// So many columns of a cross table fit a terminal.
const MOST: usize = 16;

/// The share of the points that each row's player took from each column's.
pub(super) fn cross_table(experiment: &ExperimentSummary, extent: Extent) -> Vec<Block> {
    let players = experiment.players.len();
    if experiment.cross_table.is_empty() {
        return Vec::new();
    }
    if extent == Extent::Short && players > MOST {
        let where_it_is = "The cross table is in summary.json, and in the report as Markdown, CSV or JSON.";
        return vec![Block::Text(vec![where_it_is.into()])];
    }
    let mut headings = vec![">".to_owned(), "<score of the row against".to_owned()];
    headings.extend((1..=players).map(|number| format!(">{number}")));
    let mut table = Table::new(&headings);
    for (index, (player, scores)) in experiment.players.iter().zip(&experiment.cross_table).enumerate() {
        let score = |score: &Option<f64>| score.map_or_else(|| "·".into(), |score| decimals(score, 3));
        let mut row = vec![(index + 1).to_string(), player.name.clone()];
        row.extend(scores.iter().map(score));
        table.row(row);
    }
    vec![Block::Table(table)]
}

/// The players by their ratings.
pub(super) fn ratings(experiment: &ExperimentSummary) -> Vec<Block> {
    let Some(ratings) = &experiment.ratings else { return Vec::new() };
    let headings = [">rank", "<strategy", ">Elo", ">±", ">ahead of the next by", "<95 % interval"];
    let mut table = Table::new(&headings);
    for (place, player) in ratings.ranking.iter().enumerate() {
        let (ahead, range) = player.to_next.map_or_else(
            || ("–".into(), "–".into()),
            |estimate| (decimals(estimate.value, 0), interval(&estimate, 0)),
        );
        table.row([
            (place + 1).to_string(),
            player.name.clone(),
            decimals(player.elo, 0),
            decimals(player.standard_error, 0),
            ahead,
            range,
        ]);
    }
    let mut blocks = vec![Block::Table(table)];
    if ratings.prior {
        blocks.push(Block::Notes(vec![
            "The results alone would make a rating infinite: one drawn game between every two players was added.".into(),
        ]));
    }
    blocks
}
