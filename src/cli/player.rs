//! A player as it is typed on the command line: the one place where that becomes a searcher that fits the game.

use super::failure::Failure;
use crate::players::{AnyGame, Misfit, SearcherSpec};

/// The searcher that a text names, such as `flat(playouts=20)` or `uct@playouts=1000`, if it fits the game.
pub(super) fn player(game: &dyn AnyGame, text: &str) -> Result<SearcherSpec, Failure> {
    let searcher: SearcherSpec = text.parse()?;
    game.fits(&searcher).map_err(|reason| misfit(game, &searcher, &reason))?;
    Ok(searcher)
}

/// Why a searcher cannot play a game, in words.
pub(super) fn misfit(game: &dyn AnyGame, searcher: &SearcherSpec, reason: &Misfit) -> Failure {
    Failure::Usage(format!("`{searcher}` does not fit {}: {reason}", game.spec()))
}
