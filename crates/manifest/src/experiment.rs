//! A comparison: players of one game, which of them meet, how many instances they play, and what a source published of them.

use std::sync::Arc;

use super::{Openings, PlayerSpec, StoppingRule};
use crate::game::Facts;
use crate::players::AnyGame;
use crate::search::Limits;
use crate::stats::Claim;

/// A comparison on one game.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The name, unique in the manifest.
    pub name: String,
    /// The values that a sweep chose for it: the option and its value as text.
    pub swept: Vec<(String, String)>,
    /// The game with its options.
    pub game: Arc<dyn AnyGame>,
    /// The players that are compared.
    pub players: Vec<PlayerSpec>,
    /// Which players meet.
    pub design: Design,
    /// How many instances each cell plays: deals of a solitaire, pairs of games for two.
    pub trials: u64,
    /// When it has played enough, before `trials` are played; none plays them all.
    pub stopping: Option<StoppingRule>,
    /// How the games begin.
    pub openings: Openings,
    /// The comparisons that the question is about: pairs of indices of players. They are tested as they stand;
    /// all others are corrected for their number.
    pub primary: Vec<[usize; 2]>,
    /// The published results of players. Not part of a trial's identity.
    pub published: Vec<Published>,
    /// The seed of all its randomness.
    pub seed: u64,
    /// The resources of each search.
    pub limits: Limits,
}

/// A published result of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The index of the player.
    pub player: usize,
    /// Its success rate, points a game or mean score, or the sign of its gain.
    pub claim: Claim,
}

/// Which players meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Design {
    /// A solitaire: every player plays the same deals.
    Solo,
    /// A game for two, and two players: they meet.
    Match,
    /// A game for two: every player meets every other.
    RoundRobin,
    /// A game for two: every player meets each of these.
    Gauntlet {
        /// Indices of the players that all others meet.
        baselines: Vec<usize>,
    },
}

impl Design {
    /// The name in manifests.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solo => "solo",
            Self::Match => "match",
            Self::RoundRobin => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
        }
    }

    /// The number of pairs of these players that meet, or are compared on the same deals.
    pub(crate) fn pairs(&self, players: usize) -> u64 {
        let players = players as u64;
        match self {
            Self::Gauntlet { baselines } => (players - baselines.len() as u64) * baselines.len() as u64,
            _ => players * players.saturating_sub(1) / 2,
        }
    }

    /// Whether two players can be compared: they meet, or play the same deals.
    pub fn meet(&self, [a, b]: [usize; 2]) -> bool {
        match self {
            Self::Gauntlet { baselines } => baselines.contains(&a) != baselines.contains(&b),
            _ => a != b,
        }
    }
}

impl Experiment {
    /// The games that it plays: its game, or those of its openings.
    pub fn games(&self) -> &[Arc<dyn AnyGame>] {
        if let Openings::Games(games) = &self.openings { games } else { std::slice::from_ref(&self.game) }
    }

    /// The game of an instance.
    pub fn game_of(&self, instance: u64) -> &Arc<dyn AnyGame> {
        &self.games()[self.game_number(instance)]
    }

    /// The number of the game of an instance among [all](Self::games).
    pub fn game_number(&self, instance: u64) -> usize {
        if let Openings::Games(_) = self.openings { self.openings.place(instance).0 } else { 0 }
    }

    /// The facts of its games together: the ranges hold for all of them.
    pub fn facts(&self) -> Facts {
        self.openings.facts(&*self.game)
    }

    /// Whether two players differ in nothing but their random streams.
    pub fn are_alike(&self, players: [usize; 2]) -> bool {
        let [first, second] =
            players.map(|player| PlayerSpec { stream: None, ..self.players[player].clone() }.content());
        first == second
    }
}
