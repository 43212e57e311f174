//! A comparison of two players, and the crossings of their curves of success against budget, in sentences.

use super::numbers::{brackets, counted, decimals, duration, p_value, significant, with_thousands};
use crate::experiment::{CrossingSummary, CurveCrossings, ExperimentSummary, Tested};
use crate::stats::{
    Confidence, Estimate, MatchCounts, PairedCounts, instances_for_paired_rates, least_instances,
    least_pairs, units_to_show,
};

/// The family-wise error rate of the verdicts.
pub(super) const ALPHA: f64 = 0.05;

/// The probability with which the trials that are named as enough show a difference.
const POWER: f64 = 0.8;

#[derive(Clone, Copy)]
pub(super) struct Contrast<'e> {
    pub(super) names: [&'e str; 2],
    pub(super) players: [usize; 2],
    paired: bool,
    pub(super) alike: bool,
    /// How many comparisons are corrected together; 1 if this one needs no correction.
    family: u64,
    pub(super) tested: Tested,
    /// The difference of success rates, or the points of the first.
    pub(super) estimate: Estimate,
    counts: Counts,
}

#[derive(Clone, Copy)]
enum Counts {
    Deals(PairedCounts),
    Pairs(MatchCounts),
}

pub(super) fn contrasts(experiment: &ExperimentSummary) -> Vec<Contrast<'_>> {
    let differences = experiment.differences.iter().filter_map(|of| {
        let (names, counts) = ([&*of.first, &of.second], Counts::Deals(of.counts));
        Some((names, of.players, of.alike, of.tested?, of.success, counts))
    });
    let meetings = experiment.meetings.iter().filter_map(|of| {
        let (names, counts) = ([&*of.first, &of.second], Counts::Pairs(MatchCounts::pairs(of.pentanomial)));
        Some((names, of.players, of.alike, of.tested?, of.points, counts))
    });
    let contrast = |(names, players, alike, tested, estimate, counts): (_, _, _, Tested, _, Counts)| {
        let family = if tested.primary { 1 } else { experiment.family };
        let paired = matches!(counts, Counts::Pairs(_));
        Contrast { names, players, paired, alike, family, tested, estimate, counts }
    };
    differences.chain(meetings).map(contrast).collect()
}

impl Contrast<'_> {
    /// The estimate of two equal players.
    pub(super) const fn even(&self) -> f64 {
        if self.paired { 0.5 } else { 0.0 }
    }

    /// The same comparison from the view of the other player.
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
        let Estimate { value, low, high, .. } = self.estimate;
        let figure = format!("{} {}", decimals(value, 3), brackets(low, high, 3));
        let figure = if self.paired {
            format!("with {figure} points a game")
        } else {
            format!("by {figure} in success rate")
        };
        format!("{figure} ({})", self.p())
    }

    fn p(&self) -> String {
        let p = p_value(self.tested.corrected_p);
        let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
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
        if !self.is_significant() {
            let Estimate { value, low, high, .. } = self.estimate;
            let what = if self.paired { "points a game of the first" } else { "difference in success rate" };
            let figure = format!("{} {}", decimals(value, 3), brackets(low, high, 3));
            return format!(
                "No significant difference between {first} and {second}: {what} {figure} ({}). {}",
                self.p(),
                self.enough()
            );
        }
        let turned = self.turned();
        let view = if self.estimate.value < self.even() { &turned } else { self };
        format!("{} is ahead of {} {}.", view.names[0], view.names[1], view.evidence())
    }

    /// How many pairs or deals would be enough for a significant difference.
    pub(super) fn enough(&self) -> String {
        let confidence = Confidence::new(1.0 - ALPHA / self.family.max(1) as f64);
        let (unit, units, least) = match &self.counts {
            Counts::Deals(counts) => ("deal", counts.instances(), least_instances(confidence)),
            Counts::Pairs(counts) => ("pair", counts.total(), least_pairs(confidence)),
        };
        if units < least {
            let how = if self.paired { "winning them all" } else { "solving them all alone" };
            return format!(
                "No outcome of {} could be significant, not even one side {how}; at least {} are needed.",
                counted(units, unit),
                counted(least, unit)
            );
        }
        let needed = match &self.counts {
            Counts::Deals(counts) => {
                let share = |deals: u64| deals as f64 / units as f64;
                let first = share(counts.only_first);
                let second = share(counts.only_second).min(1.0 - first);
                (counts.only_first != counts.only_second)
                    .then(|| instances_for_paired_rates(first, second, POWER, confidence))
            }
            Counts::Pairs(counts) => units_to_show(counts, POWER, confidence),
        };
        match needed {
            None => {
                let how = match &self.counts {
                    Counts::Deals(_) => "Both solved equally many deals, however far each came",
                    Counts::Pairs(_) => "Both did equally well",
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
const MOST: usize = 6;

pub(super) const LEGEND: &str = "Crossings: straight lines between the measured budgets, over the logarithm of the budget; 95 % percentile \
     bootstrap interval over deals or openings. An order is settled if at least 97.5 % of the resamples have it.";

/// A sentence for each two curves, those that cross first.
pub(super) fn crossings(experiment: &ExperimentSummary) -> Vec<String> {
    let mut all: Vec<&CurveCrossings> = experiment.curve_crossings.iter().collect();
    all.sort_by_key(|found| found.crossings.is_empty());
    let mut sentences: Vec<String> =
        all.iter().take(MOST).map(|found| sentence(found, experiment.paired)).collect();
    if all.len() > MOST {
        let more = counted((all.len() - MOST) as u64, "pair");
        sentences.push(format!("Of {more} of curves more, summary.json has the crossings."));
    }
    sentences
}

pub(super) fn sentence(found: &CurveCrossings, is_paired: bool) -> String {
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
    let with_result = |result: f64| {
        let result = decimals(result, 2);
        if is_paired { format!("{result} points a game") } else { format!("a success rate of {result}") }
    };
    let part = |(number, crossing): (usize, &CrossingSummary)| {
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

/// The place of a crossing, with its interval, or what is not settled.
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
    if budget == "time" {
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
