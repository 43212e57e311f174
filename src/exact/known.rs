//! A player whose chances are known.

use std::sync::{Mutex, OnceLock};

use crate::players::{Explored, Failure, GraphPlayer, Misfit, SearcherSpec};

/// A player of a game of which all positions are known. What it answers is kept, so that many comparisons ask for it once.
pub struct Known<'g> {
    name: String,
    player: Mutex<Box<dyn GraphPlayer + 'g>>,
    chances: Vec<OnceLock<Box<[u64]>>>,
}

/// Why there is no exact answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoExact {
    /// The searcher does not fit the game.
    #[error("{player}: {misfit}")]
    Misfit {
        /// The player.
        player: String,
        /// Why it does not.
        misfit: Misfit,
    },
    /// It cannot state its chances.
    #[error(
        "{player} does not state with which chance it plays a move; exact answers are for players that do: policies, rules, \
         random, minimax, expectimax, greedy"
    )]
    Unknown {
        /// The player.
        player: String,
    },
    /// It came to no decision.
    #[error("{player}: {failure}")]
    Failure {
        /// The player.
        player: String,
        /// Why not.
        failure: Failure,
    },
}

impl<'g> Known<'g> {
    /// A searcher as a player of a game.
    ///
    /// # Errors
    /// Where it does not fit.
    pub fn new(all: &'g dyn Explored, name: &str, searcher: &SearcherSpec) -> Result<Self, NoExact> {
        let player =
            all.player(searcher).map_err(|misfit| NoExact::Misfit { player: name.into(), misfit })?;
        let chances = (0..all.graph().len()).map(|_| OnceLock::new()).collect();
        Ok(Self { name: name.into(), player: Mutex::new(player), chances })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The relative weights with which it plays the moves of a position at a player's turn, in the order of the edges.
    ///
    /// # Errors
    /// Where it cannot state them.
    pub fn chances(&self, number: u32) -> Result<&[u64], NoExact> {
        let slot = &self.chances[number as usize];
        if let Some(known) = slot.get() {
            return Ok(known);
        }
        let answer = self.player.lock().expect("a player that failed is not asked again").chances(number);
        let player = || self.name.clone();
        let answer = answer.map_err(|failure| NoExact::Failure { player: player(), failure })?;
        let answer = answer.ok_or_else(|| NoExact::Unknown { player: player() })?;
        Ok(slot.get_or_init(|| answer.into()))
    }

    /// The moves that it may play there, by their place among the edges.
    ///
    /// # Errors
    /// As [`Known::chances`].
    pub fn choices(&self, number: u32) -> Result<impl Iterator<Item = usize> + '_, NoExact> {
        let chances = self.chances(number)?.iter().enumerate();
        Ok(chances.filter(|&(_, &weight)| weight > 0).map(|(edge, _)| edge))
    }

    /// The player itself, for what is asked rarely.
    pub(super) fn with<T>(&self, ask: impl FnOnce(&mut dyn GraphPlayer) -> T) -> T {
        ask(&mut **self.player.lock().expect("a player that failed is not asked again"))
    }
}
