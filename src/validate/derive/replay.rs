//! A recorded game, replayed: the outcome and the score of the first player.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derive, Yields, game, word};
use crate::experiment::document::{PlacedError, Section, Value as Written};
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

struct Replay {
    game: Arc<dyn AnyGame>,
    moves: String,
}

pub(super) fn read(
    value: &Written<'_>,
    _path: &Path,
    registry: &Registry,
) -> Result<Box<dyn Derive>, PlacedError> {
    let mut section = Section::from_value(value, "`replay`")?;
    let game = game(&mut section, registry)?;
    let moves = word(&mut section, "moves", "moves = \"f5d6c3\"")?;
    section.finish()?;
    Ok(Box::new(Replay { game, moves }))
}

impl Derive for Replay {
    fn yields(&self) -> Yields {
        Yields::Exact
    }

    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let replayed = self.game.replay(&self.moves).map_err(|error| error.to_string())?;
        let (outcome, score) = replayed.result.ok_or("the game is not over")?;
        Ok(Found::Exact(vec![Value::Word(outcome.to_str().into()), Value::Whole(score.into())]))
    }
}
