//! A match by seats: the results of a player as the first and as the second.

use super::document::Block;
use super::numbers::with_thousands;
use super::table::{Table, column, estimate};
use crate::experiment::{ExperimentSummary, Meeting, Side, Sides};
use crate::stats::Estimate;

/// The methods of the intervals.
pub(super) const LEGEND: &str = "By seat: 95 % Wilson intervals of the shares, for the total with the effective number of games in the pairs; \
     won, lost and drawn add up to 1; each interval is separate. Plies: 95 % interval by Student's t.";

/// The table of each meeting that has results by seat.
pub(super) fn sides(experiment: &ExperimentSummary) -> Vec<Block> {
    let tables =
        experiment.meetings.iter().filter_map(|meeting| Some(table(meeting, meeting.sides.as_ref()?)));
    tables.map(Block::Table).collect()
}

/// The names of the seats of a match: `as first (x)`, `as second (o)`, `total`.
pub(super) fn names(sides: &Sides) -> [String; 3] {
    let seat = |place: &str, index: usize| match &sides.seats {
        Some(names) => format!("as {place} ({})", names[index]),
        None => format!("as {place}"),
    };
    [seat("first", 0), seat("second", 1), "total".into()]
}

fn table(meeting: &Meeting, sides: &Sides) -> Table {
    let rows: Vec<(String, &Side)> =
        names(sides).into_iter().zip([&sides.first, &sides.second, &sides.total]).collect();
    let known = |side: &Side, figure: Estimate| (side.games > 0).then_some(figure);
    Table::of(
        &rows,
        [
            column(&format!("<{} – {}", meeting.first, meeting.second), &|(name, _)| name.clone()),
            column(">games", &|(_, side)| with_thousands(side.games)),
            column(">won", &|(_, side)| with_thousands(side.wins_draws_losses[0])),
            estimate(">share", 4, &|(_, side)| known(side, side.won)),
            column(">lost", &|(_, side)| with_thousands(side.wins_draws_losses[2])),
            estimate(">share", 4, &|(_, side)| known(side, side.lost)),
            column(">drawn", &|(_, side)| with_thousands(side.wins_draws_losses[1])),
            estimate(">share", 4, &|(_, side)| known(side, side.drawn)),
            estimate(">plies", 2, &|(_, side)| known(side, side.plies)),
        ],
    )
}
