//! A match by seats: the results of a player as the first and as the second.

use super::document::Block;
use super::numbers::{decimals, interval, with_thousands};
use super::table::Table;
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
    let about = format!("<{} – {}", meeting.first, meeting.second);
    let headings = [
        about.as_str(),
        ">games",
        ">won",
        ">share",
        "<95 % interval",
        ">lost",
        ">share",
        "<95 % interval",
        ">drawn",
        ">share",
        "<95 % interval",
        ">plies",
        "<95 % interval",
    ];
    let mut table = Table::new(&headings);
    for (name, side) in names(sides).into_iter().zip([&sides.first, &sides.second, &sides.total]) {
        table.row(row(name, side));
    }
    table
}

fn row(name: String, side: &Side) -> Vec<String> {
    let [won, drawn, lost] = side.wins_draws_losses;
    let mut row = vec![name, with_thousands(side.games)];
    let value = |estimate: &Estimate, digits| {
        if side.games == 0 { "–".into() } else { decimals(estimate.value, digits) }
    };
    for (count, share) in [(won, &side.won), (lost, &side.lost), (drawn, &side.drawn)] {
        row.extend([with_thousands(count), value(share, 4), interval(share, 4)]);
    }
    row.extend([value(&side.plies, 2), interval(&side.plies, 2)]);
    row
}
