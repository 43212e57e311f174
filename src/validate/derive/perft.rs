//! The leaf counts of the game tree, by depth.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derivation, Derive, count, game};
use crate::experiment::document::Section;
use crate::game::FinishedGames;
use crate::game::options::flag;
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

struct Perft {
    game: Arc<dyn AnyGame>,
    depth: u32,
    finished: FinishedGames,
    /// Only the count at the given depth, without those of smaller depths.
    last: bool,
}

pub(super) fn read(section: &mut Section<'_>, _path: &Path, registry: &Registry) -> Derivation {
    let game = game(section, registry)?;
    let depth = section.get("depth", &count(1000))?;
    let exact = section.get("exact", &flag(false))?;
    let last = section.get("last", &flag(false))?;
    section.finish()?;
    let finished = if exact { FinishedGames::Skip } else { FinishedGames::Count };
    Ok(Box::new(Perft { game, depth, finished, last }))
}

impl Derive for Perft {
    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let first = if self.last { self.depth } else { 1 };
        let leaves = |depth| Value::Whole(self.game.rules().perft(depth, self.finished) as i64);
        Ok(Found::Exact((first..=self.depth).map(leaves).collect()))
    }
}
