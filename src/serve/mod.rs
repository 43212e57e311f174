//! Searchers and other programs: served to them, and at one table with them. By NBoard in Othello, by GTP in any game for two
//! without chance.
//!
//! The key decision: a server reads lines, never waits for more than one, and answers each. What it does not understand
//! costs the line and nothing else. Rejected: a thread that reads while the searcher thinks, so that a `ping` could
//! stop it: a search ends when its budget does, and so the same game gets the same answers.

mod examine;
mod protocols;
mod session;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow::Continue;

pub use self::examine::{Finding, Mark, examine};
use self::session::Session;
pub use self::session::served_stream;
pub use crate::engine::Protocol;
use crate::engine::{Line, read_lines};
use crate::players::{AnyGame, FitError, SearcherSpec};
use crate::words::text_of;

/// A searcher that cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The game has one player, or chance.
    #[error("{0} cannot be served: the protocols are for two players without chance")]
    Game(String),
    /// NBoard knows one game.
    #[error("NBoard is a protocol of Othello on 8×8; serve {0} by GTP")]
    NoNBoard(String),
    /// The searcher does not fit the game.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves a searcher until the input ends or says `quit`.
///
/// # Errors
/// If the game or the searcher does not fit, or reading or writing fails.
///
/// # Example
/// ```
/// use shikou::serve::{Protocol, serve};
/// let registry = shikou::registry();
/// let game = registry.game("othello", &[]).unwrap();
/// let player = registry.read_searcher("minimax(depth=1)").unwrap();
/// let mut output = Vec::new();
/// serve(Protocol::Gtp, &*game, &player, 1, &b"7 play b f5\nshowboard now\nplay w f5\n"[..], &mut output).unwrap();
/// let output = String::from_utf8(output).unwrap();
/// assert!(output.starts_with("=7\n\n= ") && output.ends_with("? illegal move: f5\n\n"), "{output}");
/// ```
pub fn serve(
    protocol: Protocol,
    game: &dyn AnyGame,
    searcher: &SearcherSpec,
    seed: u64,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    let facts = game.facts();
    if facts.players != 2 || facts.chance {
        return Err(ServeError::Game(game.spec().to_string()));
    }
    let spec = game.spec();
    if protocol == Protocol::NBoard && !(spec.name == "othello" && spec.options.integer("size") == 8) {
        return Err(ServeError::NoNBoard(spec.to_string()));
    }
    let mut session = Session::new(game, searcher, seed)?;
    for line in read_lines(input) {
        let goes_on = match (plain(&line?), protocol) {
            (Ok(text), Protocol::Gtp) => protocols::obey_gtp(&mut session, &text, &mut output)?,
            (Ok(text), Protocol::NBoard) => protocols::obey_nboard(&mut session, &text, &mut output)?,
            (Err(reason), Protocol::Gtp) => Continue(write!(output, "? {reason}\n\n")?),
            (Err(reason), Protocol::NBoard) => Continue(writeln!(output, "status {reason}")?),
        };
        output.flush()?;
        if goes_on.is_break() {
            break;
        }
    }
    Ok(())
}

/// The text of a line: white space for tabs, no other control characters. The error says how long it was, or that it is UTF-16.
fn plain(line: &Line) -> Result<String, String> {
    match line {
        Line::Text(text) => {
            // The byte order mark of UTF-16 was replaced.
            text_of(text.trim_start_matches('\u{fffd}').as_bytes()).map_err(|error| error.to_string())?;
            Ok(text.replace('\t', " ").chars().filter(|letter| !letter.is_control()).collect())
        }
        Line::TooLong(bytes) => {
            Err(format!("a line of {bytes} bytes was skipped; {} are the most", crate::engine::LONGEST_LINE))
        }
    }
}
