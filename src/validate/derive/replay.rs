//! A recorded game, replayed: the outcome and the score of the first player.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derivation, Derive, derivation, game, word};
use crate::experiment::document::Section;
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

derivation! { read(section, _path, registry) -> Replay {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    moves: String = section.get("moves", &word("f5d6c3"))?,
} }

impl Derive for Replay {
    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let replayed = self.game.rules().replay(&self.moves).map_err(|error| error.to_string())?;
        let (outcome, score) = replayed.result.ok_or("the game is not over")?;
        Ok(Found::Exact(vec![Value::Word(outcome.to_str().into()), Value::Whole(score.into())]))
    }
}
