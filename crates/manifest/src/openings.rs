//! Openings: how games begin, with random plies, from a file of transcripts or of game records, at positions, or in games with
//! other options.
//!
//! The moves of an opening are part of a trial's identity: a file of openings may be moved or renamed, and lines may
//! be added to it, without renaming a trial of the first round; a changed move renames the trials that begin with that line. Of positions
//! and of games with other options, what is listed is the identity, and not its number: they may change places too.

use std::sync::Arc;

use crate::game::Facts;
use crate::game::options::Wording;
use crate::players::{AnyGame, SearcherSpec};
use crate::words::counted;

/// How the games of an experiment begin. Both games of a pair begin in the same way.
#[derive(Clone, Debug, PartialEq)]
pub enum Openings {
    /// With this many uniformly random plies, different for each instance; 0 is the start of the game.
    Random {
        /// The number of plies; chance turns between them do not count.
        plies: u32,
        /// If set, openings are redrawn until one is balanced.
        balance: Option<Balance>,
    },
    /// Instance *i* begins with opening *i*.
    Listed {
        /// The source, for reports.
        source: String,
        /// Each opening as the notations of its moves from the start. In a game for two there are at least as many
        /// openings as instances.
        lines: Vec<Vec<Arc<str>>>,
    },
    /// Instance *i* begins at position *i* of a list.
    Positions {
        /// The source, for reports.
        source: String,
        /// The positions as the game writes them, all different.
        texts: Vec<Arc<str>>,
    },
    /// Instance *i* plays game *i* of a list: the game of the experiment with other options.
    Games(Vec<Arc<dyn AnyGame>>),
    /// Each instance begins at a position that the game draws at random.
    RandomPositions,
}

/// The test of a balanced opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The searcher that judges the position after it.
    pub judge: SearcherSpec,
    /// The largest distance from 0 of the value of its best move, in the unit of its values.
    pub within: f64,
}

impl Openings {
    /// From the start of the game.
    pub const START: Self = Self::Random { plies: 0, balance: None };

    /// The number of uniformly random plies that begin each game.
    pub const fn random_plies(&self) -> u32 {
        match self {
            Self::Random { plies, .. } => *plies,
            _ => 0,
        }
    }

    /// The openings in words, to follow "one opening": `of 4 random plies`. `None` for the start of the game.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Random { plies: 0, .. } => None,
            Self::Random { plies, balance } => {
                let plies = format!("of {}", counted(u64::from(*plies), "random ply"));
                Some(match balance {
                    None => plies,
                    Some(Balance { judge, within }) => {
                        format!("{plies}, by {judge} within {within} of balance")
                    }
                })
            }
            Self::Listed { source, .. } => Some(format!("of {source}")),
            Self::Positions { source, texts } => {
                Some(format!("among {} of {source}", counted(texts.len() as u64, "position")))
            }
            Self::Games(games) => {
                let [first, last] = [games.first(), games.last()].map(|game| game.map(|game| game.spec()));
                let (first, last) = first.zip(last)?;
                Some(format!("among {} from {first} to {last}", counted(games.len() as u64, "game")))
            }
            Self::RandomPositions => Some("at a random position".into()),
        }
    }

    /// The opening of an instance as its part in a trial's identity.
    pub fn content(&self, instance: u64) -> String {
        match self {
            Self::Random { plies, balance: None } => format!("random-plies={plies}"),
            Self::Random { plies, balance: Some(Balance { judge, within }) } => {
                let judge = judge.text(Wording::Identity);
                format!("random-plies={plies} balanced={judge} within={within:?}")
            }
            Self::Listed { lines, .. } => format!("moves {}", lines[self.place(instance).0].join(" ")),
            Self::Positions { texts, .. } => format!("position {}", texts[self.place(instance).0]),
            // The game is another part of the identity.
            Self::Games(_) => Self::START.content(0),
            Self::RandomPositions => "random position".into(),
        }
    }

    /// The number of openings of a list.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Random { .. } | Self::RandomPositions => None,
            Self::Listed { lines, .. } => Some(lines.len() as u64),
            Self::Positions { texts, .. } => Some(texts.len() as u64),
            Self::Games(games) => Some(games.len() as u64),
        }
    }

    /// The place of the opening of an instance in the list, 0 without one; and the number of the instance in its identity,
    /// which is that of the round where the opening itself is the rest of the identity. The list begins again after its end.
    pub fn place(&self, instance: u64) -> (usize, u64) {
        let Some(count) = self.count() else { return (0, instance) };
        let number = if let Self::Listed { .. } = self { instance } else { instance / count };
        ((instance % count) as usize, number)
    }

    /// The facts of a game, or of the games that the openings have instead of it: the ranges hold for all of them.
    pub(crate) fn facts(&self, game: &dyn AnyGame) -> Facts {
        let games = if let Self::Games(games) = self { &games[..] } else { &[] };
        games.iter().map(|game| game.facts()).reduce(|all, of| all.or(&of)).unwrap_or_else(|| game.facts())
    }

    /// The openings of all instances, as their part in the identity of what plays many of them.
    pub(crate) fn all_content(&self) -> String {
        let all = 0..self.count().unwrap_or(1);
        all.map(|instance| self.content(instance)).collect::<Vec<_>>().join("\n")
    }
}
