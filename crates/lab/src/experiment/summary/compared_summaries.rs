//! Two summaries compared: what can be said without the logs.

use super::Summary;
use super::compared::{Compared, ComparedPlayer};
use super::experiment::ExperimentSummary;
use super::meeting::Meeting;
use crate::stats::{Confidence, Estimate, Method, newcombe};

impl Compared {
    /// Compares two summaries, of which at least one has no log. No trials are matched, so the samples count as independent.
    pub fn of_summaries(first: &Summary, second: &Summary) -> Self {
        let mut players = Vec::new();
        for before in &first.experiments {
            let same =
                |after: &&ExperimentSummary| after.name == before.name && after.paired == before.paired;
            let Some(after) = second.experiments.iter().find(same) else { continue };
            players.extend(if before.paired { meetings(before, after) } else { solitaire(before, after) });
        }
        Self { matched: None, players, optimisations: Vec::new() }
    }
}

/// The players of a solitaire that both summaries have.
fn solitaire(before: &ExperimentSummary, after: &ExperimentSummary) -> Vec<ComparedPlayer> {
    let compare = |player: &super::player::PlayerSummary| {
        let other = after.players.iter().find(|other| other.name == player.name)?;
        let counts = [other, player].map(|player| (player.wins_draws_losses[0], player.trials));
        // Without trials there is nothing to compare.
        let [second, first] =
            counts.map(|(solved, trials)| (trials > 0).then(|| solved as f64 / trials as f64));
        let difference = newcombe(counts[0], counts[1], Confidence::default_level());
        Some(ComparedPlayer {
            success: Some([first?, second?]),
            ..compared(before, &player.name, None, difference)
        })
    };
    before.players.iter().filter_map(compare).collect()
}

/// The meetings that both summaries have.
fn meetings(before: &ExperimentSummary, after: &ExperimentSummary) -> Vec<ComparedPlayer> {
    let compare = |meeting: &Meeting| {
        let names = [&meeting.first, &meeting.second];
        let points = after.meetings.iter().find_map(|other| match [&other.first, &other.second] {
            same if same == names => Some(other.points.value),
            [second, first] if [first, second] == names => Some(1.0 - other.points.value),
            _ => None,
        })?;
        let value = points - meeting.points.value;
        let difference = Estimate { value, low: 0.0, high: 0.0, method: Method::None }.without_interval();
        Some(ComparedPlayer {
            points: Some([meeting.points.value, points]),
            ..compared(before, &meeting.first, Some(meeting.second.clone()), difference)
        })
    };
    before.meetings.iter().filter_map(compare).collect()
}

fn compared(
    experiment: &ExperimentSummary,
    player: &str,
    against: Option<String>,
    difference: Estimate,
) -> ComparedPlayer {
    ComparedPlayer {
        experiment: experiment.name.clone(),
        player: player.into(),
        against,
        shared_instances: 0,
        success: None,
        points: None,
        difference,
        margin: None,
        cpu_ratio: None,
    }
}
