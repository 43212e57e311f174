//! A program of your own: the command `shikou` with one more searcher.
//!
//! `cargo run --release -p ocba -- searchers ocba`
//!
//! `docs/adding-a-searcher.md` walks through it.

use std::process::ExitCode;

use ocba::Ocba;
use shikou::players::Registry;

fn main() -> ExitCode {
    shikou::cli::main(&Registry::standard().with_searcher::<Ocba>())
}
