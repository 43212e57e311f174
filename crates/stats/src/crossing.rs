//! The places where two curves cross, with an interval by the bootstrap over instances.
//!
//! A curve is the mean result of a player at several budgets. Between two measured budgets it is a straight line over the
//! logarithm of the budget, and beyond them it is unknown. Both curves are measured on the same instances, and a resample
//! draws instances, so pairing is preserved.
//!
//! A fitted curve would have narrower intervals, but would cross where its form makes it cross.

use serde::{Deserialize, Serialize};

use super::bootstrap::Sample;
use super::{Confidence, Estimate, Method};
use crate::rng::Stream;

/// A curve: its budgets, positive and rising, each with the column of its results.
pub type Curve = Vec<(f64, usize)>;

/// The order of two curves between the budgets at which both are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossings {
    /// The least and the greatest of these budgets.
    pub range: [f64; 2],
    /// The curve that is ahead at first, 0 or 1. `None` if they are equal everywhere.
    pub ahead: Option<usize>,
    /// The crossings, by rising budget. The curves take turns to be ahead.
    pub at: Vec<Crossing>,
    /// The fraction of resamples in which the curves are ahead in the same order. `None` without an interval.
    pub same_order: Option<f64>,
}

/// A crossing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The budget, with its percentile interval. Below the lower end the curve that was ahead before is still ahead, above the
    /// upper end the other one is. An end is infinite if that order is not settled at any measured budget on its side.
    pub budget: Estimate,
    /// The result of both curves there.
    pub result: f64,
}

/// The crossings of each pair of curves.
///
/// `rows` are the different rows of results, one column for each budget of each curve, with the number of instances that have
/// this row. The end of an interval is a quantile over resamples: for the lower end of the first budget at which the order has
/// changed, for the upper end of the last one at which it has not. Both are looked for between the budgets at which the curves
/// are furthest apart, before and after the crossing. The resamples are determined by the stream. A pair of curves whose
/// budgets do not overlap is `None`.
///
/// # Panics
/// If a curve has no budget, or `resamples` is 0.
///
/// # Example
/// ```
/// use shikou::rng::Stream;
/// use shikou::stats::{Confidence, crossings};
/// // 80 instances: at budget 10 the first curve succeeds, at budget 1000 the second.
/// let rows = vec![(vec![1.0, 0.0, 0.0, 1.0], 60), (vec![0.0, 0.0, 0.0, 0.0], 20)];
/// let curves = [vec![(10.0, 0), (1000.0, 1)], vec![(10.0, 2), (1000.0, 3)]];
/// let found = crossings(&rows, &[curves], 1000, Stream::new(1), Confidence::new(0.95));
/// let found = found[0].as_ref().unwrap();
/// assert_eq!((found.ahead, found.at.len(), found.same_order), (Some(0), 1, Some(1.0)));
/// assert!((found.at[0].budget.value - 100.0).abs() < 1e-9);
/// ```
pub fn crossings(
    rows: &[(Vec<f64>, u64)],
    pairs: &[[Curve; 2]],
    resamples: usize,
    stream: Stream,
    confidence: Confidence,
) -> Vec<Option<Crossings>> {
    assert!(resamples > 0, "a bootstrap needs resamples");
    let sample = Sample::of_counts(rows);
    let means = sample.means(&sample.counts);
    let mut found: Vec<Option<Found>> =
        pairs.iter().map(|pair| Some(Found::new(Knots::new(pair)?, &means))).collect();
    if sample.instances > 1 && sample.distinct.len() > 1 {
        let (mut rng, mut counts) = (stream.rng(), vec![0; sample.distinct.len()]);
        for _ in 0..resamples {
            sample.draw(&mut rng, &mut counts);
            let means = sample.means(&counts);
            found.iter_mut().flatten().for_each(|found| found.push(&means));
        }
    }
    found.into_iter().map(|found| Some(found?.finish(confidence))).collect()
}

/// A place on a curve: between two columns, and the weight of the second.
type Between = (usize, usize, f64);

/// The budgets of two curves that both know, in order.
struct Knots {
    /// The least and the greatest.
    range: [f64; 2],
    /// Their logarithms.
    at: Vec<f64>,
    places: Vec<[Between; 2]>,
}

impl Knots {
    fn new(curves: &[Curve; 2]) -> Option<Self> {
        let [a, b] = curves;
        let range = [a[0].0.max(b[0].0), a[a.len() - 1].0.min(b[b.len() - 1].0)];
        let [low, high] = range.map(libm::log);
        let logs = curves.each_ref().map(|curve| {
            curve.iter().map(|&(budget, column)| (libm::log(budget), column)).collect::<Vec<_>>()
        });
        let mut at: Vec<f64> = logs.iter().flatten().map(|&(log, _)| log).collect();
        at.retain(|log| (low..=high).contains(log));
        at.sort_by(f64::total_cmp);
        at.dedup();
        let places = at.iter().map(|&log| logs.each_ref().map(|curve| between(curve, log))).collect();
        (low < high).then_some(Self { range, at, places })
    }

    /// The lead of the second curve at each budget. Rounding is no lead.
    fn leads(&self, means: &[f64]) -> Vec<f64> {
        let lead = |&[first, second]: &[Between; 2]| value(means, second) - value(means, first);
        let rounded = |lead: f64| if lead.abs() < 1e-12 { 0.0 } else { lead };
        self.places.iter().map(lead).map(rounded).collect()
    }

    /// The logarithm at which the lead is 0, between two neighbours with leads of different signs.
    fn zero(&self, leads: &[f64], before: usize) -> f64 {
        let [x, y] = [self.at[before], self.at[before + 1]];
        let [a, b] = [leads[before], leads[before + 1]];
        x + (y - x) * (a / (a - b))
    }

    /// The mean result of the first curve at a logarithm within the range.
    fn result(&self, means: &[f64], log: f64) -> f64 {
        let after = self.at.partition_point(|&at| at < log).clamp(1, self.at.len() - 1);
        let [x, y] = [self.at[after - 1], self.at[after]];
        let [a, b] = [self.places[after - 1][0], self.places[after][0]].map(|place| value(means, place));
        a + (b - a) * ((log - x) / (y - x))
    }
}

fn between(curve: &[(f64, usize)], log: f64) -> Between {
    let after = curve.partition_point(|&(at, _)| at < log).min(curve.len() - 1);
    let (at, column) = curve[after];
    if at == log || after == 0 {
        return (column, column, 0.0);
    }
    let (before, first) = curve[after - 1];
    (first, column, (log - before) / (at - before))
}

fn value(means: &[f64], (first, second, weight): Between) -> f64 {
    if weight == 0.0 { means[first] } else { means[first] + weight * (means[second] - means[first]) }
}

/// The knots at which the curve that is ahead has changed, each with the last knot before it at which the other was ahead.
fn changes(leads: &[f64]) -> Vec<[usize; 2]> {
    let ahead: Vec<usize> = (0..leads.len()).filter(|&knot| leads[knot] != 0.0).collect();
    let pairs = ahead.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.filter(|&[before, after]| leads[before] * leads[after] < 0.0).collect()
}

fn first_ahead(leads: &[f64]) -> Option<usize> {
    leads.iter().find(|lead| **lead != 0.0).map(|&lead| usize::from(lead > 0.0))
}

/// Two curves, their crossings, and the orders in the resamples.
struct Found {
    knots: Knots,
    leads: Vec<f64>,
    crossings: Vec<At>,
    resamples: u64,
    same: u64,
}

/// A crossing in the making.
struct At {
    log: f64,
    result: f64,
    /// The knots before and after it at which the curves are furthest apart.
    within: [usize; 2],
    /// Of each resample the first place at which the order has changed, and the last at which it has not.
    ends: [Vec<f64>; 2],
}

impl Found {
    fn new(knots: Knots, means: &[f64]) -> Self {
        let leads = knots.leads(means);
        let changes = changes(&leads);
        // Of each stretch with one curve ahead, the knot at which it is furthest ahead.
        let begins = [0].into_iter().chain(changes.iter().map(|&[_, after]| after));
        let ends = changes.iter().map(|&[before, _]| before).chain([leads.len() - 1]);
        let furthest = |(begin, end): (usize, usize)| {
            (begin..=end)
                .fold(begin, |best, knot| if leads[knot].abs() > leads[best].abs() { knot } else { best })
        };
        let furthest: Vec<usize> = begins.zip(ends).map(furthest).collect();
        let at = |(number, &[before, after]): (usize, &[usize; 2])| {
            // The middle, if the curves are equal at several budgets.
            let log = if after == before + 1 {
                knots.zero(&leads, before)
            } else {
                f64::midpoint(knots.at[before + 1], knots.at[after - 1])
            };
            let within = [furthest[number], furthest[number + 1]];
            At { log, result: knots.result(means, log), within, ends: [Vec::new(), Vec::new()] }
        };
        let crossings = changes.iter().enumerate().map(at).collect();
        Self { knots, leads, crossings, resamples: 0, same: 0 }
    }

    fn push(&mut self, means: &[f64]) {
        let leads = self.knots.leads(means);
        let order = |leads: &[f64]| (first_ahead(leads), changes(leads).len());
        self.resamples += 1;
        self.same += u64::from(order(&leads) == order(&self.leads));
        for crossing in &mut self.crossings {
            let [begin, end] = crossing.within;
            // The order after the crossing is positive.
            let sign = self.leads[end].signum();
            let turned: Vec<f64> = leads.iter().map(|lead| sign * lead).collect();
            let first = match (begin..=end).find(|&knot| turned[knot] > 0.0) {
                Some(knot) if knot == begin => f64::NEG_INFINITY,
                Some(knot) => self.knots.zero(&turned, knot - 1),
                None => f64::INFINITY,
            };
            let last = match (begin..=end).rev().find(|&knot| turned[knot] < 0.0) {
                Some(knot) if knot == end => f64::INFINITY,
                Some(knot) => self.knots.zero(&turned, knot),
                None => f64::NEG_INFINITY,
            };
            crossing.ends[0].push(first);
            crossing.ends[1].push(last);
        }
    }

    fn finish(self, confidence: Confidence) -> Crossings {
        let resamples = self.resamples;
        let at = |At { log, result, ends: [mut first, mut last], .. }: At| {
            let rank = (confidence.alpha() / 2.0 * resamples as f64) as usize;
            let quantile = |ends: &mut Vec<f64>, is_low: bool| {
                ends.sort_by(f64::total_cmp);
                let place = if is_low { Some(rank) } else { ends.len().checked_sub(rank + 1) };
                let none = if is_low { f64::NEG_INFINITY } else { f64::INFINITY };
                place.and_then(|place| ends.get(place).copied()).unwrap_or(none)
            };
            let low = libm::exp(quantile(&mut first, true).min(log));
            let high = libm::exp(quantile(&mut last, false).max(log));
            // The exponential of −∞ is 0.
            let low = if low == 0.0 { f64::NEG_INFINITY } else { low };
            let is_known = low.is_finite() || high.is_finite();
            let method = if is_known { Method::BootstrapPercentile } else { Method::None };
            Crossing { budget: Estimate { value: libm::exp(log), low, high, method }, result }
        };
        Crossings {
            range: self.knots.range,
            ahead: first_ahead(&self.leads),
            at: self.crossings.into_iter().map(at).collect(),
            same_order: (resamples > 0).then(|| self.same as f64 / resamples as f64),
        }
    }
}

#[cfg(test)]
mod tests;
