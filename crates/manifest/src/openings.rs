//! Openings: how two-player games begin, with random plies, or from a file of transcripts or of game records.
//!
//! The moves of an opening are part of a trial's identity: a file of openings may be moved or renamed, and lines may
//! be added to it, without renaming a trial; a changed move renames the trials that begin with that line.

use std::sync::Arc;

use crate::game::options::Wording;
use crate::players::SearcherSpec;
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
        /// Each opening as the notations of its moves from the start. There are at least as many openings as instances.
        lines: Vec<Vec<Arc<str>>>,
    },
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
            Self::Listed { .. } => 0,
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
            Self::Listed { lines, .. } => format!("moves {}", lines[instance as usize].join(" ")),
        }
    }

    /// The number of openings of a list.
    pub fn count(&self) -> Option<u64> {
        if let Self::Listed { lines, .. } = self { Some(lines.len() as u64) } else { None }
    }

    /// The openings of all instances, as their part in the identity of what plays many of them.
    pub(crate) fn all_content(&self) -> String {
        let all = 0..self.count().unwrap_or(1);
        all.map(|instance| self.content(instance)).collect::<Vec<_>>().join("\n")
    }
}
