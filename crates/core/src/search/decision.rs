//! Decisions: the result of a search.

use std::fmt;

use super::{Limit, MoveStream, Ties};
use crate::game::Tally;
use crate::rng::Rng;

/// A decision: the chosen move, and an estimate of every move.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// The move that is played.
    pub chosen: M,
    /// An estimate of every legal move, in the game's order; empty if nothing was searched.
    pub moves: Vec<MoveEstimate<M>>,
    /// The reason why the search ended.
    pub stop: Stop,
}

/// The estimate of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MoveEstimate<M, V = f64> {
    /// The move.
    pub mv: M,
    /// The number of playouts or nodes that the value is based on.
    pub visits: u64,
    /// The value for the player who moves: the mean payoff, or an evaluation in its own unit.
    pub value: V,
    /// The standard error of the value, in its unit; 0 if the value is exact or its error is unknown.
    pub standard_error: V,
}

impl<M> MoveEstimate<M> {
    /// An estimate whose error is 0 or unknown.
    pub(super) const fn exact(mv: M, visits: u64, value: f64) -> Self {
        Self { mv, visits, value, standard_error: 0.0 }
    }

    /// The mean payoff of the playouts of a move; 0 without a playout.
    pub(super) fn of(mv: M, tally: &Tally) -> Self {
        let visits = tally.playouts;
        let standard_error = (tally.variance() / visits.max(1) as f64).sqrt();
        Self { mv, visits, value: tally.mean(), standard_error }
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stop {
    /// The search is complete.
    Complete,
    /// Only one move is legal.
    Forced,
    /// The value of the position is proved.
    Proved,
    /// This limit of the budget was reached.
    Limit(Limit),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Complete => "complete",
            Self::Forced => "only one legal move",
            Self::Proved => "proved",
            Self::Limit(Limit::Playouts) => "playouts spent",
            Self::Limit(Limit::Nodes) => "nodes spent",
            Self::Limit(Limit::Plies) => "plies spent",
            Self::Limit(Limit::Time) => "time spent",
        })
    }
}

impl<M> Decision<M> {
    /// A move chosen without search.
    pub const fn unsearched(chosen: M, stop: Stop) -> Self {
        Self { chosen, moves: Vec::new(), stop }
    }

    /// The same decision in other words for its moves.
    pub(super) fn map<N>(self, change: impl Fn(M) -> N) -> Decision<N> {
        let estimate = |MoveEstimate { mv, visits, value, standard_error }| MoveEstimate {
            mv: change(mv),
            visits,
            value,
            standard_error,
        };
        let moves = self.moves.into_iter().map(estimate).collect();
        Decision { chosen: change(self.chosen), moves, stop: self.stop }
    }
}

impl Decision<usize> {
    /// A best move by the estimates, chosen by this rule among equals.
    pub(super) fn of_best(
        moves: Vec<MoveEstimate<usize>>,
        ties: Ties,
        stop: Stop,
        stream: MoveStream,
    ) -> Self {
        let best = ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Self { chosen: moves[best].mv, moves, stop }
    }

    /// The decision between these moves, which it knows by their numbers.
    #[inline(never)]
    pub(super) fn between<M: Copy>(self, moves: &[M]) -> Decision<M> {
        let named = |MoveEstimate { mv, visits, value, standard_error }| MoveEstimate {
            mv: moves[mv],
            visits,
            value,
            standard_error,
        };
        Decision {
            chosen: moves[self.chosen],
            moves: self.moves.into_iter().map(named).collect(),
            stop: self.stop,
        }
    }
}

/// The place of the best mean payoff, chosen by this rule among equals.
pub(super) fn best_mean(tallies: &[Tally], ties: Ties, rng: &mut Rng) -> usize {
    ties.best(tallies.iter().map(Tally::mean), rng)
}

/// The estimates of moves by their playouts.
pub(super) fn estimates(tallies: &[Tally]) -> Vec<MoveEstimate<usize>> {
    tallies.iter().enumerate().map(|(number, tally)| MoveEstimate::of(number, tally)).collect()
}
