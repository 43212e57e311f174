//! What a source published of players, beside their results.

use super::document::Block;
use super::numbers::{brackets, decimals, interval};
use super::table::Table;
use crate::experiment::ExperimentSummary;
use crate::stats::{Method, difference_of};

/// The table of published results; none without any.
pub(super) fn published(experiment: &ExperimentSummary) -> Option<Block> {
    let mut table = Table::new(&[
        "<player",
        ">published",
        "<its interval",
        ">here",
        "<95 % interval",
        ">here − published",
        "<interval",
    ]);
    for (player, published) in experiment.with_published() {
        let result = player.result();
        let difference = difference_of(&result, published);
        let ends = |low: f64, high: f64, is_known: bool| {
            if is_known { brackets(low, high, 3) } else { "–".into() }
        };
        table.row([
            player.name.clone(),
            decimals(published.value, 3),
            ends(published.low, published.high, published.method != Method::None),
            decimals(result.value, 3),
            interval(&result, 3),
            decimals(difference.value, 3),
            ends(difference.low, difference.high, difference.method != Method::None),
        ]);
    }
    (!table.is_empty()).then_some(Block::Table(table))
}
