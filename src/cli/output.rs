//! Standard output and standard error: their width and their colours.
//!
//! Everything is printed through `anstream`, which keeps colours only on a terminal and knows `NO_COLOR` and
//! `CLICOLOR_FORCE`.

use std::io::{self, IsTerminal, Write};

use terminal_size::terminal_size_of;

use super::error::CommandError;
use crate::experiment::visible;
use crate::report::Page;

/// The narrowest page.
pub(super) const NARROWEST: u16 = 40;

/// The width of the output: as it was asked for; else that of the terminal, `COLUMNS` if it is set; else that of
/// `report.txt`.
pub(super) fn width(asked: Option<u16>) -> usize {
    let of_terminal = || {
        let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        set.or_else(|| terminal_size_of(io::stdout()).map(|(width, _)| width.0))
    };
    let width = asked.or_else(|| io::stdout().is_terminal().then(of_terminal).flatten());
    width.map_or(Page::PLAIN.width, |width| width.max(NARROWEST).into())
}

/// Prints a text and a line break. Characters that a terminal would obey or hide are escaped. A closed pipe is not a failure.
pub(super) fn print(text: impl std::fmt::Display) -> Result<(), CommandError> {
    print_report(&visible(&text.to_string()))
}

/// Prints a text in which such characters are escaped already, and which may have colours.
pub(super) fn print_report(text: &str) -> Result<(), CommandError> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints a text and a line break to standard error, and ignores failures. Characters that a terminal would obey or hide are
/// escaped.
pub(super) fn tell(text: impl std::fmt::Display) {
    tell_report(&visible(&text.to_string()));
}

/// The same of a text in which such characters are escaped already, and which may have colours.
pub(super) fn tell_report(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
