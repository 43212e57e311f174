//! A match in which each seating was one game, played again and again: what two deterministic players do from the start.
//!
//! No interval and no test is shown of such a match. They would take each repetition for evidence; that they could be
//! shown beside a warning was rejected, because a small p is believed all the same.

use super::with_thousands;
use crate::experiment::{ExperimentSummary, Meeting, Side, Summary, Warning};
use crate::stats::{EloInterval, Estimate};

/// What there is to know, and what to do.
pub(super) const WARNING: &str = "Warning: these are two games, one from either seat, and no evidence beyond them, however often they are played; \
     for games that differ write a manifest with openings and see `shikou run`, or let a player choose among equal moves \
     at random, as in minimax(depth=2,ties=random).";

/// Whether all games of each seating went the same way, though there was more than one.
pub(super) fn is_repeated(experiment: &ExperimentSummary) -> bool {
    let all_played = experiment.failures.is_empty();
    // Games are told apart for each seating, so that two are one of each.
    experiment.design == "match" && all_played && experiment.distinct_games == 2 && experiment.games > 2
}

/// What stands for a verdict then.
pub(super) fn sentence(experiment: &ExperimentSummary) -> String {
    let times = with_thousands(experiment.games / 2);
    format!("Nothing is estimated: from either seat one and the same game was played {times} times.")
}

/// The summary without intervals and tests of such matches; all others as they are.
pub(crate) fn without_repetitions(summary: &Summary) -> Summary {
    let mut summary = summary.clone();
    for experiment in summary.experiments.iter_mut().filter(|experiment| is_repeated(experiment)) {
        experiment.family = 0;
        for player in &mut experiment.players {
            drop_intervals([&mut player.success, &mut player.score]);
        }
        experiment.meetings.iter_mut().for_each(drop_evidence);
        // That would be advice to play more.
        experiment.warnings.retain(|warning| !matches!(warning, Warning::FewInstances { .. }));
    }
    summary
}

fn drop_evidence(meeting: &mut Meeting) {
    drop_intervals([&mut meeting.score, &mut meeting.margin]);
    meeting.elo = EloInterval::of_score(meeting.score);
    (meeting.normalized_elo, meeting.superiority, meeting.tested) = (None, None, None);
    for Side { won, drawn, lost, plies, .. } in
        meeting.sides.iter_mut().flat_map(|sides| [&mut sides.first, &mut sides.second, &mut sides.total])
    {
        drop_intervals([won, drawn, lost, plies]);
    }
}

fn drop_intervals<const N: usize>(estimates: [&mut Estimate; N]) {
    for estimate in estimates {
        *estimate = estimate.without_interval();
    }
}
