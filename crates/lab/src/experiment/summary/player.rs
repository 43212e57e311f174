//! A player: its estimates and what it cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::experiment::stopping::Standing;
use crate::experiment::trial::SeatRecord;
use crate::game::Counts;
use crate::manifest::Experiment;
use crate::search::Spent;
use crate::stats::{Confidence, Estimate, Moments, mean_interval, score_interval, total_interval, wilson};

/// The place of a player relative to the Pareto front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Front {
    /// No other player has at least its success, points or score at no more than its cost, and more of it or less cost.
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

/// The total of a player's scores over all boards of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Total {
    /// The number of boards.
    pub boards: u64,
    /// How many times each of them was played, at least.
    pub rounds: u64,
    /// The sum of the mean scores of the boards: the mean total of a round. Its interval takes the boards as fixed, so it
    /// holds for these; there is none of one round.
    pub score: Estimate,
}

/// The results of a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The searcher with the options that differ from the defaults.
    pub search: String,
    /// The values that a sweep chose for it: the option and its value as text. Empty without a sweep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<(String, String)>,
    /// Trials without a failure: deals, or pairs of games.
    pub trials: u64,
    /// The independent values that the intervals come from: deals, or openings.
    pub instances: u64,
    /// Games won, drawn and lost. A solitaire is won or lost.
    pub wins_draws_losses: [u64; 3],
    /// The success rate of a solitaire; none of another game.
    pub success: Option<Estimate>,
    /// The points a game of a game for two, in `[0, 1]`; none of a solitaire.
    pub points: Option<Estimate>,
    /// The mean score of a solitaire that is judged by it, in the unit of the margin; none of another game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Estimate>,
    /// The mean margin, in its unit; of a solitaire that is judged by its score, this score.
    pub margin: Estimate,
    /// The total of its scores over a list of boards, if there is one, of a solitaire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Total>,
    /// The trials that it played, failed ones included: what the work is of.
    pub played: u64,
    /// The work of all moves together.
    pub playouts: u64,
    /// Plies simulated in playouts.
    pub plies: u64,
    /// Positions visited by tree search.
    pub nodes: u64,
    /// Moves made.
    pub moves: u64,
    /// The positions of a trial, `plies` and `nodes`: the mean over those that it played, with its interval.
    pub positions: Estimate,
    /// The place by what counts and `positions`.
    pub front: Front,
    /// The lengths of its games; none without a game that was played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Lengths>,
    /// The wall time of its moves in nanoseconds. Not deterministic, and not in the JSON.
    #[serde(skip)]
    pub wall_ns: f64,
    /// The processor time of its games in nanoseconds; of a game for two the part that is its part of the wall time.
    /// Not deterministic, and not in the JSON.
    #[serde(skip)]
    pub cpu_ns: f64,
    /// The same of a trial: the mean over those that it played, with its interval. NaN if it was read from JSON.
    #[serde(skip, default = "unknown")]
    pub cpu_ns_a_trial: Estimate,
    /// The part of the time of its moves in which it had a processor, if its searches are limited by the clock, each player of the
    /// experiment searches on one thread, and no other program plays; about 1 on an idle machine. Not deterministic, and not in the
    /// JSON.
    #[serde(skip)]
    pub running: Option<f64>,
}

fn unknown() -> Estimate {
    Estimate::of(f64::NAN)
}

impl PlayerSummary {
    /// The result that counts: the success rate or the mean score of a solitaire, or the points a game of a game for two.
    ///
    /// # Panics
    /// If it has none of them, which no summary of this schema does.
    pub fn result(&self) -> Estimate {
        self.success.or(self.points).or(self.score).expect("a player has its success, points or score")
    }
}

/// The longest list of boards with totals.
const MOST_BOARDS: u64 = 10_000;

#[derive(Default)]
pub(super) struct PlayerFold {
    trials: u64,
    played: u64,
    pub(super) wins_draws_losses: [u64; 3],
    /// Of all instances, and of those that are the first to begin at their position.
    shares: [Moments; 2],
    margins: [Moments; 2],
    /// The result that counts with an anytime-valid interval, if the experiment has a stopping rule.
    anytime: Option<Standing>,
    /// Of the instance in hand: how many results, and their sums.
    results: u32,
    /// The scores on each board of a list.
    boards: Vec<Moments>,
    share: f64,
    margin: f64,
    spent: Spent,
    moves: u64,
    wall_ns: f64,
    cpu_ns: f64,
    /// Of the trial in hand, and of those before it.
    cpu_ns_of_trial: f64,
    cpu_ns_a_trial: Moments,
    positions_of_trial: u64,
    positions: Moments,
    pub(super) lengths: LengthsFold,
}

impl PlayerFold {
    pub(super) fn new(experiment: &Experiment) -> Self {
        let anytime = experiment.stopping.as_ref().map(|_| Standing::new(experiment.facts()));
        let boards =
            experiment.openings.count().filter(|&boards| boards <= MOST_BOARDS.min(experiment.trials));
        let boards = boards.filter(|_| experiment.facts().players == 1).unwrap_or(0);
        Self { anytime, boards: vec![Moments::default(); boards as usize], ..Self::default() }
    }

    /// The score of a trial on the board with this number.
    pub(super) fn score_on(&mut self, board: usize, score: f64) {
        if let Some(scores) = self.boards.get_mut(board) {
            scores.push(score);
        }
    }

    /// A game of a trial, finished or not, with the player's part of its processor time.
    pub(super) fn play(&mut self, seat: &SeatRecord, cpu_ns: f64) {
        self.spent += seat.spent;
        self.moves += u64::from(seat.moves);
        self.wall_ns += seat.wall_ns as f64;
        self.cpu_ns += cpu_ns;
        self.cpu_ns_of_trial += cpu_ns;
        self.positions_of_trial += seat.spent.plies + seat.spent.nodes;
    }

    /// The end of a trial, whether its games were finished or not.
    pub(super) fn close_trial(&mut self) {
        self.played += 1;
        self.cpu_ns_a_trial.push(std::mem::take(&mut self.cpu_ns_of_trial));
        self.positions.push(std::mem::take(&mut self.positions_of_trial) as f64);
    }

    /// The result of a trial: the share of the points in `[0, 1]`, and the mean margin.
    pub(super) fn push(&mut self, share: f64, margin: f64) {
        self.trials += 1;
        self.results += 1;
        self.share += share;
        self.margin += margin;
    }

    /// Ends an instance: `is_first` if no earlier one begins at its position. The unit is the instance: pairs against several
    /// opponents share its opening, and the random numbers of the player.
    pub(super) fn close_instance(&mut self, is_first: bool) {
        if self.results > 0 {
            let n = f64::from(self.results);
            for of in 0..=usize::from(is_first) {
                self.shares[of].push(self.share / n);
                self.margins[of].push(self.margin / n);
            }
            if let Some(anytime) = &mut self.anytime {
                anytime.push((self.share / n, self.margin / n));
            }
            (self.results, self.share, self.margin) = (0, 0.0, 0.0);
        }
    }

    /// The summary, with intervals if the results are complete and evidence; of the first instances at each position only if its
    /// meetings `repeat` themselves.
    pub(super) fn finish(
        self,
        experiment: &Experiment,
        player: usize,
        is_evidence: bool,
        repeats: bool,
        confidence: Confidence,
    ) -> PlayerSummary {
        let (facts, fixed) = (experiment.facts(), experiment.stopping.is_none());
        let [shares, margins] = [&self.shares, &self.margins].map(|of| of[usize::from(repeats)]);
        // A stopping rule looked at the repetitions.
        let is_evidence = is_evidence && (fixed || !repeats);
        let mut margin = mean_interval(&margins, confidence).within(facts.margins());
        let mut result = match (facts.counts, &self.anytime) {
            (_, Some(anytime)) => anytime.interval(),
            (Counts::Success, None) => wilson(self.wins_draws_losses[0], self.trials, confidence),
            (Counts::Score, None) => margin,
            (Counts::Points, None) => {
                let pairs_each = self.trials as f64 / self.shares[0].count().max(1) as f64;
                score_interval(&shares, pairs_each.max(1.0), confidence)
            }
        };
        let mut costs = [&self.cpu_ns_a_trial, &self.positions].map(|cost| mean_interval(cost, confidence));
        if facts.counts == Counts::Score {
            margin = result;
        } else if !fixed {
            margin = margin.without_interval();
        }
        if !is_evidence || self.trials == 0 {
            (result, margin) = (result.without_interval(), margin.without_interval());
        }
        if !fixed || !is_evidence || self.trials == 0 {
            costs = costs.map(Estimate::without_interval);
        }
        let rounds = self.boards.iter().map(Moments::count).min().filter(|&rounds| rounds > 0);
        let total = rounds.map(|rounds| {
            let score = total_interval(&self.boards, confidence);
            let has_interval = fixed && is_evidence;
            let score = if has_interval { score } else { score.without_interval() };
            Total { boards: self.boards.len() as u64, rounds, score }
        });
        let [cpu_ns_a_trial, mut positions] = costs;
        positions.value = (self.spent.plies + self.spent.nodes) as f64 / self.played.max(1) as f64;
        PlayerSummary {
            name: experiment.players[player].name.clone(),
            search: experiment.players[player].searcher.to_string(),
            swept: experiment.players[player].swept.clone(),
            trials: self.trials,
            instances: shares.count(),
            wins_draws_losses: self.wins_draws_losses,
            success: (facts.counts == Counts::Success).then_some(result),
            points: (facts.counts == Counts::Points).then_some(result),
            score: (facts.counts == Counts::Score).then_some(result),
            margin,
            total,
            played: self.played,
            playouts: self.spent.playouts,
            plies: self.spent.plies,
            nodes: self.spent.nodes,
            moves: self.moves,
            positions,
            front: Front::default(),
            lengths: self.lengths.finish(),
            wall_ns: self.wall_ns,
            cpu_ns: self.cpu_ns,
            cpu_ns_a_trial,
            running: None,
        }
    }
}

/// The lengths of the games of a player that were played to their end, in plies, including those of chance and of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lengths {
    /// How many games.
    pub games: u64,
    /// The mean length.
    pub mean: f64,
    /// The lengths that [these shares](Lengths::SHARES) of the games did not exceed; the first is that of the shortest.
    pub quantiles: [u32; 7],
}

impl Lengths {
    /// The shares of the games.
    pub const SHARES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];
}

#[derive(Default)]
pub(super) struct LengthsFold(BTreeMap<u32, u64>);

impl LengthsFold {
    pub(super) fn push(&mut self, plies: u32) {
        *self.0.entry(plies).or_default() += 1;
    }

    /// `None` without games.
    pub(super) fn finish(self) -> Option<Lengths> {
        let games: u64 = self.0.values().sum();
        let plies: u64 = self.0.iter().map(|(&plies, &count)| u64::from(plies) * count).sum();
        let longest = *self.0.last_key_value()?.0;
        let quantile = |share: f64| {
            // The rank of the game, from 1.
            let rank = libm::ceil(share * games as f64).max(1.0) as u64;
            let mut seen = 0;
            let reaches = |(_, count): &(&u32, &u64)| {
                seen += **count;
                seen >= rank
            };
            self.0.iter().find(reaches).map_or(longest, |(&plies, _)| plies)
        };
        Some(Lengths { games, mean: plies as f64 / games as f64, quantiles: Lengths::SHARES.map(quantile) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_lengths_of_games() {
        let of = |lengths: &[u32]| {
            let mut fold = LengthsFold::default();
            for &plies in lengths {
                fold.push(plies);
            }
            fold.finish()
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]).unwrap(), Lengths { games: 1, mean: 7.0, quantiles: [7; 7] });
        let hundred: Vec<u32> = (1..=100).collect();
        assert_eq!(of(&hundred).unwrap().quantiles, [1, 5, 25, 50, 75, 95, 100]);
        assert_eq!(
            of(&[5, 9, 9, 9]).unwrap(),
            Lengths { games: 4, mean: 8.0, quantiles: [5, 5, 5, 9, 9, 9, 9] }
        );
    }
}
