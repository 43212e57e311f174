//! A player with known move probabilities.

use std::sync::{Mutex, MutexGuard, OnceLock};

use crate::game::{Graph, MoveReasons};
use crate::players::{AnyMachine, Explored, FitError, PlayError, SearcherSpec};

/// A player of an enumerated game. Its answers are cached, so that several comparisons compute them once.
pub struct Known<'g> {
    name: String,
    graph: &'g Graph,
    player: Mutex<Box<dyn AnyMachine + 'g>>,
    chances: Vec<OnceLock<Box<[u64]>>>,
}

/// The reason why there is no exact answer.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    #[error("{player}: {misfit}")]
    FitError { player: String, misfit: FitError },
    #[error(
        "{player} does not state its move probabilities; exact answers need a player that does: policies, rules, \
         random, minimax, expectimax, greedy"
    )]
    Unknown { player: String },
    #[error("{player}: {failure}")]
    PlayError { player: String, failure: PlayError },
}

impl<'g> Known<'g> {
    /// Builds a player of a game from the spec of a searcher.
    ///
    /// # Errors
    /// Returns an error if the searcher does not fit the game.
    pub fn new(all: &'g Explored<'_>, name: &str, searcher: &SearcherSpec) -> Result<Self, ExactError> {
        let player =
            all.player(searcher).map_err(|misfit| ExactError::FitError { player: name.into(), misfit })?;
        let chances = (0..all.graph().len()).map(|_| OnceLock::new()).collect();
        Ok(Self { name: name.into(), graph: all.graph(), player: Mutex::new(player), chances })
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player's relative weights of the moves at a player's turn, in edge order.
    ///
    /// # Errors
    /// Returns an error if the player does not state them.
    pub fn chances(&self, number: u32) -> Result<&[u64], ExactError> {
        let slot = &self.chances[number as usize];
        if let Some(known) = slot.get() {
            return Ok(known);
        }
        let answer = self.player().chances(self.graph.position(number));
        let player = || self.name.clone();
        let answer = answer.map_err(|failure| ExactError::PlayError { player: player(), failure })?;
        let answer = answer.ok_or_else(|| ExactError::Unknown { player: player() })?;
        Ok(slot.get_or_init(|| answer.into()))
    }

    /// The moves with positive weight, as indices of edges.
    ///
    /// # Errors
    /// As [`Known::chances`].
    pub fn choices(&self, number: u32) -> Result<impl Iterator<Item = usize> + '_, ExactError> {
        let chances = self.chances(number)?.iter().enumerate();
        Ok(chances.filter(|&(_, &weight)| weight > 0).map(|(edge, _)| edge))
    }

    /// The reasons for its scores at a player's turn, one for each edge, if it follows rules.
    pub(super) fn reasons(&self, number: u32) -> Option<Vec<MoveReasons<String>>> {
        self.player().reasons(self.graph.position(number))
    }

    fn player(&self) -> MutexGuard<'_, Box<dyn AnyMachine + 'g>> {
        self.player.lock().expect("a player is not used after a panic")
    }
}
