//! Standard output and standard error: their width and their colours; and texts from templates.
//!
//! Everything is printed through `anstream`, which keeps colours only on a terminal and knows `NO_COLOR` and
//! `CLICOLOR_FORCE`.

use std::io::{self, IsTerminal, Write};

use terminal_size::{Height, Width, terminal_size_of};

use super::error::{CommandError, Result};
use crate::experiment::visible;
use crate::report::Page;

pub(super) const NARROWEST: u16 = 40;

/// The width of the output: as it was asked for; else that of the terminal, `COLUMNS` if it is set; else that of
/// `report.txt`.
pub(super) fn width(asked: Option<u16>) -> usize {
    let width = asked.map(|width| width.max(NARROWEST).into());
    width
        .or_else(|| width_of_terminal(io::stdout().is_terminal(), terminal_size_of(io::stdout())))
        .unwrap_or(Page::PLAIN.width)
}

pub(super) fn width_of_errors() -> Option<usize> {
    width_of_terminal(io::stderr().is_terminal(), terminal_size_of(io::stderr()))
}

fn width_of_terminal(is_terminal: bool, size: Option<(Width, Height)>) -> Option<usize> {
    let set = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = is_terminal.then(|| set().or(size.map(|(width, _)| width.0))).flatten();
    width.map(|width| width.max(NARROWEST).into())
}

/// Prints a text and a line break. Characters that a terminal would obey or hide are escaped. A closed pipe is not a failure.
pub(super) fn print(text: impl std::fmt::Display) -> Result {
    print_report(&visible(&text.to_string()))
}

/// Prints a text in which such characters are escaped already, and which may have colours.
pub(super) fn print_report(text: &str) -> Result {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| CommandError::of_output(&error))
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

/// A text from its template.
pub(super) fn filled(template: &str, values: &minijinja::Value) -> String {
    minijinja::Environment::new().render_str(template, values).expect("the template is right") + "\n"
}
