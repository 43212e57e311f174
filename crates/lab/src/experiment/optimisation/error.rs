//! Why an optimisation cannot go on.

use std::io;

use super::key::{Key, Purpose};
use crate::experiment::manifest::optimisation::OptimisationRun;
use crate::players::PlayError;

/// Why an optimisation cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum OptimisationError {
    /// A game could not be played to its end.
    #[error("{run}, generation {generation}, {purpose} {index}: {error}")]
    Game {
        /// The name of the run.
        run: String,
        /// The generation.
        generation: u64,
        /// What the game was for.
        purpose: Purpose,
        /// The candidate or the meeting.
        index: u32,
        /// Why.
        error: PlayError,
    },
    /// A run cannot go on.
    #[error("{run}: {stop}")]
    Stop {
        /// The name of the run.
        run: String,
        /// Why.
        stop: SearchStop,
    },
    /// The system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl OptimisationError {
    /// A game of a job that could not be played to its end.
    pub(super) fn of_game(run: &OptimisationRun, key: Key, error: PlayError) -> Self {
        if let Some(error) = error.of_system() {
            return Self::Io(error);
        }
        let Key { generation, purpose, index } = key;
        Self::Game { run: run.name.clone(), generation, purpose, index, error }
    }
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchStop {
    /// The log has other genes than the method asks.
    #[error(
        "generation {generation} has other genes in the log than this build asks for: the method or its numbers changed \
         since; move its folder away to play this optimisation again, or all results with `--restart`"
    )]
    OtherGenes {
        /// The generation.
        generation: u64,
    },
    /// A candidate does not fit its game.
    #[error("a candidate of generation {generation} does not fit: {reason}")]
    Misfit {
        /// The generation.
        generation: u64,
        /// The reason.
        reason: String,
    },
}
