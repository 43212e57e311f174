//! A program of your own: the command `shikou` with one more game.
//!
//! `cargo run --release -p connect-four -- games connect-four`
//!
//! `docs/adding-a-game.md` walks through it.

mod game;

use std::process::ExitCode;

use game::ConnectFour;

fn main() -> ExitCode {
    shikou::cli::main(&shikou::registry().with_game::<ConnectFour>())
}
