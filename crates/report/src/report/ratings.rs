//! The cross table and the ratings of more than two players.

use super::document::{Block, Extent};
use super::numbers::decimals;
use super::table::{Column, Table, column, estimate, named, number};
use crate::experiment::{ExperimentSummary, RankedPlayer};

/// The largest number of players of a cross table for a terminal.
const MOST: usize = 16;

/// The note on ratings with a prior.
pub const PRIOR: &str = "A rating would be infinite by the results alone: one drawn game was added between every two players that met, \
     directly or by way of others, so these are not the ratings of maximum likelihood.";

/// The points a game of each row's player against each column's.
pub(super) fn cross_table(experiment: &ExperimentSummary, extent: Extent) -> Vec<Block> {
    let players = experiment.players.len();
    if experiment.cross_table.is_empty() {
        return Vec::new();
    }
    if extent == Extent::Short && players > MOST {
        let where_it_is = "The cross table is in summary.json, and in the report as Markdown, CSV or JSON.";
        return vec![Block::Text(vec![where_it_is.into()])];
    }
    let mut headings = vec![">".to_owned(), "<points of the row against".to_owned()];
    headings.extend((1..=players).map(|number| format!(">{number}")));
    let mut table = Table::new(&headings);
    for (index, (player, points)) in experiment.players.iter().zip(&experiment.cross_table).enumerate() {
        let cell = |points: &Option<f64>| points.map_or_else(|| "·".into(), |points| decimals(points, 3));
        let mut row = vec![(index + 1).to_string(), player.name.clone()];
        row.extend(points.iter().map(cell));
        table.row(row);
    }
    vec![Block::Table(table)]
}

/// The players by their ratings.
pub(super) fn ratings(experiment: &ExperimentSummary) -> Vec<Block> {
    let Some(ratings) = &experiment.ratings else { return Vec::new() };
    let rows: Vec<_> = (1..).zip(&ratings.ranking).collect();
    let mut blocks = vec![Table::of(&rows, of_rating()).into()];
    if ratings.prior {
        blocks.push(Block::Notes(vec![PRIOR.into()]));
    }
    blocks
}

/// The figures of a rating, which has a rank.
pub(super) fn of_rating<'r>() -> [Column<'r, (u32, &'r RankedPlayer)>; 5] {
    [
        column(">rank", &|(place, _)| *place),
        column("<player", &|(_, player)| player.name.clone()),
        number(">Elo", 0, &|(_, player)| Some(player.elo)),
        named(&["standard error"], number(">std. error", 0, &|(_, player)| Some(player.standard_error))),
        named(&["ahead of the next by"], estimate(">lead over the next", 0, &|(_, player)| player.to_next)),
    ]
}
