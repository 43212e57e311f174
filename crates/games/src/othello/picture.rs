//! The picture of a position.

use super::{Othello, Position};
use crate::game::{Bits, Picture, Player, Tone};

/// The side of a square, and the space for the names of columns and rows.
const SIDE: u16 = 10;
const EDGE: u16 = 8;

/// The board with its discs, the names of columns and rows, and a dot on each legal move.
pub(super) fn picture(game: &Othello, position: &Position) -> Picture {
    let size = u16::from(game.size());
    let end = EDGE + SIDE * size;
    let mut picture = Picture::new(end + 2, end + 2).rect(Tone::Board, [0, 0], [end + 2, end + 2]);
    for number in 0..size {
        let middle = EDGE + SIDE * number + SIDE / 2;
        let column = char::from(b'a' + number as u8).to_string();
        picture = picture.text(Tone::Label, [middle, 4], column);
        picture = picture.text(Tone::Label, [4, middle], (number + 1).to_string());
    }
    for at in (0..=size).map(|number| EDGE + SIDE * number) {
        picture = picture.line(Tone::Line, [at, EDGE], [at, end]).line(Tone::Line, [EDGE, at], [end, at]);
    }
    let discs = [
        (Tone::First, position.discs(Player::FIRST), 4),
        (Tone::Second, position.discs(Player::SECOND), 4),
        (Tone::Line, position.moves(), 1),
    ];
    for (tone, squares, radius) in discs {
        for square in Bits::new(squares) {
            let centre = [square % 8, square / 8].map(|at| EDGE + SIDE * u16::from(at) + SIDE / 2);
            picture = picture.disc(tone, centre, radius);
        }
    }
    picture
}
