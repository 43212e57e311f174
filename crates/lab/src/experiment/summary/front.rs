//! The Pareto front of success and cost.
//!
//! Estimates alone would mark whichever of two equally costly players happened to cost a little less, however badly it
//! plays. So a player loses its mark only to a difference that its interval supports, and costs count as equal if their
//! intervals overlap, or if they differ by less than a hundredth.

use serde::{Deserialize, Serialize};

use super::experiment::ExperimentSummary;
use super::player::PlayerSummary;
use crate::stats::{Estimate, Method};

/// Costs that differ by less than this part of the larger one are equal.
const EQUAL: f64 = 0.01;

/// The place of a player relative to the Pareto front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Front {
    /// No other player has at least its success at no more than its cost, and more success or less cost.
    Optimal,
    /// Another player has, but the difference is within the intervals of both.
    Tie,
    /// Another player is better beyond an interval, or its own figures are not known.
    #[default]
    Beaten,
}

impl Front {
    /// Whether the player has a mark.
    pub const fn is_marked(self) -> bool {
        !matches!(self, Self::Beaten)
    }

    /// The name in exports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Tie => "tie",
            Self::Beaten => "beaten",
        }
    }

    /// The mark in tables.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Optimal => "●",
            Self::Tie => "≈",
            Self::Beaten => "",
        }
    }
}

/// For each player, given by its success and its cost, its place. `is_better(a, b)` says whether the interval of the
/// difference has more success for `a` than for `b`.
///
/// A player is beaten if another has more success by that interval at no greater cost, or costs less at no smaller success.
/// Costs are equal if their intervals overlap, or if they differ by less than 1 %.
///
/// # Example: a cost that is 0.2 % less does not save the worst player
/// ```
/// use shikou::experiment::{Front, front};
/// use shikou::stats::{Estimate, Method};
/// // 0.464 beside 0.631 at a cost without an interval that is 0.4 % less.
/// let known = |value: f64| Estimate { value, low: value, high: value, method: Method::None };
/// let two = [(0.464, known(996.0)), (0.631, known(1000.0))];
/// assert_eq!(front(&two, |a, b| two[a].0 > two[b].0 + 0.1), [Front::Beaten, Front::Optimal]);
/// let cost = |value: f64| Estimate { value, low: 0.99 * value, high: 1.01 * value, method: Method::Normal };
/// let players = [(0.1, cost(998.0)), (0.5, cost(1000.0)), (0.49, cost(1001.0)), (0.5, cost(2000.0))];
/// let is_better = |a: usize, b: usize| players[a].0 > players[b].0 + 0.1;
/// assert_eq!(front(&players, is_better), [Front::Beaten, Front::Optimal, Front::Tie, Front::Beaten]);
/// ```
pub fn front(players: &[(f64, Estimate)], is_better: impl Fn(usize, usize) -> bool) -> Vec<Front> {
    let is_known = |&(success, cost): &(f64, Estimate)| !success.is_nan() && !cost.value.is_nan();
    let costs_less = |a: usize, b: usize| {
        let (a, b) = (players[a].1, players[b].1);
        let end = |cost: Estimate, end: f64| if cost.method == Method::None { cost.value } else { end };
        b.value - a.value >= EQUAL * b.value && end(a, a.high) < end(b, b.low)
    };
    let beats = |a: usize, b: usize| {
        is_better(a, b) && !costs_less(b, a) || players[a].0 >= players[b].0 && costs_less(a, b)
    };
    let seems_to_beat = |a: usize, b: usize| {
        let [a_wins, b_wins] = [a, b].map(|player| players[player].0);
        a_wins >= b_wins && !costs_less(b, a) && (a_wins > b_wins || costs_less(a, b))
    };
    let place = |player: usize| {
        let mut others = (0..players.len()).filter(|&other| other != player && is_known(&players[other]));
        if !is_known(&players[player]) || others.clone().any(|other| beats(other, player)) {
            Front::Beaten
        } else if others.any(|other| seems_to_beat(other, player)) {
            Front::Tie
        } else {
            Front::Optimal
        }
    };
    (0..players.len()).map(place).collect()
}

fn half_width(of: Estimate) -> f64 {
    (of.high - of.low) / 2.0
}

impl ExperimentSummary {
    /// Finds the place of each player by success and positions.
    pub(super) fn find_fronts(&mut self) {
        let fronts = self.front_by(|player| player.positions);
        self.players.iter_mut().zip(fronts).for_each(|(player, front)| player.front = front);
    }

    /// The place of each player by success and a cost.
    pub fn front_by(&self, cost: impl Fn(&PlayerSummary) -> Estimate) -> Vec<Front> {
        let players: Vec<(f64, Estimate)> =
            self.players.iter().map(|player| (player.result().value, cost(player))).collect();
        front(&players, |a, b| self.is_better(a, b))
    }

    /// Whether the interval of the difference has more success for the first of two players: on the same deals, or by the
    /// games against each other; of players that did not meet, by the intervals of both.
    fn is_better(&self, a: usize, b: usize) -> bool {
        if let Some(difference) = self.differences.iter().find(|d| d.players == [a, b] || d.players == [b, a])
        {
            let Estimate { low, high, .. } = difference.success;
            return if difference.players == [a, b] { low > 0.0 } else { high < 0.0 };
        }
        let [first, second] = [a, b].map(|player| self.players[player].result());
        if let Some(meeting) = self.meetings.iter().find(|m| m.players == [a, b] || m.players == [b, a]) {
            let Estimate { low, high, .. } = meeting.points;
            let wins = if meeting.players == [a, b] { low > 0.5 } else { high < 0.5 };
            return wins && first.value > second.value;
        }
        let are_known = first.method != Method::None && second.method != Method::None;
        are_known && first.value - second.value > half_width(first).hypot(half_width(second))
    }
}
