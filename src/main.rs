//! The command `shikou`.

use std::process::ExitCode;

fn main() -> ExitCode {
    shikou::cli::main(&shikou::registry())
}
