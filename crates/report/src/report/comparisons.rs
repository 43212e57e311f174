//! The tables of comparisons of two players.

use super::document::{Block, Extent};
use super::numbers::{counted, decimals, p_value, with_thousands};
use super::table::{Cell, Column, Table, column, columns, estimate, grouped, number, when};
use crate::experiment::{Difference, ExperimentSummary, Meeting, Tested};
use crate::stats::{Estimate, MatchCounts, PairedCounts, mcnemar_mid_p};

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

fn count(number: u64) -> Cell {
    with_thousands(number).into()
}

/// The p-value and the corrected one of a comparison.
fn p_values<R>(tested: &dyn Fn(&R) -> Option<Tested>) -> Column<'_, R> {
    grouped([">p", ">corrected p"], |row| {
        let Tested { p, corrected_p, primary, .. } = tested(row)?;
        Some([p_value(p).into(), if primary { "primary".into() } else { p_value(corrected_p).into() }])
    })
}

/// The margin, if the game has one.
pub(super) fn margin<'c, R>(
    experiment: &ExperimentSummary,
    of: &'c dyn Fn(&R) -> Option<Estimate>,
) -> Column<'c, R> {
    when(experiment.has_margin, estimate(&format!(">margin, {}", experiment.margin_unit), 2, of))
}

fn of_meetings(experiment: &ExperimentSummary, meetings: &[&Meeting]) -> Vec<Block> {
    if meetings.is_empty() {
        return Vec::new();
    }
    let name = |meeting: &&Meeting| format!("{} – {}", meeting.first, meeting.second);
    let points = Table::of(
        meetings,
        [
            column("<meeting", &name),
            column(">pairs", &|meeting| with_thousands(meeting.pairs)),
            columns([">won", ">drawn", ">lost"], &|meeting| Some(meeting.wins_draws_losses.map(count))),
            estimate(">points", 3, &|meeting| Some(meeting.points)),
            p_values(&|meeting| meeting.tested),
        ],
    );
    let end = |end: Option<f64>, without: &str| end.map_or_else(|| without.into(), |end| decimals(end, 0));
    let elo = Table::of(
        meetings,
        [
            column("<meeting", &name),
            columns([">Elo", "<95 % interval"], &|Meeting { elo, .. }| {
                let interval = format!("[{}, {}]", end(elo.low, "–∞"), end(elo.high, "∞"));
                Some([end(elo.value, "–").into(), interval.into()])
            }),
            number(">better", 3, &|meeting| meeting.superiority),
            column(">sign test", &|meeting| p_value(MatchCounts::pairs(meeting.pentanomial).sign_test())),
            margin(experiment, &|meeting| Some(meeting.margin)),
        ],
    );
    vec![Block::Table(points), Block::Table(elo)]
}

fn of_differences(experiment: &ExperimentSummary, differences: &[&Difference]) -> Vec<Block> {
    if differences.is_empty() {
        return Vec::new();
    }
    let name = |of: &&Difference| format!("{} – {}", of.first, of.second);
    let success = Table::of(
        differences,
        [
            column("<difference", &name),
            columns([">both", ">only first", ">only second", ">neither"], &|of| {
                let PairedCounts { both, only_first, only_second, neither } = of.counts;
                Some([both, only_first, only_second, neither].map(count))
            }),
            estimate(">success", 3, &|of| Some(of.success)),
            p_values(&|of| of.tested),
        ],
    );
    let pairing = Table::of(
        differences,
        [
            column("<difference", &name),
            column(">mid-p test", &|of| p_value(mcnemar_mid_p(of.counts.only_first, of.counts.only_second))),
            number(">correlation of success", 2, &|of| of.success_correlation),
            column(">pairing saved", &|of| saved(of.success_variance_reduction)),
            margin(experiment, &|of| Some(of.margin)),
            when(experiment.has_margin, number(">correlation", 2, &|of| of.margin_correlation)),
            when(experiment.has_margin, column(">pairing saved", &|of| saved(of.margin_variance_reduction))),
        ],
    );
    vec![Block::Table(success), Block::Table(pairing)]
}

/// The share of deals saved for the same interval, 1 − 1/factor, compared with separate deals for each player.
fn saved(variance_reduction: Option<f64>) -> String {
    match variance_reduction {
        Some(factor) if factor > 0.0 => format!("{} %", decimals(100.0 * (1.0 - 1.0 / factor), 0)),
        _ => "–".into(),
    }
}
