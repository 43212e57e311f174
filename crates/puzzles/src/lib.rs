//! Puzzles, and games of seeds and dice, each with every searcher: compiled here, so that cores share the work.

use shikou_games::kalah::Kalah;
use shikou_games::left_moves::LeftMoves;
use shikou_games::pig::Pig;
use shikou_players::list;
use shikou_players::players::Registry;

/// The games, in the order of the listing.
pub type Games = list![Kalah, Pig, LeftMoves];

/// Adds the games.
pub fn add(registry: &mut Registry) {
    registry.add::<Games>();
}
