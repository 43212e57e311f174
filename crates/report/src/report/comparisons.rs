//! The comparisons of two players, as tables and in sentences; and the crossings of their curves of what counts against budget.

use super::document::Block;
use super::measure::Measure;
use super::numbers::{
    brackets, counted, decimals, duration, elo_words, p_relation, p_value, significant, with_thousands,
};
use super::page::Extent;
use super::table::{
    Cell, Column, Table, column, columns, estimate, grouped, named, number, number_of, unseen, when,
};
use crate::experiment::{Counts, CurveCrossings, Difference, ExperimentSummary, Meeting, Tested};
use crate::stats::{
    Confidence, Crossing, Estimate, MatchCounts, Method, PairedCounts, Unit, instances_for_mean_difference,
    instances_for_paired_rates, least_instances, least_pairs, mcnemar_mid_p, student_quantile, units_to_show,
};

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
        columns([">Elo", "<95 % interval"], &|meeting| Some(elo_words(&meeting.elo).map(Cell::from))),
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
) -> ([Column<'e, &'e Difference>; 4], [Column<'e, &'e Difference>; 8]) {
    let (measure, scored) = (Measure::of(experiment), experiment.scored);
    let result = [
        column("<difference", &|of: &&'e Difference| format!("{} – {}", of.first, of.second)),
        when(
            !scored,
            columns([">both", ">only first", ">only second", ">neither"], &|of| {
                let PairedCounts { both, only_first, only_second, neither } = of.counts?;
                Some([both, only_first, only_second, neither].map(number_of))
            }),
        ),
        estimate(&format!(">{}", measure.title()), measure.digits(), &|of| Some(of.result())),
        tested(&|of| of.tested),
    ];
    let correlation = number(">correlation", 2, &|of: &&Difference| of.margin_correlation);
    let what = if scored { "score" } else { "margin" };
    let of_margin =
        saved(&format!("variance reduction of {what}"), &|of: &&Difference| of.margin_variance_reduction);
    let pairing = [
        column("<difference", &|of: &&'e Difference| format!("{} – {}", of.first, of.second)),
        when(
            scored,
            columns([">higher", ">equal", ">lower"], &|of| Some(of.higher_equal_lower?.map(number_of))),
        ),
        when(
            !scored,
            columns([">mid-p test"], &|of| {
                let PairedCounts { only_first, only_second, .. } = of.counts?;
                Some([p_value(mcnemar_mid_p(only_first, only_second)).into()])
            }),
        ),
        when(!scored, number(">correlation of success", 2, &|of| of.success_correlation)),
        when(!scored, saved("variance reduction of success", &|of| of.success_variance_reduction)),
        margin(experiment, &|of| Some(of.margin)),
        when(scored || experiment.has_margin, named(&[&format!("correlation of {what}")], correlation)),
        when(scored || experiment.has_margin, of_margin),
    ];
    (result, pairing)
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

/// The family-wise error rate of the verdicts.
pub(super) const ALPHA: f64 = 0.05;

/// The probability with which the trials that are named as enough show a difference.
const POWER: f64 = 0.8;

#[derive(Clone, Copy)]
pub(super) struct Contrast<'e> {
    pub(super) names: [&'e str; 2],
    pub(super) players: [usize; 2],
    measure: Measure<'e>,
    pub(super) alike: bool,
    /// The number of comparisons that are corrected together; 1 if this one needs no correction.
    family: u64,
    pub(super) tested: Tested,
    /// The difference of success rates or scores, or the points of the first.
    pub(super) estimate: Estimate,
    sample: Sample,
}

#[derive(Clone, Copy)]
enum Sample {
    Deals(PairedCounts),
    Pairs(MatchCounts),
    /// The number of deals with a score.
    Scores(u64),
}

pub(super) fn contrasts(experiment: &ExperimentSummary) -> Vec<Contrast<'_>> {
    let differences = experiment.differences.iter().filter_map(|of| {
        let scores = of.higher_equal_lower.map(|deals| Sample::Scores(deals.iter().sum()));
        let sample = of.counts.map(Sample::Deals).or(scores)?;
        Some(([&*of.first, &of.second], of.players, of.alike, of.tested?, of.result(), sample))
    });
    let meetings = experiment.meetings.iter().filter_map(|of| {
        let (names, sample) = ([&*of.first, &of.second], Sample::Pairs(MatchCounts::pairs(of.pentanomial)));
        Some((names, of.players, of.alike, of.tested?, of.points, sample))
    });
    let measure = Measure::of(experiment);
    let contrast = |(names, players, alike, tested, estimate, sample): (_, _, _, Tested, _, _)| {
        let family = if tested.primary { 1 } else { experiment.family };
        Contrast { names, players, measure, alike, family, tested, estimate, sample }
    };
    differences.chain(meetings).map(contrast).collect()
}

impl Contrast<'_> {
    /// The estimate of two equal players.
    pub(super) const fn even(&self) -> f64 {
        if matches!(self.measure.counts, Counts::Points) { 0.5 } else { 0.0 }
    }

    /// The comparison from the view of the other player.
    pub(super) fn turned(&self) -> Self {
        let whole = 2.0 * self.even();
        let Estimate { value, low, high, method } = self.estimate;
        let estimate = Estimate { value: whole - value, low: whole - high, high: whole - low, method };
        let ([a, b], [i, j]) = (self.names, self.players);
        Self { names: [b, a], players: [j, i], estimate, ..*self }
    }

    pub(super) fn is_significant(&self) -> bool {
        self.tested.is_significant(ALPHA)
    }

    pub(super) fn evidence(&self) -> String {
        format!("{} ({})", self.measure.lead(&self.figure()), self.p())
    }

    fn figure(&self) -> String {
        let (Estimate { value, low, high, .. }, digits) = (self.estimate, self.measure.digits());
        format!("{} {}", decimals(value, digits), brackets(low, high, digits))
    }

    fn p(&self) -> String {
        let p = format!("p {}", p_relation(self.tested.corrected_p));
        match (self.tested.primary, self.family) {
            (true, _) => format!("{p}, primary and not corrected"),
            (false, 1) => p,
            (false, _) => format!("Holm-corrected {p}"),
        }
    }

    pub(super) fn sentence(&self) -> String {
        let [first, second] = self.names;
        if self.alike {
            let found = if self.is_significant() { "but one was found" } else { "and none was found" };
            return format!(
                "{first} and {second} are the same player on two random streams: no difference was expected, {found} \
                 ({}).",
                self.p()
            );
        }
        let turned = self.turned();
        let view = if self.estimate.value < self.even() { &turned } else { self };
        if let (Sample::Scores(deals), Method::None) = (&self.sample, self.estimate.method) {
            let [first, second] = view.names;
            let what = match view.estimate.value {
                0.0 => "exactly as much as".into(),
                more => format!("exactly {} more than", self.measure.units(more)),
            };
            let deals = counted(*deals, "deal");
            return format!(
                "{first} scored {what} {second} on every deal ({deals}): the difference does not vary, so it has no \
                 interval, and no test can be made of it."
            );
        }
        if !self.is_significant() {
            return format!(
                "No significant difference between {first} and {second}: {} ({}). {}",
                self.measure.compared(&self.figure()),
                self.p(),
                self.enough()
            );
        }
        format!("{} is ahead of {} {}.", view.names[0], view.names[1], view.evidence())
    }

    /// The number of pairs or deals that would be enough for a significant difference.
    pub(super) fn enough(&self) -> String {
        let confidence = Confidence::new(1.0 - ALPHA / self.family.max(1) as f64);
        let (unit, units, least, how) = match &self.sample {
            Sample::Deals(counts) => {
                ("deal", counts.instances(), least_instances(confidence), "solving them all alone")
            }
            Sample::Pairs(counts) => ("pair", counts.total(), least_pairs(confidence), "winning them all"),
            Sample::Scores(deals) => ("deal", *deals, 2, "scoring more"),
        };
        if units < least {
            return format!(
                "No outcome of {} could be significant, not even one side {how}; at least {} are needed.",
                counted(units, unit),
                counted(least, unit)
            );
        }
        let needed = match &self.sample {
            Sample::Deals(counts) => {
                let share = |deals: u64| deals as f64 / units as f64;
                let first = share(counts.only_first);
                let second = share(counts.only_second).min(1.0 - first);
                (counts.only_first != counts.only_second)
                    .then(|| instances_for_paired_rates(first, second, POWER, confidence))
            }
            Sample::Pairs(counts) => units_to_show(counts, POWER, confidence),
            Sample::Scores(deals) => {
                let (Estimate { value, low, high, .. }, n) = (self.estimate, *deals as f64);
                // The half-width is t standard errors.
                let deviation =
                    (high - low) / 2.0 / student_quantile(deals - 1, Confidence::default_level()) * n.sqrt();
                instances_for_mean_difference(value / deviation, POWER, confidence)
                    .filter(|_| deviation.is_finite())
            }
        };
        match needed {
            None => {
                let how = match &self.sample {
                    Sample::Deals(_) => "Both solved equally many deals, however far each came",
                    Sample::Pairs(_) => "Both did equally well",
                    Sample::Scores(_) => "The difference is 0, or does not vary",
                };
                format!("{how}, so no number of trials can be named that would decide.")
            }
            Some(needed) => format!(
                "If the true difference is the measured one, about {} more would show it (power {POWER}).",
                counted(needed.saturating_sub(units).max(1), unit)
            ),
        }
    }
}

/// The most pairs of curves that have a sentence.
const MOST_CURVES: usize = 6;

pub(super) const LEGEND: &str = "Crossings: straight lines between the measured budgets, over the logarithm of the budget; 95 % percentile \
     bootstrap interval over deals or openings. An order is settled if at least 97.5 % of the resamples have it.";

/// A sentence for each two curves, those that cross first.
pub(super) fn crossings(experiment: &ExperimentSummary) -> Vec<String> {
    let mut all: Vec<&CurveCrossings> = experiment.curve_crossings.iter().collect();
    all.sort_by_key(|found| found.crossings.is_empty());
    let mut sentences: Vec<String> =
        all.iter().take(MOST_CURVES).map(|found| sentence(found, Measure::of(experiment))).collect();
    if all.len() > MOST_CURVES {
        let more = counted((all.len() - MOST_CURVES) as u64, "pair");
        sentences.push(format!("Of {more} of curves more, summary.json has the crossings."));
    }
    sentences
}

pub(super) fn sentence(found: &CurveCrossings, measure: Measure<'_>) -> String {
    let CurveCrossings { curves, range, ahead, crossings, same_order, budget, .. } = found;
    let [low, high] = range.map(|end| amount(budget, end));
    let range = format!("from {low} to {}", a_move(budget, &high));
    let Some(ahead) = *ahead else {
        return format!("{} and {} have equal results at every budget {range}.", curves[0], curves[1]);
    };
    let names = |leader: usize| (&curves[leader], &curves[1 - leader]);
    if crossings.is_empty() {
        let (leader, other) = names(ahead);
        let open = 1.0 - same_order.unwrap_or(0.0);
        return if same_order.is_some() && open <= Confidence::default_level().alpha() / 2.0 {
            format!("{leader} is ahead of {other} at every budget {range}: the curves do not cross there.")
        } else {
            let why = same_order.map_or_else(
                || "too few deals differ".into(),
                |_| format!("{} % of the resamples have another", decimals(100.0 * open, 0)),
            );
            format!(
                "{leader} has more than {other} at every budget {range}, but this order is not settled ({why})."
            )
        };
    }
    let with_result = |result: f64| measure.with_unit(&decimals(result, 2));
    let part = |(number, crossing): (usize, &Crossing)| {
        let (leader, other) = names(if number % 2 == 0 { 1 - ahead } else { ahead });
        let result = with_result(crossing.result);
        let at = at(budget, &crossing.budget);
        match number {
            0 => format!("{leader} overtakes {other} at {at}; both have {result} there"),
            _ => format!("{leader} overtakes {other} at {at}, with {result}"),
        }
    };
    let parts: Vec<String> = crossings.iter().enumerate().map(part).collect();
    match parts.len() {
        1 => format!("{}.", parts[0]),
        times => format!("{} and {} cross {times} times: {}.", curves[0], curves[1], parts.join("; then ")),
    }
}

/// The place of a crossing, with its interval, or the side that is not settled.
fn at(budget: &str, place: &Estimate) -> String {
    let Estimate { value, low, high, .. } = *place;
    let value = a_move(budget, &amount(budget, value));
    let [low, high] = [low, high].map(|end| end.is_finite().then(|| amount(budget, end)));
    match (low, high) {
        (Some(low), Some(high)) => format!("{value} [{low}, {high}]"),
        (Some(low), None) => format!("{value} (at least {low}; above, their order is not settled)"),
        (None, Some(high)) => format!("{value} (at most {high}; below, their order is not settled)"),
        (None, None) => format!("{value} by the estimates alone (their order is settled on neither side)"),
    }
}

/// An amount of a budget, with three significant digits.
pub(super) fn amount(budget: &str, amount: f64) -> String {
    if budget.ends_with("time") {
        return duration(amount as u64);
    }
    let power = libm::floor(libm::log10(amount.max(1.0)));
    let unit = libm::pow(10.0, power - 2.0);
    let rounded = libm::round(amount / unit) * unit;
    if rounded >= 100.0 {
        with_thousands(rounded as u64)
    } else {
        significant(libm::round(rounded * 10.0) / 10.0)
    }
}

fn a_move(budget: &str, amount: &str) -> String {
    if budget == "time" { format!("{amount} a move") } else { format!("{amount} {budget} a move") }
}
