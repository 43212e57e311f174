//! A match of two deterministic players from the start: one game per seating, repeated.
//!
//! The report has no intervals and no tests of such a match, because they would count each repetition as evidence. Showing
//! them beside a warning was rejected: readers believe a small p all the same.

use super::numbers::with_thousands;
use crate::experiment::ExperimentSummary;

/// The warning and its advice.
pub(super) const WARNING: &str = "Warning: both players are deterministic, so all repetitions are two games, one from either seat, and no further \
     evidence; for different games give the pairs openings, such as --openings 4, or let a player choose randomly \
     among equal moves, as in minimax(depth=2,ties=random).";

/// Whether each meeting repeats one game from either seat.
pub(super) fn is_repeated(experiment: &ExperimentSummary) -> bool {
    !experiment.meetings.is_empty() && experiment.meetings.iter().all(|meeting| meeting.repeated)
}

/// The sentence in place of a verdict.
pub(super) fn sentence(experiment: &ExperimentSummary) -> String {
    let meetings = experiment.meetings.len() as u64;
    let times = with_thousands(experiment.games / (2 * meetings));
    let of_each = if meetings > 1 { "in each meeting " } else { "" };
    format!("No estimates: {of_each}the same game was played {times} times from either seat.")
}
