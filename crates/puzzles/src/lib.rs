//! Puzzles, and games of seeds and dice, each with every searcher: compiled here, so that cores share the work.

use shikou_games::einstein::Einstein;
use shikou_games::kalah::Kalah;
use shikou_games::left_moves::LeftMoves;
use shikou_games::morpion::Morpion;
use shikou_games::pig::Pig;
use shikou_games::samegame::SameGame;
use shikou_games::twenty_forty_eight::TwentyFortyEight;
use shikou_games::weak_schur::WeakSchur;
use shikou_players::list;
use shikou_players::players::Registry;

/// The games, in the order of the listing.
pub type Games = list![Kalah, Pig, Einstein, SameGame, TwentyFortyEight, WeakSchur, Morpion, LeftMoves];

/// Adds the games.
pub fn add(registry: &mut Registry) {
    registry.add::<Games>();
}
