//! The tables of comparisons of two players.

use super::document::{Block, Extent};
use super::numbers::{counted, decimals, p_value, with_thousands};
use super::table::{
    Cell, Column, Table, column, columns, estimate, grouped, named, number, number_of, unseen, when,
};
use crate::experiment::{Difference, ExperimentSummary, Meeting, Tested};
use crate::stats::{Estimate, MatchCounts, PairedCounts, Unit, mcnemar_mid_p};

/// The largest number of comparisons of an experiment for a terminal.
const MOST: usize = 15;

/// The tables of an experiment's comparisons; none before all trials are done.
pub(super) fn comparisons(experiment: &ExperimentSummary, extent: Extent) -> Vec<Block> {
    let (differences, left_out) =
        chosen(experiment, &experiment.differences, extent, |d| (d.players, d.tested));
    let (meetings, more_left_out) =
        chosen(experiment, &experiment.meetings, extent, |m| (m.players, m.tested));
    let ((points, elo), (success, pairing)) = (of_meeting(experiment), of_difference(experiment));
    let tables = if experiment.paired {
        [Table::of(&meetings, points), Table::of(&meetings, elo)]
    } else {
        [Table::of(&differences, success), Table::of(&differences, pairing)]
    };
    let mut blocks: Vec<_> = tables.into_iter().filter(|table| !table.is_empty()).map(Block::Table).collect();
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

pub(super) fn margin<'c, R>(
    experiment: &ExperimentSummary,
    of: &'c dyn Fn(&R) -> Option<Estimate>,
) -> Column<'c, R> {
    when(experiment.has_margin, estimate(&format!(">margin, {}", experiment.margin_unit), 2, of))
}

fn tested<R>(of: &dyn Fn(&R) -> Option<Tested>) -> Column<'_, R> {
    grouped([">p", ">corrected p"], |row| {
        let Tested { test, p, corrected_p, primary } = of(row)?;
        let (text, how) = if primary {
            ("primary".into(), "primary, not corrected")
        } else {
            (p_value(corrected_p), "Holm")
        };
        Some([Cell::figure(p, &test.to_string(), p_value(p)), Cell::figure(corrected_p, how, text)])
    })
}

/// The figures of a meeting, by the tables that show them.
pub(super) fn of_meeting<'e>(
    experiment: &ExperimentSummary,
) -> ([Column<'e, &'e Meeting>; 6], [Column<'e, &'e Meeting>; 10]) {
    let known = |name: &str, of: fn(&Meeting) -> Option<f64>| {
        unseen(name, move |meeting: &&Meeting| of(meeting).filter(|_| meeting.pairs > 0))
    };
    let points = [
        column("<meeting", &|meeting: &&'e Meeting| format!("{} – {}", meeting.first, meeting.second)),
        column(">pairs", &|meeting| with_thousands(meeting.pairs)),
        named(
            Unit::Pairs.results(),
            when(false, columns([""; 5], &|of| Some(of.pentanomial.map(number_of)))),
        ),
        columns([">won", ">drawn", ">lost"], &|meeting| Some(meeting.wins_draws_losses.map(number_of))),
        estimate(">points", 3, &|meeting| (meeting.pairs > 0).then_some(meeting.points)),
        tested(&|meeting| meeting.tested),
    ];
    let elo = [
        column("<meeting", &|meeting: &&'e Meeting| format!("{} – {}", meeting.first, meeting.second)),
        known("Elo", |meeting| meeting.elo.value),
        known("Elo, lower end", |meeting| meeting.elo.low),
        known("Elo, upper end", |meeting| meeting.elo.high),
        columns([">Elo", "<95 % interval"], &|Meeting { elo, .. }| {
            let end = |end: Option<f64>, without: &str| end.map_or(without.into(), |end| decimals(end, 0));
            let interval = format!("[{}, {}]", end(elo.low, "–∞"), end(elo.high, "∞"));
            Some([end(elo.value, "–").into(), interval.into()])
        }),
        when(false, estimate(">normalised Elo", 0, &|meeting| meeting.normalized_elo_interval)),
        known("normalised Elo", |of| of.normalized_elo.filter(|_| of.normalized_elo_interval.is_none())),
        named(&["likelihood of superiority"], number(">better", 3, &|meeting| meeting.superiority)),
        column(">sign test", &|meeting| p_value(MatchCounts::pairs(meeting.pentanomial).sign_test())),
        margin(experiment, &|meeting| (meeting.pairs > 0).then_some(meeting.margin)),
    ];
    (points, elo)
}

pub(super) fn of_difference<'e>(
    experiment: &ExperimentSummary,
) -> ([Column<'e, &'e Difference>; 4], [Column<'e, &'e Difference>; 7]) {
    let success = [
        column("<difference", &|of: &&'e Difference| format!("{} – {}", of.first, of.second)),
        columns([">both", ">only first", ">only second", ">neither"], &|of| {
            let PairedCounts { both, only_first, only_second, neither } = of.counts;
            Some([both, only_first, only_second, neither].map(number_of))
        }),
        estimate(">success", 3, &|of| Some(of.success)),
        tested(&|of| of.tested),
    ];
    let correlation = number(">correlation", 2, &|of: &&Difference| of.margin_correlation);
    let of_margin = saved("variance reduction of margin", &|of: &&Difference| of.margin_variance_reduction);
    let pairing = [
        column("<difference", &|of: &&'e Difference| format!("{} – {}", of.first, of.second)),
        column(">mid-p test", &|of| p_value(mcnemar_mid_p(of.counts.only_first, of.counts.only_second))),
        number(">correlation of success", 2, &|of| of.success_correlation),
        saved("variance reduction of success", &|of| of.success_variance_reduction),
        margin(experiment, &|of| Some(of.margin)),
        when(experiment.has_margin, named(&["correlation of margin"], correlation)),
        when(experiment.has_margin, of_margin),
    ];
    (success, pairing)
}

/// The factor by which pairing reduced the variance; tables show the share of deals saved for the same interval, 1 − 1/factor,
/// compared with separate deals for each player.
fn saved<'c, R>(name: &str, of: &'c dyn Fn(&R) -> Option<f64>) -> Column<'c, R> {
    let cell = move |row: &R| {
        let factor = of(row)?;
        let saved = format!("{} %", decimals(100.0 * (1.0 - 1.0 / factor), 0));
        Some([Cell::figure(factor, "", if factor > 0.0 { &saved } else { "–" })])
    };
    named(&[name], grouped([">pairing saved"], cell))
}
