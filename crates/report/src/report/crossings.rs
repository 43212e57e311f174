//! Where the curves of success against budget of two players cross, in sentences.

use super::numbers::{counted, decimals, duration, significant, with_thousands};
use crate::experiment::{CrossingSummary, CurveCrossings, ExperimentSummary};
use crate::stats::{Confidence, Estimate};

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
