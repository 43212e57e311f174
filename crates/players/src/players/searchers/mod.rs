//! The searchers of the crate: one file a family, and one list.
//!
//! A file declares everything about its searchers: name, summary, paper, settings with defaults and ranges, supported
//! budgets, and how they are made for a game. A new searcher stands in the file of its family, and in the list below.

/// Ends a function for types of games that [can be](crate::game::can_be) no such game: what follows is not compiled for them.
macro_rules! only_if {
    ($game:ty, $players:expr, $chance:expr) => {
        if const { !$crate::game::can_be::<$game>($players, $chance) } {
            unreachable!("`Game::ALWAYS` has the players and the chance of the facts");
        }
    };
}

pub(super) mod engine;
mod full_width;
mod policy;
mod rollouts;
mod root;
mod solitaire;
mod tree;
mod uct;

pub(super) use self::policy::Random;
use super::catalogue::{Additions, Catalogue};
use super::named_searcher::SearcherList;
use super::recipe::Fitted;
use super::spec::SearcherSpec;
use crate::game::NamedGame;

/// The searchers of the crate, in the order of the listing.
pub(super) type StandardSearchers = crate::list![
    policy::Random,
    policy::Policy,
    policy::Rules,
    root::Flat,
    full_width::Minimax,
    full_width::AlphaBeta,
    full_width::Expectimax,
    full_width::Greedy,
    full_width::SimpleTree,
    root::FlatUcb,
    root::SequentialHalving,
    root::AnytimeHalving,
    root::Thompson,
    root::Gumbel,
    solitaire::Nested,
    solitaire::Nrpa,
    solitaire::SpMcts,
    rollouts::NestedRollout,
    rollouts::Rollouts,
    solitaire::Hindsight,
    uct::Uct,
    tree::OpenLoopUct,
    tree::Bts,
    tree::Dents,
    tree::UnboundedMinimax,
    engine::EngineSearcher,
];

/// The recipe of a searcher of the crate for a game that need not be registered.
///
/// # Errors
/// As [`Catalogue::build`].
pub fn build<G: NamedGame>(game: &G, spec: &SearcherSpec) -> Fitted<G> {
    let additions = Additions::of(StandardSearchers::of());
    Catalogue::new(game, &additions).build(spec)
}
