//! An experiment: its players, their comparisons, its failures, and the Pareto front of what counts and its cost.
//!
//! Estimates alone would mark whichever of two equally costly players happened to cost a little less, however badly it
//! plays. So a player loses its mark only to a difference that its interval supports, and costs count as equal if their
//! intervals overlap, or if they differ by less than a hundredth.

use serde::{Deserialize, Serialize};

use super::{CurveCrossings, Difference, Front, Meeting, PlayerSummary, RatingsSummary, Warning};
use crate::experiment::stopping::StoppingSummary;
use crate::game::Counts;
use crate::stats::{Claim, Estimate, Method};

/// The results of an experiment.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own in summary.json")]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExperimentSummary {
    /// The name.
    pub name: String,
    /// The values that a sweep chose for it: the option and its value as text. Empty without a sweep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<(String, String)>,
    /// The game with its options.
    pub game: String,
    /// Whether it is a game for two: then a trial is a pair of games.
    pub paired: bool,
    /// Which players meet.
    pub design: String,
    /// Whether every trial of the plan was played. Only then are there intervals: they hold for the number of trials
    /// that was fixed, not for a look on the way.
    pub complete: bool,
    /// The course of the stopping rule, where there is one. Then the number of trials was not fixed: the intervals of the
    /// success are such as hold at any time, and there are no others.
    pub stopping: Option<StoppingSummary>,
    /// The estimates of the first players after more and more instances, with intervals that hold at all looks; empty without a
    /// stopping rule, or if the trials were not read in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub course: Vec<(u64, Vec<Estimate>)>,
    /// The unit of the margin, or of the score that counts.
    pub margin_unit: String,
    /// Whether the players of a solitaire are judged by their mean score, as the game declares.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scored: bool,
    /// Whether the margin says more than what counts.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub has_margin: bool,
    /// How many uniformly random plies begin each game.
    pub opening_plies: u32,
    /// The openings in words; none if games begin at the start.
    pub openings: Option<String>,
    /// The players in the order of the manifest.
    pub players: Vec<PlayerSummary>,
    /// How many comparisons are corrected together by Holm's method: all but the primary ones.
    pub family: u64,
    /// Every two players of a solitaire, in the order of the manifest; empty for a game for two.
    pub differences: Vec<Difference>,
    /// Every two players that met; empty for a solitaire.
    pub meetings: Vec<Meeting>,
    /// In the order of the manifest, the share of the points that the row's player took from the column's, where more
    /// than two players met; empty otherwise.
    pub cross_table: Vec<Vec<Option<f64>>>,
    /// The ratings where more than two players met; none before all trials are done.
    pub ratings: Option<RatingsSummary>,
    /// The published results: the name of each player, and its success rate, points a game or mean score, or their sign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<(String, Claim)>,
    /// Where the curves of what counts against budget of two players cross; empty without such curves, with a stopping rule, and
    /// before all trials are done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve_crossings: Vec<CurveCrossings>,
    /// How many games were played to their end, and how many of them went different ways. Chance repeats games too; see
    /// [`Warning::RepeatedOpenings`] for repetitions that are no evidence.
    pub games: u64,
    /// See [`ExperimentSummary::games`].
    pub distinct_games: u64,
    /// The reasons of failed games, each with how many failed so.
    pub failures: Vec<(String, u64)>,
    /// The games that engines lost without finishing them: the player, the reason, which begins with the kind of failure, and
    /// how many were lost so. They are among the losses, with a margin of 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<(String, String, u64)>,
    /// How many trials engines played in. They are not repeatable, and the digest does not cover them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub engine_trials: u64,
    /// Reasons to doubt a figure.
    #[serde(deserialize_with = "read_warnings")]
    pub warnings: Vec<Warning>,
}

/// Without the warning of older programs of all games that repeat, also of those that chance repeats.
fn read_warnings<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Vec<Warning>, D::Error> {
    let mut warnings = Vec::<serde_json::Value>::deserialize(reader)?;
    warnings.retain(|warning| warning.get("repeated-games").is_none());
    let read = |warning| serde_json::from_value(warning).map_err(serde::de::Error::custom);
    warnings.into_iter().map(read).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_yes(flag: &bool) -> bool {
    *flag
}

impl ExperimentSummary {
    /// The result by which its players are judged.
    pub const fn counts(&self) -> Counts {
        match (self.paired, self.scored) {
            (true, _) => Counts::Points,
            (false, true) => Counts::Score,
            (false, false) => Counts::Success,
        }
    }

    /// Whether a player is limited by time, so that nobody gets the same results again.
    pub fn is_timed(&self) -> bool {
        self.warnings.iter().any(|warning| matches!(warning, Warning::TimeLimited { .. }))
    }

    /// The players with a published result that have played, in the order of the manifest.
    pub fn with_published(&self) -> impl Iterator<Item = (&PlayerSummary, &Claim)> {
        let published = |player: &PlayerSummary| self.published.iter().find(|(name, _)| *name == player.name);
        let played = self.players.iter().filter(|player| player.trials > 0);
        played.filter_map(move |player| Some((player, &published(player)?.1)))
    }

    /// Finds the indices of players, which the JSON lacks, by their names.
    pub(super) fn find_indices(&mut self) -> Result<(), serde_json::Error> {
        let names: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        let index = |name: &str| {
            let found = names.iter().position(|known| *known == name);
            found.ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no player of {}", self.name)))
        };
        for difference in &mut self.differences {
            difference.players = [index(&difference.first)?, index(&difference.second)?];
        }
        for meeting in &mut self.meetings {
            meeting.players = [index(&meeting.first)?, index(&meeting.second)?];
        }
        for ranked in self.ratings.iter_mut().flat_map(|ratings| &mut ratings.ranking) {
            ranked.player = index(&ranked.name)?;
        }
        Ok(())
    }

    pub(super) fn find_warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let few = |player: &&PlayerSummary| {
            player.instances < Warning::FEW
                && (self.has_margin || self.scored)
                && player.margin.method == Method::StudentT
        };
        if let Some(instances) = self.players.iter().filter(few).map(|player| player.instances).min() {
            warnings.push(Warning::FewInstances { instances, scored: self.scored });
        }
        let tested = self.differences.iter().filter_map(|difference| difference.tested);
        let tested = tested.chain(self.meetings.iter().filter_map(|meeting| meeting.tested));
        let comparisons = tested.clone().count() as u64;
        if comparisons > 1 && tested.clone().all(|tested| tested.primary) {
            warnings.push(Warning::AllPrimary { comparisons });
        }
        let failed = self.failures.iter().map(|(_, games)| games).sum();
        if failed > 0 {
            warnings.push(Warning::Failures { games: failed });
        }
        warnings
    }

    /// Finds the place of each player by what counts and positions.
    pub(super) fn find_fronts(&mut self) {
        let fronts = self.front_by(|player| player.positions);
        self.players.iter_mut().zip(fronts).for_each(|(player, front)| player.front = front);
    }

    /// The place of each player by what counts and a cost.
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
            let Estimate { low, high, .. } = difference.result();
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

/// Costs that differ by less than this part of the larger one are equal.
const EQUAL: f64 = 0.01;

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
