//! What a search returns.

use std::fmt;

use serde::Serialize;

use super::Limit;

/// A decision: the move, and what the search thinks of every move.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// The move that is played.
    pub chosen: M,
    /// Every legal move in the game's order with what the search found; empty where nothing was searched.
    pub moves: Vec<MoveEstimate<M>>,
    /// Why the search ended.
    pub stop: Stop,
}

/// What a search found about one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MoveEstimate<M, V = f64> {
    /// The move.
    pub mv: M,
    /// How many playouts or nodes stand behind the value.
    pub visits: u64,
    /// The value for the player who moves: the mean payoff, or an evaluation in its own unit.
    pub value: V,
    /// The standard error of the value, in its unit; 0 where the value is exact or its error is not known.
    pub spread: V,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// It did all that it was told to.
    Complete,
    /// There was one legal move, so that there was nothing to search.
    Forced,
    /// The value of the position is proved.
    Proved,
    /// This limit of its budget was reached.
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
    /// A move that nothing was searched for.
    pub const fn unsearched(chosen: M, stop: Stop) -> Self {
        Self { chosen, moves: Vec::new(), stop }
    }
}
