//! Standard output and standard error.

use std::io::{self, Write};

use super::error::CommandError;

/// Prints a text and a line break. A closed pipe is not a failure.
pub(super) fn print(text: impl std::fmt::Display) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints a text and a line break to standard error, and ignores failures.
pub(super) fn tell(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
