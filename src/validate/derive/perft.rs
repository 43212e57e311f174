//! The leaf counts of the game tree, by depth.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derivation, Derive, count, derivation, game};
use crate::experiment::document::Section;
use crate::game::FinishedGames;
use crate::game::options::flag;
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

derivation! { read(section, _path, registry) -> Perft {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    depth: u32 = section.get("depth", &count(1000))?,
    exact: bool = section.get("exact", &flag(false))?,
    /// Only the count at the given depth, without those of smaller depths.
    last: bool = section.get("last", &flag(false))?,
} }

impl Derive for Perft {
    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let first = if self.last { self.depth } else { 1 };
        let finished = if self.exact { FinishedGames::Skip } else { FinishedGames::Count };
        let leaves = |depth| Value::Whole(self.game.rules().perft(depth, finished) as i64);
        Ok(Found::Exact((first..=self.depth).map(leaves).collect()))
    }
}
