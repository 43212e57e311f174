//! The reasons why a game could not continue, and the most plies of a game.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::game::{Facts, Player};
use crate::search::{SearchError, searches_are_abandoned};

/// The reason why a game could not continue.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    #[error("panic: {0}")]
    Panic(String),
    #[error("illegal move: {searcher_move} by {player} at ply {ply}")]
    IllegalMove {
        searcher_move: String,
        player: Player,
        /// Counted from 1.
        ply: u32,
    },
    #[error(transparent)]
    SearchError(#[from] SearchError),
    #[error("no opening is balanced among {0} that were drawn; allow more than `within`")]
    NoOpening(u64),
    #[error("endless game: still going after {0} plies")]
    Endless(u32),
}

impl PlayError {
    /// The error of a caught panic.
    pub fn from_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panic(text.unwrap_or_else(|| "without a message".into()))
    }

    /// Whether the game has no result, because it was stopped or the system failed.
    pub fn is_no_result(&self) -> bool {
        matches!(self, Self::SearchError(SearchError::Stopped))
            || self.of_system().is_some()
            || searches_are_abandoned()
    }

    /// Whether the game was stopped.
    pub fn is_stop(&self) -> bool {
        self.of_system().is_none() && self.is_no_result()
    }

    /// The error of the system, if it is one.
    pub fn of_system(&self) -> Option<io::Error> {
        let is_one = matches!(self, Self::SearchError(SearchError::System(_) | SearchError::Threads { .. }));
        is_one.then(|| io::Error::new(io::ErrorKind::WouldBlock, self.to_string()))
    }
}

/// Runs a function and returns a panic as an error.
///
/// # Errors
/// The error of the call, or its panic as an error.
pub fn caught<T>(f: impl FnOnce() -> Result<T, PlayError>) -> Result<T, PlayError> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| Err(PlayError::from_panic(&*payload)))
}

thread_local! {
    static PLAYING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is playing a game that records its failures, so that a panic need not be printed.
pub fn is_playing() -> bool {
    PLAYING.get()
}

/// Marks, while it lives, that this thread is playing a game.
pub struct Playing(());

impl Playing {
    /// Begins to play.
    pub fn begin() -> Self {
        PLAYING.set(true);
        Self(())
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        PLAYING.set(false);
    }
}

/// Plays a game and returns a panic as an error.
///
/// # Errors
/// The error of the game, or its panic as an error.
pub fn playing<T>(f: impl FnOnce() -> Result<T, PlayError>) -> Result<T, PlayError> {
    let _playing = Playing::begin();
    caught(f)
}

/// The most plies of a game, whatever its facts state.
const MOST_PLIES: u32 = 1_000_000;

/// The most plies of a game with these facts; see [`PlayError::Endless`].
pub fn longest(facts: &Facts) -> u32 {
    facts.max_plies.unwrap_or(MOST_PLIES).min(MOST_PLIES)
}
