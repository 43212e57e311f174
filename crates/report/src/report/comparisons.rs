//! The tables of comparisons of two players.

use super::document::{Block, Extent};
use super::numbers::{counted, decimals, interval, p_value, with_thousands};
use super::table::Table;
use crate::experiment::{Difference, ExperimentSummary, Meeting, Tested};
use crate::stats::{MatchCounts, mcnemar_mid_p};

/// The largest number of comparisons of an experiment for a terminal.
const MOST: usize = 15;

/// The tables of an experiment's comparisons; none before all trials are done.
pub(super) fn comparisons(experiment: &ExperimentSummary, extent: Extent) -> Vec<Block> {
    let (differences, left_out) =
        chosen(experiment, &experiment.differences, extent, |d| (d.players, d.tested));
    let (meetings, more_left_out) =
        chosen(experiment, &experiment.meetings, extent, |m| (m.players, m.tested));
    let mut blocks = if experiment.paired {
        of_meetings(experiment, &meetings)
    } else {
        of_differences(experiment, &differences)
    };
    let left_out = left_out + more_left_out;
    if left_out > 0 {
        blocks.push(Block::Notes(vec![format!(
            "{} left out here: summary.json has all, and so has the report as Markdown, CSV or JSON.",
            counted(left_out as u64, "comparison")
        )]));
    }
    blocks
}

/// The comparisons to show, by importance: the primary ones, those with the best player, the others; and the number of
/// the rest.
fn chosen<'c, C>(
    experiment: &ExperimentSummary,
    all: &'c [C],
    extent: Extent,
    facts: impl Fn(&C) -> ([usize; 2], Option<Tested>),
) -> (Vec<&'c C>, usize) {
    let success = |player: usize| experiment.players[player].result().value;
    let best = (0..experiment.players.len())
        .fold(0, |best, player| if success(player) > success(best) { player } else { best });
    let mut tested: Vec<&C> = all.iter().filter(|comparison| facts(comparison).1.is_some()).collect();
    tested.sort_by_key(|comparison| match facts(comparison) {
        (_, Some(Tested { primary: true, .. })) => 0,
        (players, _) if players.contains(&best) => 1,
        _ => 2,
    });
    let shown = if extent == Extent::Short { tested.len().min(MOST) } else { tested.len() };
    let left_out = tested.len() - shown;
    tested.truncate(shown);
    (tested, left_out)
}

fn p_values(tested: Option<Tested>) -> [String; 2] {
    match tested {
        None => ["–".into(), "–".into()],
        Some(Tested { p, primary: true, .. }) => [p_value(p), "primary".into()],
        Some(Tested { p, corrected_p, .. }) => [p_value(p), p_value(corrected_p)],
    }
}

fn of_meetings(experiment: &ExperimentSummary, meetings: &[&Meeting]) -> Vec<Block> {
    if meetings.is_empty() {
        return Vec::new();
    }
    let headings =
        ["<meeting", ">pairs", ">won", ">drawn", ">lost", ">points", "<95 % interval", ">p", ">corrected p"];
    let mut points = Table::new(&headings);
    let mut headings = vec!["<meeting", ">Elo", "<95 % interval", ">better", ">sign test"];
    let margin = format!(">margin, {}", experiment.margin_unit);
    if experiment.has_margin {
        headings.extend([margin.as_str(), "<95 % interval"]);
    }
    let mut elo = Table::new(&headings);
    for meeting in meetings {
        let name = format!("{} – {}", meeting.first, meeting.second);
        let mut row = vec![name.clone(), with_thousands(meeting.pairs)];
        row.extend(meeting.wins_draws_losses.map(with_thousands));
        row.extend([decimals(meeting.points.value, 3), interval(&meeting.points, 3)]);
        row.extend(p_values(meeting.tested));
        points.row(row);
        let end =
            |end: Option<f64>, without: &str| end.map_or_else(|| without.into(), |end| decimals(end, 0));
        let mut row = vec![
            name,
            end(meeting.elo.value, "–"),
            format!("[{}, {}]", end(meeting.elo.low, "–∞"), end(meeting.elo.high, "∞")),
            meeting.superiority.map_or_else(|| "–".into(), |superiority| decimals(superiority, 3)),
            p_value(MatchCounts::pairs(meeting.pentanomial).sign_test()),
        ];
        if experiment.has_margin {
            row.extend([decimals(meeting.margin.value, 2), interval(&meeting.margin, 2)]);
        }
        elo.row(row);
    }
    vec![Block::Table(points), Block::Table(elo)]
}

fn of_differences(experiment: &ExperimentSummary, differences: &[&Difference]) -> Vec<Block> {
    if differences.is_empty() {
        return Vec::new();
    }
    let headings = [
        "<difference",
        ">both",
        ">only first",
        ">only second",
        ">neither",
        ">success",
        "<95 % interval",
        ">p",
        ">corrected p",
    ];
    let mut success = Table::new(&headings);
    let margin = format!(">margin, {}", experiment.margin_unit);
    let mut headings = vec!["<difference", ">mid-p test", ">correlation of success", ">pairing saved"];
    if experiment.has_margin {
        headings.extend([margin.as_str(), "<95 % interval", ">correlation", ">pairing saved"]);
    }
    let mut pairing = Table::new(&headings);
    for difference in differences {
        let name = format!("{} – {}", difference.first, difference.second);
        let counts = difference.counts;
        let mut row = vec![name.clone()];
        row.extend([counts.both, counts.only_first, counts.only_second, counts.neither].map(with_thousands));
        row.extend([decimals(difference.success.value, 3), interval(&difference.success, 3)]);
        row.extend(p_values(difference.tested));
        success.row(row);
        let mut row = vec![
            name,
            p_value(mcnemar_mid_p(counts.only_first, counts.only_second)),
            maybe(difference.success_correlation),
            saved(difference.success_variance_reduction),
        ];
        if experiment.has_margin {
            row.extend([decimals(difference.margin.value, 2), interval(&difference.margin, 2)]);
            row.extend([maybe(difference.margin_correlation), saved(difference.margin_variance_reduction)]);
        }
        pairing.row(row);
    }
    vec![Block::Table(success), Block::Table(pairing)]
}

fn maybe(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| decimals(value, 2))
}

/// The share of deals saved for the same interval, 1 − 1/factor, compared with separate deals for each player.
fn saved(variance_reduction: Option<f64>) -> String {
    match variance_reduction {
        Some(factor) if factor > 0.0 => format!("{} %", decimals(100.0 * (1.0 - 1.0 / factor), 0)),
        _ => "–".into(),
    }
}
