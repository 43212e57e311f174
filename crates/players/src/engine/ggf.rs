//! Games of Othello in the Generic Game Format, which NBoard sends.
//!
//! Only what a player needs is read: the board and the moves. Other tags are skipped.

use std::fmt::Write;

use crate::words::{PASS, is_pass};

/// A game: the board at its start, and the moves.
///
/// # Example
/// ```
/// use shikou::engine::GgfGame;
/// let text = "(;GM[Othello]PB[a]PW[b]TY[4]BO[4 ---- -O*- -*O- ---- *]B[a2/1.0/0.5]W[PA];)";
/// let game = GgfGame::read(text).unwrap();
/// assert_eq!(game.position, "-----O*--*O----- *");
/// assert_eq!(game.moves, ["a2", "pass"]);
/// assert_eq!(GgfGame::read(&game.write(true, "15:00//02:00")), Ok(game));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgfGame {
    /// The squares from a1 row by row, white space, and the side to move: `*` black, `O` white, `-` empty.
    pub position: String,
    /// The moves: a square, or `pass`; evaluation and time may follow after strokes when a game is written.
    pub moves: Vec<String>,
}

/// The reason why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GgfError(String);

impl GgfGame {
    /// Reads the first game of a text.
    ///
    /// # Errors
    /// If there is none, or it has no board.
    pub fn read(text: &str) -> Result<Self, GgfError> {
        let error = |reason: &str| GgfError(reason.into());
        let mut rest = text.split_once("(;").ok_or_else(|| error("a game begins with `(;`"))?.1;
        let mut position = None;
        let mut moves = Vec::new();
        while let Some((tag, after)) = rest.split_once('[') {
            let (tag, is_over) = tag.split_once(";)").map_or((tag, false), |(_, tag)| (tag, true));
            if is_over {
                break;
            }
            let (value, after) =
                after.split_once(']').ok_or_else(|| error("a value does not end with `]`"))?;
            match tag.trim() {
                "BO" => position = Some(board(value)?),
                "B" | "W" => moves.push(read_move(value)),
                _ => {}
            }
            rest = after;
        }
        Ok(Self { position: position.ok_or_else(|| error("the game has no board, `BO[…]`"))?, moves })
    }

    /// The game as a text of one line. `black_begins` is whether black made the first move; `clock` is the time of each
    /// player, `0` without one.
    pub fn write(&self, black_begins: bool, clock: &str) -> String {
        let (squares, side) = self.position.split_once(' ').unwrap_or((&self.position, "*"));
        let size = squares.len().isqrt();
        let rows: Vec<&str> = (0..size).map(|row| &squares[row * size..(row + 1) * size]).collect();
        let mut text = format!(
            "(;GM[Othello]PC[shikou]PB[black]PW[white]RE[?]TI[{clock}]TY[{size}]BO[{size} {} {side}]",
            rows.join(" ")
        );
        for (index, mv) in self.moves.iter().enumerate() {
            let side = if (index % 2 == 0) == black_begins { 'B' } else { 'W' };
            let _ = write!(text, "{side}[{}]", written_move(mv));
        }
        text + ";)"
    }
}

/// A move without its evaluation and time.
pub(super) fn raw_move(text: &str) -> &str {
    text.split(['/', ' ']).find(|part| !part.is_empty()).unwrap_or_default()
}

/// A move of a game as the game writes it: without evaluation and time, in lower case; `pass` for a pass.
pub fn read_move(text: &str) -> String {
    let mv = raw_move(text).to_ascii_lowercase();
    if is_pass(&mv) { PASS.into() } else { mv }
}

/// A move as these programs write it: `F5`, `PA`.
pub fn written_move(mv: &str) -> String {
    if is_pass(mv) { "PA".into() } else { mv.to_ascii_uppercase() }
}

/// The position of a board: its size, the squares and the side to move, with white space anywhere.
fn board(value: &str) -> Result<String, GgfError> {
    let (size, squares) = value.trim().split_once(char::is_whitespace).unwrap_or((value, ""));
    let size: usize = size.parse().map_err(|_| GgfError(format!("`{size}` is not the size of a board")))?;
    let squares: Vec<char> = squares.chars().filter(|square| !square.is_whitespace()).collect();
    // Sides of boards are small; a large number must not overflow.
    let expected = size.saturating_mul(size).saturating_add(1);
    if squares.len() != expected {
        let found = squares.len();
        let reason = format!("expected {expected} squares with the side to move, but found {found}");
        return Err(GgfError(reason));
    }
    let (side, squares) = squares.split_last().expect("there is a side to move");
    Ok(squares.iter().chain([&' ', side]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_without_evaluation_and_time() {
        for (text, mv) in [
            ("F5/1.25/0.3", "f5"),
            ("d6", "d6"),
            (" d6 -1.00 0.0", "d6"),
            ("PA", "pass"),
            ("pass", "pass"),
            ("--/-2.0", "pass"),
            ("", ""),
        ] {
            assert_eq!(read_move(text), mv, "{text}");
        }
        assert_eq!((written_move("f5"), written_move("pass")), ("F5".into(), "PA".into()));
    }

    #[test]
    fn what_is_no_game_is_refused_with_the_reason() {
        let reason = |text: &str| GgfGame::read(text).unwrap_err().to_string();
        assert_eq!(reason("f5d6"), "a game begins with `(;`");
        assert_eq!(reason("(;GM[Othello"), "a value does not end with `]`");
        assert_eq!(reason("(;GM[Othello];)"), "the game has no board, `BO[…]`");
        assert_eq!(reason("(;BO[x ---- *];)"), "`x` is not the size of a board");
        assert_eq!(reason("(;BO[2 -- -];)"), "expected 5 squares with the side to move, but found 3");
        assert!(reason("(;BO[99999999999999999999 *];)").contains("size"));
        assert!(reason("(;BO[18446744073709551615 *];)").contains("expected"));
    }
}
