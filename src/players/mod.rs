//! Players: specs as data, and the one place where a spec and a game become a machine.
//!
//! Above this room nobody knows the type of a game. A [`Registry`] holds games by name; a game with its options
//! is an [`AnyGame`]; a game in progress with its machines is a [`Table`]. One virtual call is paid a move, none
//! a ply.
//!
//! | file | holds |
//! |---|---|
//! | `spec` | which searcher with which options and which budget: data |
//! | `searchers` | what is known of each searcher, in one place, and how it is made |
//! | `recipe` | spec + game → machines, or why they do not fit |
//! | `registry` | the games by name, open to a user's own |
//! | `any_game` | a game whose type is forgotten |
//! | `explored` | all positions of a small game, and players that are asked about them |
//! | `text` | specs as text |
//! | `named_player` | a player as it is typed |
//! | `solution` | what a position is worth, in words |
//! | `lock_step` | games side by side, whose playouts are played in one call |
//! | `same_luck` | two players in the same seat with the same luck |
//! | `table` | a game in progress: position, machines, what was decided |
//! | `workload` | playouts and searches from one position, to be timed |

mod any_game;
mod explored;
mod lock_step;
mod named_player;
mod recipe;
mod registry;
mod same_luck;
mod searchers;
mod solution;
mod spec;
mod table;
mod text;
mod workload;

pub use any_game::{AnyGame, Named, PerftLine, Replayed};
pub use explored::{Explored, GraphPlayer, NoExploration};
pub use lock_step::LockStep;
pub use named_player::{NamedPlayer, NoPlayer};
pub use recipe::{Blame, Misfit, Recipe, build};
pub use registry::Registry;
pub use same_luck::{Played, Ply, SameLuck, Twins};
pub use searchers::SearcherKind;
pub use solution::{SolutionView, SolveError, Value};
pub use spec::SearcherSpec;
pub use table::{DecisionView, Failure, Table, Tables, longest};
pub use text::GameSpec;
pub use workload::{NoWorkload, Recording, Searched, Searches, Workload};
