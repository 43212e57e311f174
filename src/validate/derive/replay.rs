//! A recorded game, replayed: the outcome and the score of the first player.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derivation, Derive, game, word};
use crate::experiment::document::Section;
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

struct Replay {
    game: Arc<dyn AnyGame>,
    moves: String,
}

pub(super) fn read(section: &mut Section<'_>, _path: &Path, registry: &Registry) -> Derivation {
    let game = game(section, registry)?;
    let moves = section.get("moves", &word("f5d6c3"))?;
    section.finish()?;
    Ok(Box::new(Replay { game, moves }))
}

impl Derive for Replay {
    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let replayed = self.game.rules().replay(&self.moves).map_err(|error| error.to_string())?;
        let (outcome, score) = replayed.result.ok_or("the game is not over")?;
        Ok(Found::Exact(vec![Value::Word(outcome.to_str().into()), Value::Whole(score.into())]))
    }
}
