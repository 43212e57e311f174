//! Printing results: text for people, JSON for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::failure::Failure;

/// Prints a text and a line break. A reader that went away is no failure.
pub(super) fn print(text: impl std::fmt::Display) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints a text and a line break to standard error. Nobody need be there to read it.
pub(super) fn tell(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The JSON of a command: its name, the version of its shape, and its content.
#[derive(Serialize)]
struct Envelope<'a, T> {
    command: &'a str,
    schema: u32,
    #[serde(flatten)]
    content: T,
}

/// Prints the JSON of a command. `schema` is the version of its shape, raised when a field changes or goes.
pub(super) fn print_json(command: &str, schema: u32, content: impl Serialize) -> Result<(), Failure> {
    let envelope = Envelope { command, schema, content };
    print(serde_json::to_string_pretty(&envelope).expect("results can be written as JSON"))
}
