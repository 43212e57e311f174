//! The leaf counts of the game tree, by depth.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derive, Yields, count, game};
use crate::experiment::document::{PlacedError, Section, Value as Written};
use crate::game::FinishedGames;
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

struct Perft {
    game: Arc<dyn AnyGame>,
    depth: u32,
    finished: FinishedGames,
    /// Only the count at the given depth, without those of smaller depths.
    last: bool,
}

pub(super) fn read(
    value: &Written<'_>,
    _path: &Path,
    registry: &Registry,
) -> Result<Box<dyn Derive>, PlacedError> {
    let mut section = Section::from_value(value, "`perft`")?;
    let game = game(&mut section, registry)?;
    let depth = count(&mut section, "depth", 1000)? as u32;
    let exact = section.flag("exact")?.unwrap_or(false);
    let last = section.flag("last")?.unwrap_or(false);
    section.finish()?;
    let finished = if exact { FinishedGames::Skip } else { FinishedGames::Count };
    Ok(Box::new(Perft { game, depth, finished, last }))
}

impl Derive for Perft {
    fn yields(&self) -> Yields {
        Yields::Exact
    }

    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let first = if self.last { self.depth } else { 1 };
        let leaves = |depth| Value::Whole(self.game.perft(depth, self.finished) as i64);
        Ok(Found::Exact((first..=self.depth).map(leaves).collect()))
    }
}
