//! A program of your own: the command `shikou` with one more searcher.
//!
//! `cargo run --release -p ocba -- searchers ocba`
//!
//! `docs/adding-a-searcher.md` walks through it.

use std::process::ExitCode;

use ocba::Ocba;

fn main() -> ExitCode {
    shikou::cli::main(&shikou::registry().with_searcher::<Ocba>())
}
