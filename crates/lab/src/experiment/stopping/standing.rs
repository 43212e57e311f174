//! The results of an instance, and the standing of a player after some, with an anytime-valid interval.

use crate::experiment::plan::Cell;
use crate::experiment::trial::Record;
use crate::game::{Counts, Facts};
use crate::stats::{BettingSequence, Confidence, Estimate, Moments, beta_binomial_sequence};

/// The results of one instance: for each cell, the share of the points and the mean score of its first player.
#[derive(Clone, Debug)]
pub struct InstanceResults<'c> {
    pub(super) cells: &'c [Cell],
    pub(super) results: Vec<Option<(f64, f64)>>,
}

impl<'c> InstanceResults<'c> {
    /// The results of one instance, from the records of its trials in the order of the cells.
    pub fn new<'r>(cells: &'c [Cell], records: impl IntoIterator<Item = &'r Record>) -> Self {
        Self { cells, results: records.into_iter().map(Record::result_of_first).collect() }
    }

    /// Share of the points in `[0, 1]` and mean score of the first player of a cell. `None` if a game failed.
    pub fn of_cell(&self, cell: usize) -> Option<(f64, f64)> {
        self.results[cell]
    }

    /// Share of the points and mean score of a player over all its cells. `None` if it finished none.
    pub fn of_player(&self, player: usize) -> Option<(f64, f64)> {
        let (mut share, mut score, mut count) = (0.0, 0.0, 0.0);
        for (cell, result) in self.cells.iter().zip(&self.results) {
            let Some((of_first, score_of_first)) = *result else { continue };
            match cell.players.iter().position(|&other| other == player) {
                Some(0) => (share, score) = (share + of_first, score + score_of_first),
                Some(_) => (share, score) = (share + 1.0 - of_first, score - score_of_first),
                None => continue,
            }
            count += 1.0;
        }
        (count > 0.0).then(|| (share / count, score / count))
    }

    /// The difference of what counts between two players of a solitaire, or of their points if they meet, as a part of the largest:
    /// in `[−1, 1]`. `None` also if the range of what counts is not known.
    pub fn difference(&self, [a, b]: [usize; 2], facts: &Facts) -> Option<f64> {
        let meeting = self.cells.iter().zip(&self.results).find(|(cell, _)| {
            cell.players.len() == 2 && cell.players.contains(&a) && cell.players.contains(&b)
        });
        if let Some((cell, result)) = meeting {
            let share = (*result)?.0;
            return Some(if cell.players[0] == a { 2.0 * share - 1.0 } else { 1.0 - 2.0 * share });
        }
        let [least, most] = facts.results()?;
        let [a, b] = [self.of_player(a)?, self.of_player(b)?].map(|of| facts.result(of));
        Some((a - b) / (most - least).max(f64::MIN_POSITIVE))
    }
}

/// The number of groups at which a mean doubles the size of its groups.
const GROUPS: u64 = 4096;

/// The mean of bounded values with an anytime-valid interval, in bounded memory: a betting sequence over the means of
/// groups of values. The size of a group is first 1, then 2, 4 and so on.
pub(crate) struct BoundedMean {
    sequence: BettingSequence,
    size: u64,
    sum: f64,
    count: u64,
    total: (f64, u64),
}

impl BoundedMean {
    pub(crate) fn new(confidence: Confidence) -> Self {
        Self { sequence: BettingSequence::new(confidence), size: 1, sum: 0.0, count: 0, total: (0.0, 0) }
    }

    /// Adds the next value in order, in `[0, 1]`.
    pub(crate) fn push(&mut self, value: f64) {
        self.total = (self.total.0 + value, self.total.1 + 1);
        (self.sum, self.count) = (self.sum + value, self.count + 1);
        if self.count == self.size {
            self.sequence.push((self.sum / self.count as f64).clamp(0.0, 1.0));
            (self.sum, self.count) = (0.0, 0);
            if self.sequence.count().is_multiple_of(GROUPS) {
                self.size *= 2;
            }
        }
    }

    /// The mean of all values, and the interval, which excludes an incomplete group.
    pub(crate) fn interval(&self) -> Estimate {
        let (sum, count) = self.total;
        let estimate = self.sequence.interval();
        if count == 0 { estimate } else { Estimate { value: sum / count as f64, ..estimate } }
    }
}

/// The result of a player so far that counts: its success rate, its points a game or its mean score, with an anytime-valid 95 % interval. A
/// mean score whose range is not known has none.
pub(crate) struct Standing {
    facts: Facts,
    kind: Kind,
}

enum Kind {
    Success {
        successes: u64,
        trials: u64,
    },
    /// Of values that were mapped from this range to `[0, 1]`.
    Bounded([f64; 2], BoundedMean),
    Unbounded(Moments),
}

impl Standing {
    pub(crate) fn new(facts: Facts) -> Self {
        let mean = || BoundedMean::new(Confidence::default_level());
        let kind = match (facts.counts, facts.results()) {
            (Counts::Success, _) => Kind::Success { successes: 0, trials: 0 },
            (_, Some(range)) => Kind::Bounded(range, mean()),
            (_, None) => Kind::Unbounded(Moments::default()),
        };
        Self { facts, kind }
    }

    /// Adds the next instance: the share of the points, and the mean score.
    pub(crate) fn push(&mut self, result: (f64, f64)) {
        match &mut self.kind {
            Kind::Success { successes, trials } => {
                *trials += 1;
                *successes += u64::from(result.0 > 0.5);
            }
            Kind::Bounded([least, most], mean) => {
                let width = (*most - *least).max(f64::MIN_POSITIVE);
                mean.push((self.facts.result(result) - *least) / width);
            }
            Kind::Unbounded(moments) => moments.push(self.facts.result(result)),
        }
    }

    pub(super) const fn trials(&self) -> u64 {
        match &self.kind {
            Kind::Success { trials, .. } => *trials,
            Kind::Bounded(_, mean) => mean.total.1,
            Kind::Unbounded(moments) => moments.count(),
        }
    }

    pub(crate) fn interval(&self) -> Estimate {
        match &self.kind {
            Kind::Success { successes, trials } => {
                beta_binomial_sequence(*successes, *trials, Confidence::default_level())
            }
            Kind::Bounded([least, most], mean) => mean.interval().map(|part| least + part * (most - least)),
            Kind::Unbounded(moments) => Estimate::of(moments.mean()),
        }
    }
}
