//! A match of two deterministic players from the start: one game per seating, repeated.
//!
//! The report has no intervals and no tests of such a match, because they would count each repetition as evidence. Showing
//! them beside a warning was rejected: readers believe a small p all the same.

use super::numbers::with_thousands;
use crate::experiment::{ExperimentSummary, Meeting, Side, Summary, Warning};
use crate::stats::{EloInterval, Estimate};

/// The warning and its advice.
pub(super) const WARNING: &str = "Warning: both players are deterministic, so all repetitions are two games, one from either seat, and no further \
     evidence; for different games give the pairs openings, such as --openings 4, or let a player choose randomly \
     among equal moves, as in minimax(depth=2,ties=random).";

/// Whether all games of each seating are the same, with more than one game per seating.
pub(super) fn is_repeated(experiment: &ExperimentSummary) -> bool {
    let all_played = experiment.failures.is_empty();
    // Games of different seatings count as different, so that two means one for each.
    experiment.design == "match" && all_played && experiment.distinct_games == 2 && experiment.games > 2
}

/// The sentence in place of a verdict.
pub(super) fn sentence(experiment: &ExperimentSummary) -> String {
    let times = with_thousands(experiment.games / 2);
    format!("No estimates: the same game was played {times} times from either seat.")
}

/// The summary without intervals and tests for such matches.
pub(crate) fn without_repetitions(summary: &Summary) -> Summary {
    let mut summary = summary.clone();
    for experiment in summary.experiments.iter_mut().filter(|experiment| is_repeated(experiment)) {
        experiment.family = 0;
        for player in &mut experiment.players {
            drop_intervals(player.points.iter_mut().chain([&mut player.margin]));
        }
        experiment.meetings.iter_mut().for_each(drop_evidence);
        // Its advice, to play more, would not help.
        experiment.warnings.retain(|warning| !matches!(warning, Warning::FewInstances { .. }));
    }
    summary
}

fn drop_evidence(meeting: &mut Meeting) {
    drop_intervals([&mut meeting.points, &mut meeting.margin]);
    meeting.elo = EloInterval::of_score(meeting.points);
    (meeting.normalized_elo, meeting.superiority, meeting.tested) = (None, None, None);
    for Side { won, drawn, lost, plies, .. } in
        meeting.sides.iter_mut().flat_map(|sides| [&mut sides.first, &mut sides.second, &mut sides.total])
    {
        drop_intervals([won, drawn, lost, plies]);
    }
}

fn drop_intervals<'e>(estimates: impl IntoIterator<Item = &'e mut Estimate>) {
    for estimate in estimates {
        *estimate = estimate.without_interval();
    }
}
