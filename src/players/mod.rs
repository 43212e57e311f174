//! Players: specs as data, and the one place where a spec and a game become a machine.
//!
//! Above this room nobody knows the type of a game. A [`Registry`] holds games by name; a game with its options
//! is an [`AnyGame`]; a game in progress with its machines is a [`Table`]. One virtual call is paid a move, none
//! a ply.
//!
//! | file | holds |
//! |---|---|
//! | `spec` | which searcher with which options: data |
//! | `build` | spec + game → machine, or why they do not fit |
//! | `registry` | the games by name, open to a user's own |
//! | `any_game` | a game whose type is forgotten |
//! | `text` | specs as text |
//! | `table` | a game in progress: position, machines, what was decided |

mod any_game;
mod build;
mod registry;
mod spec;
mod table;
mod text;

pub use any_game::{AnyGame, Named, PerftLine, Replayed};
pub use build::{Misfit, build};
pub use registry::Registry;
pub use spec::{SearcherKind, SearcherSpec};
pub use table::{DecisionView, Failure, Table};
pub use text::GameSpec;
