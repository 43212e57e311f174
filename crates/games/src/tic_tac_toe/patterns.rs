//! The patterns of tic-tac-toe: lines by their marks, the square taken, and pictures.
//!
//! All are from the point of view of the player who makes the move, on the board after it. `2-0-1` is a line with two
//! own marks, none of the opponent and one empty square.

use std::sync::Arc;

use super::{BOARD, LINES, Position, TicTacToe};
use crate::game::{NamedPattern, PatternOf};
use crate::words::counted;

/// The marks after a move: of the player who made it, and of the opponent.
fn marks(after: Position) -> (u16, u16) {
    (after.theirs, after.mine)
}

/// The number of lines with these numbers of marks, among those that touch some squares.
fn lines(after: Position, own: u32, other: u32, touching: u16) -> i32 {
    let (mine, theirs) = marks(after);
    let fits = |line: &&u16| {
        *line & touching != 0 && (*line & mine).count_ones() == own && (*line & theirs).count_ones() == other
    };
    LINES.iter().filter(fits).count() as i32
}

/// The eight symmetries of the board, as maps of squares.
fn symmetries() -> [[u8; 9]; 8] {
    std::array::from_fn(|number| {
        std::array::from_fn(|square| {
            let (x, y) = (square as u8 % 3, square as u8 / 3);
            let (x, y) = if number & 1 == 0 { (x, y) } else { (2 - x, y) };
            let (x, y) = if number & 2 == 0 { (x, y) } else { (x, 2 - y) };
            if number & 4 == 0 { 3 * y + x } else { 3 * x + y }
        })
    })
}

/// The squares that must be own, the opponent's, and empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Picture {
    own: u16,
    other: u16,
    empty: u16,
}

impl Picture {
    fn fits(self, after: Position) -> bool {
        let (own, other) = marks(after);
        own & self.own == self.own && other & self.other == self.other && (own | other) & self.empty == 0
    }

    /// The picture under each symmetry, without repetitions.
    fn turned(self) -> Vec<Self> {
        let mut all = Vec::new();
        for symmetry in symmetries() {
            let turn = |squares: u16| {
                (0..9).filter(|at| squares >> at & 1 == 1).fold(0, |sum, at| sum | 1 << symmetry[at])
            };
            let turned = Self { own: turn(self.own), other: turn(self.other), empty: turn(self.empty) };
            if !all.contains(&turned) {
                all.push(turned);
            }
        }
        all
    }
}

pub(super) fn patterns() -> Vec<NamedPattern<TicTacToe>> {
    let mut patterns = Vec::new();
    for (own, other) in (0..=3).flat_map(|own| (0..=3 - own).map(move |other| (own, other))) {
        let name = format!("{own}-{other}-{}", 3 - own - other);
        let about = format!(
            "lines of {}, {other} of the opponent, {}",
            counted(own.into(), "own mark"),
            counted(u64::from(3 - own - other), "empty square")
        );
        let count =
            move |_: &TicTacToe, _: &Position, _: u8, after: &Position| lines(*after, own, other, BOARD);
        patterns.push(NamedPattern::new(name.clone(), about, count));
        let here = move |_: &TicTacToe, _: &Position, square: u8, after: &Position| {
            lines(*after, own, other, 1 << square)
        };
        patterns.push(NamedPattern::new(format!("here-{name}"), "such lines through the square taken", here));
    }
    for (name, about, squares) in [
        ("centre", "the square taken is the centre", 0o020),
        ("corner", "the square taken is a corner", 0o505),
        ("edge", "the square taken is neither", 0o252),
    ] {
        patterns.push(square(name.into(), about.into(), squares));
    }
    for at in 0..9_u8 {
        let name = format!("{}{}", (b'a' + at % 3) as char, at / 3 + 1);
        patterns.push(square(name.clone(), format!("the square taken is {name}"), 1 << at));
    }
    let count = |_: &TicTacToe, _: &Position, _: u8, after: &Position| 9 - i32::from(after.free);
    patterns.push(NamedPattern::new("marks", "marks on the board", count));
    patterns
}

fn square(name: String, about: String, squares: u16) -> NamedPattern<TicTacToe> {
    let count =
        move |_: &TicTacToe, _: &Position, square: u8, _: &Position| i32::from(squares >> square & 1 == 1);
    NamedPattern::new(name, about, count)
}

/// The pattern of a picture: nine squares row by row, `m` for an own mark ("mine"), `t` for one of the opponent
/// ("theirs"), `.` for an empty square and `?` for any; white space and `/` are ignored. It counts 1 if the board matches
/// in any rotation or reflection.
pub(super) fn picture(text: &str) -> Option<Result<PatternOf<TicTacToe>, String>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let squares: Vec<char> = inner.chars().filter(|&c| !c.is_whitespace() && c != '/').collect();
    if squares.len() != 9 || squares.iter().any(|c| !"mt.?".contains(*c)) {
        let reason = "a picture is nine squares, row by row: m (mine), t (theirs), . (empty) or ? (any)";
        return Some(Err(reason.into()));
    }
    let all = |of: char| {
        squares.iter().enumerate().filter(|&(_, &c)| c == of).fold(0, |sum, (at, _)| sum | 1_u16 << at)
    };
    let pictures = Picture { own: all('m'), other: all('t'), empty: all('.') }.turned();
    let count = move |_: &TicTacToe, _: &Position, _: u8, after: &Position| {
        i32::from(pictures.iter().any(|picture| picture.fits(*after)))
    };
    Some(Ok(Arc::new(count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameExt, NamedGame};

    fn count(pattern: &str, transcript: &str, square: u8) -> i32 {
        let game = TicTacToe;
        let before = game.follow(transcript).unwrap();
        let after = game.after(&before, square);
        let named = game
            .entries()
            .patterns
            .into_iter()
            .find(|named| named.name == pattern)
            .map(|named| named.pattern);
        let pattern = named.or_else(|| picture(pattern).map(|found| found.ok().unwrap())).unwrap();
        pattern(&game, &before, square, &after)
    }

    #[test]
    fn lines_are_counted_after_the_move_by_who_made_it() {
        // x: a1 b1; o: b2. x takes c1: three in a row, and a line blocked by o twice.
        assert_eq!(count("3-0-0", "a1 b2 b1 a3", 2), 1);
        assert_eq!(count("0-2-1", "a1 b2 b1 a3", 3), 1); // o threatens c1
        assert_eq!(count("0-2-1", "a1 b2 b1 a3", 2), 0);
        assert_eq!(count("here-1-2-0", "a1 b2 b1 a3", 2), 1); // x blocks o at c1
        assert_eq!(count("here-1-2-0", "a1 b2 b1 a3", 8), 0);
        assert_eq!(count("marks", "a1 b2 b1 a3", 8), 5);
        // The empty board has eight empty lines; after b2 there are four.
        assert_eq!((count("0-0-3", "", 4), count("1-0-2", "", 4)), (4, 4));
        assert_eq!((count("centre", "", 4), count("corner", "", 4), count("c3", "", 8)), (1, 0, 1));
    }

    #[test]
    fn all_lines_have_a_name() {
        let names = (0..=3)
            .flat_map(|own| (0..=3 - own).map(move |other| format!("{own}-{other}-{}", 3 - own - other)));
        let sum: i32 = names.map(|name| count(&name, "a1 b2 b1 a3", 8)).sum();
        assert_eq!(sum, LINES.len() as i32);
    }

    #[test]
    fn a_picture_is_seen_from_every_side() {
        let special = "[t m . / . m . / . . t]";
        for (transcript, square) in [("a1 b2 c3", 1), ("a1 b2 c3", 7), ("c1 b2 a3", 3), ("a3 b2 c1", 5)] {
            assert_eq!(count(special, transcript, square), 1, "{transcript}");
        }
        assert_eq!(count(special, "a1 b2 c3", 2), 0);
        assert_eq!(count(special, "a1 b2 c1", 1), 0);
        assert_eq!(count("[? ? ? ? m ? ? ? ?]", "a1", 4), 1);
        assert!(picture("[m]").unwrap().is_err() && picture("2-0-2").is_none());
    }
}
