//! A match by seats: the results of a player as the first and as the second.

use super::document::Block;
use super::numbers::with_thousands;
use super::table::{Cell, Column, Table, column, grouped, named, number_of};
use crate::experiment::{ExperimentSummary, Meeting, Side, Sides};
use crate::stats::Estimate;

/// The methods of the intervals.
pub(super) const LEGEND: &str = "By seat: 95 % Wilson intervals of the shares, for the total with the effective number of games in the pairs; \
     won, lost and drawn add up to 1; each interval is separate. Plies: 95 % interval by Student's t.";

/// The table of each meeting that has results by seat.
pub(super) fn sides(experiment: &ExperimentSummary) -> Vec<Block> {
    let table = |meeting: &Meeting| {
        let [name, games, won, share_won, drawn, share_drawn, lost, share_lost, plies] = of_side(meeting);
        let columns = [name, games, won, share_won, lost, share_lost, drawn, share_drawn, plies];
        Some(Table::of(&rows(meeting.sides.as_ref()?), columns).into())
    };
    experiment.meetings.iter().filter_map(table).collect()
}

/// The names of the seats of a match: `as first (x)`, `as second (o)`, `total`.
fn names(sides: &Sides) -> [String; 3] {
    let seat = |place: &str, index: usize| match &sides.seats {
        Some(names) => format!("as {place} ({})", names[index]),
        None => format!("as {place}"),
    };
    [seat("first", 0), seat("second", 1), "total".into()]
}

/// The seats with their results.
pub(super) fn rows(sides: &Sides) -> Vec<(String, &Side)> {
    names(sides).into_iter().zip([&sides.first, &sides.second, &sides.total]).collect()
}

/// The figures of a seat of a meeting.
pub(super) fn of_side<'s>(meeting: &Meeting) -> [Column<'s, (String, &'s Side)>; 9] {
    let known = |name: &str, heading: &str, digits: usize, of: fn(&Side) -> Estimate| {
        let cells =
            move |(_, side): &(String, &Side)| (side.games > 0).then(|| Cell::estimate(&of(side), digits));
        named(&[name], grouped([heading, "<95 % interval"], cells))
    };
    [
        column(&format!("<{} – {}", meeting.first, meeting.second), &|(name, _)| name.clone()),
        column(">games", &|(_, side)| with_thousands(side.games)),
        column(">won", &|(_, side)| number_of(side.wins_draws_losses[0])),
        known("share won", ">share", 4, |side| side.won),
        column(">drawn", &|(_, side)| number_of(side.wins_draws_losses[1])),
        known("share drawn", ">share", 4, |side| side.drawn),
        column(">lost", &|(_, side)| number_of(side.wins_draws_losses[2])),
        known("share lost", ">share", 4, |side| side.lost),
        known("plies", ">plies", 2, |side| side.plies),
    ]
}
