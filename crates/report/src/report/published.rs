//! What a source published of players, beside their results.

use super::document::Block;
use super::numbers::{brackets, decimals};
use super::table::{Table, column, columns, estimate};
use crate::experiment::ExperimentSummary;
use crate::stats::{Estimate, Method, difference_of};

/// The table of published results; none without any.
pub(super) fn published(experiment: &ExperimentSummary) -> Option<Block> {
    let with_ends = |Estimate { value, low, high, method }: Estimate| {
        let ends = if method == Method::None { "–".into() } else { brackets(low, high, 3) };
        Some([decimals(value, 3).into(), ends.into()])
    };
    let rows: Vec<_> = experiment.with_published().collect();
    let table = Table::of(
        &rows,
        [
            column("<player", &|(player, _)| player.name.clone()),
            columns([">published", "<its interval"], &|(_, published)| with_ends(**published)),
            estimate(">here", 3, &|(player, _)| Some(player.result())),
            columns([">here − published", "<interval"], &|(player, published)| {
                with_ends(difference_of(&player.result(), published))
            }),
        ],
    );
    (!table.is_empty()).then_some(Block::Table(table))
}
