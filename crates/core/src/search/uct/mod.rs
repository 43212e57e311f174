//! UCT and its family, composed of small parts, on the [tree core](super::tree).
//!
//! Each part has its own file and is chosen in [`UctOptions`]. Parts are enums, matched once per node; the plies of a
//! playout are compiled for the game and the policy. Values are for the player at the root; min nodes take the
//! smallest.

mod adaptation;
mod at_root;
mod backup;
mod conflict;
mod decisive;
mod final_choice;
mod grave;
mod learning;
mod method;
mod parts;
mod permutation;
mod relative;
mod root_rule;
mod selection;
mod settings;
mod shared_tree;

pub use decisive::Decisive;
pub use final_choice::FinalChoice;
pub(super) use learning::{Statistics, number_of};
pub use parts::{Backup, Expansion, FirstPlay, Memory, Parallel, Playouts, Prior, Recycling, Sight, Solver};
pub use root_rule::RootRule;
pub use selection::Selection;
pub(super) use selection::best_of;
pub(super) use settings::Plain;
pub use settings::{UctOptions, UctSettings};
pub(super) use shared_tree::SharedTree;

use super::board::TreeSearch;

/// UCT (Kocsis, Szepesvári 2006, "Bandit based Monte-Carlo planning"), with the parts that the settings name.
///
/// The search goes on until its budget is spent, so it needs a budget. A forced move is played without search. Chance turns
/// are nodes of the tree, with outcomes drawn by their weights.
///
/// # Cost
/// An iteration costs one batch of playouts and one pass over the children of each node on the path. Memory grows with
/// the iterations up to the limit of the meter; then the children of the least visited nodes are recycled.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, GameExt, Uniform};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Budget, Limits, Meter, MoveStream, Searcher, Uct, UctSettings};
///
/// let game = TicTacToe;
/// let position = game.follow("a1 b1 a2 b2").unwrap();
/// let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(500));
/// let decision = uct.choose(&game, &position, MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
/// assert_eq!(game.notation(&position, decision.chosen), "a3"); // three in a row
/// assert_eq!(meter.spent().playouts, 500);
/// ```
pub type Uct<G> = TreeSearch<G>;
