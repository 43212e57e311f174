//! The command `shikou`.

use std::process::ExitCode;

use shikou::players::Registry;

fn main() -> ExitCode {
    shikou::cli::main(&Registry::standard())
}
