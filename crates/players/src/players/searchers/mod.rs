//! The searchers of the crate: one file a family, and one list.
//!
//! A file declares everything about its searchers: name, summary, paper, settings with defaults and ranges, supported
//! budgets, and how they are made for a game. A new searcher is a file and an entry in the list below.
//!
//! | file | holds |
//! |---|---|
//! | `policy` | policies as players: `random`, `policy`, `rules` |
//! | `flat` | flat Monte Carlo |
//! | `root` | bandits at the root: `flat-ucb`, `sequential-halving`, `anytime-halving`, `thompson`, `gumbel` |
//! | `minimax` | plain minimax |
//! | `alpha_beta` | alpha-beta |
//! | `expectimax` | expectimax |
//! | `greedy` | the greedy player |
//! | `simple_tree` | the simple tree |
//! | `uct` | UCT |
//! | `open_loop_uct` | open-loop UCT |
//! | `boltzmann` | Boltzmann exploration in the tree: `bts`, `dents` |
//! | `unbounded_minimax` | unbounded best-first minimax |
//! | `nested_rollout` | nested rollouts |
//! | `rollouts` | rollouts of lines that race |
//! | `solitaire` | games of one player: `nested`, `nrpa`, `sp-mcts`, `hindsight` |
//! | `engine` | another program as a player |

mod alpha_beta;
mod boltzmann;
pub(super) mod engine;
mod expectimax;
mod flat;
mod greedy;
mod minimax;
mod nested_rollout;
mod open_loop_uct;
mod policy;
mod rollouts;
mod root;
mod simple_tree;
mod solitaire;
mod uct;
mod unbounded_minimax;

pub(super) use self::policy::Random;
use super::catalogue::{Additions, Catalogue};
use super::lists::{SearcherList, list};
use super::recipe::Fitted;
use super::spec::SearcherSpec;
use crate::game::NamedGame;

/// The searchers of the crate, in the order of the listing.
pub(super) type StandardSearchers = list![
    policy::Random,
    policy::Policy,
    policy::Rules,
    flat::Flat,
    minimax::Minimax,
    alpha_beta::AlphaBeta,
    expectimax::Expectimax,
    greedy::Greedy,
    simple_tree::SimpleTree,
    root::FlatUcb,
    root::SequentialHalving,
    root::AnytimeHalving,
    root::Thompson,
    root::Gumbel,
    solitaire::Nested,
    solitaire::Nrpa,
    solitaire::SpMcts,
    nested_rollout::NestedRollout,
    rollouts::Rollouts,
    solitaire::Hindsight,
    uct::Uct,
    open_loop_uct::OpenLoopUct,
    boltzmann::Bts,
    boltzmann::Dents,
    unbounded_minimax::UnboundedMinimax,
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
