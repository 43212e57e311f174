//! A comparison: players of one game, which of them meet, and how many instances they play.

use std::sync::Arc;

use super::openings::Openings;
use super::stopping::StoppingRule;
use crate::game::options::Wording;
use crate::players::{AnyGame, SearcherSpec};
use crate::search::Limits;
use crate::stats::Estimate;

/// One comparison on one game.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, unique in the manifest.
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
    /// How the games for two begin.
    pub openings: Openings,
    /// The comparisons that the question is about: pairs of indices of players. They are tested as they stand;
    /// all others are corrected for their number.
    pub primary: Vec<[usize; 2]>,
    /// What a source published of players. Not part of a trial's identity.
    pub published: Vec<Published>,
    /// The seed of all its randomness.
    pub seed: u64,
    /// The resources of each search.
    pub limits: Limits,
}

/// What a source published of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The index of the player.
    pub player: usize,
    /// Its success rate, or its points a game.
    pub result: Estimate,
}

/// A player in an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// Its name, unique in the experiment.
    pub name: String,
    /// Which searcher with which options.
    pub searcher: SearcherSpec,
    /// A name for a random stream of its own, so that a player can meet itself.
    pub stream: Option<String>,
    /// The values that a sweep chose for it: the option and its value as text. Not part of its content.
    pub swept: Vec<(String, String)>,
}

impl PlayerSpec {
    /// The content of the player without its name: its part in a trial's identity.
    pub fn content(&self) -> String {
        match &self.stream {
            None => self.searcher.text(Wording::Identity),
            Some(stream) => format!("{} stream={stream:?}", self.searcher.text(Wording::Identity)),
        }
    }
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
