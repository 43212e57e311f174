//! A comparison: players of one game, which of them meet, how many instances they play, and what a source published of them.

use std::sync::Arc;

use super::read::{PlacedError, Read, Section, Value, array, player_named};
use super::{Openings, StoppingRule};
use crate::game::options::{Setting, Wording, integer, real, settings, text};
use crate::players::{AnyGame, SearcherSpec};
use crate::search::Limits;
use crate::stats::{Confidence, Estimate, Method, clopper_pearson};

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

/// Makes players small enough for a quick test of a game, which may have an evaluation.
pub(super) fn reduce(players: &mut [PlayerSpec], has_evaluation: bool) {
    for player in players {
        player.searcher = player.searcher.reduced(has_evaluation);
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

settings! {
    /// A published result, as it is written.
    pub(crate) struct PublishedKeys {
        /// the name of a player of this experiment
        player: String = text("a text", "").needed("\"tree\""),
        /// successes
        successes: Option<u64> = integer(0..=i64::MAX, ()).optional(),
        /// of so many trials
        trials: Option<u64> = integer(1..=i64::MAX, ()).optional(),
        /// a success rate, or points a game
        value: Option<f64> = share(),
        /// the lower end of its interval
        low: Option<f64> = share(),
        /// the upper end of its interval
        high: Option<f64> = share(),
    }
}

fn share() -> Setting<Option<f64>> {
    real(0.0..=1.0, ()).optional()
}

/// The published results, at most one of each player.
pub(super) fn read_published(value: &Value<'_>, players: &[PlayerSpec]) -> Read<Vec<Published>> {
    let mut all: Vec<Published> = Vec::new();
    for item in array("published", value)? {
        let (written, keys) = Section::read::<PublishedKeys>(item, "a published result")?;
        let player = player_named(&written.player, keys.at("player"), players)?;
        if all.iter().any(|other| other.player == player) {
            let message = format!("`{}` has two published results", players[player].name);
            return Err(PlacedError::new(item.span(), message));
        }
        all.push(Published { player, result: written.result(&keys)? });
    }
    Ok(all)
}

impl PublishedKeys {
    /// Successes of trials, or a share with the interval that the source has, or none.
    fn result(&self, keys: &Section<'_>) -> Read<Estimate> {
        match (self.successes, self.trials, self.value, self.low, self.high) {
            (Some(successes), Some(trials), None, None, None) if successes <= trials => {
                Ok(clopper_pearson(successes, trials, Confidence::default_level()))
            }
            (None, None, Some(value), Some(low), Some(high)) if low <= value && value <= high => {
                Ok(Estimate { value, low, high, method: Method::Published })
            }
            (None, None, Some(value), None, None) => Ok(Estimate::of(value)),
            _ => Err(PlacedError::new(
                keys.span.clone(),
                "a published result is `successes` and `trials`, which are not fewer, or `value`, alone or between `low` and \
                 `high`; write for example published = [{ player = \"tree\", successes = 72, trials = 100 }]",
            )),
        }
    }
}
