//! Board games, each with every searcher: compiled here, so that cores share the work.

use shikou_games::amazons::Amazons;
use shikou_games::breakthrough::Breakthrough;
use shikou_games::capture_go::CaptureGo;
use shikou_games::clobber::Clobber;
use shikou_games::domineering::Domineering;
use shikou_games::hex::Hex;
use shikou_games::k_in_a_row::KInARow;
use shikou_games::yavalath::Yavalath;
use shikou_players::list;
use shikou_players::players::Registry;

/// The games, in the order of the listing.
pub type Games = list![Breakthrough, Clobber, Domineering, Hex, KInARow, CaptureGo, Amazons, Yavalath];

/// Adds the games.
pub fn add(registry: &mut Registry) {
    registry.add::<Games>();
}
