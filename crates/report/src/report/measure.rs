//! The words, the digits and the range of what counts in an experiment: success, points or a score in its unit.

use super::numbers::decimals;
use super::table::{Column, strip, strip_within};
use crate::experiment::{Counts, ExperimentSummary, PlayerSummary};
use crate::stats::Estimate;

/// The result that counts in an experiment.
#[derive(Clone, Copy)]
pub(super) struct Measure<'e> {
    pub(super) counts: Counts,
    unit: &'e str,
}

impl<'e> Measure<'e> {
    pub(super) fn of(experiment: &'e ExperimentSummary) -> Self {
        Self::new(experiment.counts(), &experiment.margin_unit)
    }

    pub(super) const fn new(counts: Counts, unit: &'e str) -> Self {
        Self { counts, unit }
    }

    /// The title of a column: `success`, `points` or `score, cards`.
    pub(super) fn title(self) -> String {
        match self.counts {
            Counts::Success => "success".into(),
            Counts::Points => "points".into(),
            Counts::Score => format!("score, {}", self.unit),
        }
    }

    /// The name of an axis.
    pub(super) fn name(self) -> String {
        match self.counts {
            Counts::Success => "success rate".into(),
            Counts::Points => "points a game".into(),
            Counts::Score => format!("mean score, {}", self.unit),
        }
    }

    /// The best of several players has this.
    pub(super) const fn most(self) -> &'static str {
        match self.counts {
            Counts::Success => "highest success rate",
            Counts::Points => "most points a game",
            Counts::Score => "highest mean score",
        }
    }

    /// The decimals of a result.
    pub(super) const fn digits(self) -> usize {
        if matches!(self.counts, Counts::Score) { 2 } else { 3 }
    }

    /// A figure with what it is of.
    pub(super) fn with_unit(self, figure: &str) -> String {
        match self.counts {
            Counts::Success => format!("a success rate of {figure}"),
            Counts::Points => format!("{figure} points a game"),
            Counts::Score => format!("a mean score of {figure} {}", self.unit),
        }
    }

    /// The lead of the better of two players.
    pub(super) fn lead(self, figure: &str) -> String {
        match self.counts {
            Counts::Success => format!("by {figure} in success rate"),
            Counts::Points => format!("with {figure} points a game"),
            Counts::Score => format!("by {figure} {}", self.unit),
        }
    }

    /// The comparison of two players.
    pub(super) fn compared(self, figure: &str) -> String {
        match self.counts {
            Counts::Success => format!("difference in success rate {figure}"),
            Counts::Points => format!("points a game of the first {figure}"),
            Counts::Score => format!("difference in mean score {figure} {}", self.unit),
        }
    }

    /// The axis of comparisons.
    pub(super) fn compared_axis(self) -> String {
        match self.counts {
            Counts::Success => "difference of success, first − second".into(),
            Counts::Points => "points a game of the first".into(),
            Counts::Score => format!("difference of score, first − second, {}", self.unit),
        }
    }

    /// Whole units of a score.
    pub(super) fn units(self, number: f64) -> String {
        format!("{} {}", decimals(number, 0), self.unit)
    }

    /// Numbers that an axis holds besides its marks: `usual`, or of a score none but a mark.
    pub(super) fn axis(self, experiment: &ExperimentSummary, usual: [f64; 2]) -> [f64; 2] {
        let played = experiment.players.iter().find(|player| player.trials > 0);
        match (self.counts, played) {
            (Counts::Score, Some(player)) => [player.result().value; 2],
            _ => usual,
        }
    }
}

/// The intervals of the results of players as pictures: of a score from the least end to the greatest.
pub(super) fn results_strip<'c, R>(
    experiment: &ExperimentSummary,
    of: &'c dyn Fn(&R) -> Estimate,
) -> Column<'c, R> {
    if !experiment.scored {
        return strip(of);
    }
    let played = experiment.players.iter().filter(|player| player.trials > 0).map(PlayerSummary::result);
    // A player without an interval has its value alone.
    let ends = |[least, most]: [f64; 2], of: Estimate| {
        let [low, high] = if of.low.is_finite() { [of.low, of.high] } else { [of.value; 2] };
        [least.min(low), most.max(high)]
    };
    strip_within(played.fold([f64::INFINITY, f64::NEG_INFINITY], ends), of)
}
