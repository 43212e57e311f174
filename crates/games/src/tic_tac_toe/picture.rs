//! The picture of a position.

use super::Position;
use crate::game::{Bits, Picture, Player, Tone};

/// The side of a square, and the space for the names of columns and rows.
const SIDE: u16 = 20;
const EDGE: u16 = 8;

/// The board with its marks, and the names of columns and rows.
pub(super) fn picture(position: Position) -> Picture {
    let end = EDGE + 3 * SIDE;
    let mut picture = Picture::new(end + 2, end + 2).rect(Tone::Board, [0, 0], [end + 2, end + 2]);
    for (number, (column, row)) in (0..).zip([("a", "1"), ("b", "2"), ("c", "3")]) {
        let middle = EDGE + SIDE * number + SIDE / 2;
        picture = picture.text(Tone::Label, [middle, 4], column).text(Tone::Label, [4, middle], row);
    }
    for at in [EDGE + SIDE, EDGE + 2 * SIDE] {
        picture = picture.line(Tone::Line, [at, EDGE], [at, end]).line(Tone::Line, [EDGE, at], [end, at]);
    }
    let centre = |square: u32| [square % 3, square / 3].map(|at| EDGE + SIDE * at as u16 + SIDE / 2);
    for square in Bits::new(position.marks(Player::FIRST).into()) {
        let [x, y] = centre(square.into());
        picture = picture.line(Tone::First, [x - 6, y - 6], [x + 6, y + 6]);
        picture = picture.line(Tone::First, [x - 6, y + 6], [x + 6, y - 6]);
    }
    for square in Bits::new(position.marks(Player::SECOND).into()) {
        picture = picture.ring(Tone::Second, centre(square.into()), 6);
    }
    picture
}
