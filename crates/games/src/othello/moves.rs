//! A move of Othello: a square or a pass.

use std::fmt;

/// A move: the square on which a disc is put, or a pass.
///
/// `Display` and `Debug` write it as players do: `d3`, `pass`.
///
/// # Example
/// ```
/// use shikou::games::othello::Move;
/// let move_ = Move::at(19).unwrap();
/// assert_eq!((move_.to_string().as_str(), move_.square()), ("d3", Some(19)));
/// assert_eq!(Move::PASS.square(), None);
/// assert_eq!(Move::at(64), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// A pass. Legal only if the player has no other move and the opponent has one.
    pub const PASS: Self = Self(64);

    /// The move on a square: 0 is a1, 1 is b1, 8 is a2, 63 is h8, whatever the size of the board. `None` for
    /// any other number.
    pub const fn at(square: u8) -> Option<Self> {
        if square < 64 { Some(Self(square)) } else { None }
    }

    /// The square, numbered as in [`Move::at`]; `None` for a pass.
    #[inline(always)]
    pub const fn square(self) -> Option<u8> {
        if self.0 < 64 { Some(self.0) } else { None }
    }

    /// The move on a square from a mask.
    #[inline(always)]
    pub(super) const fn on(square: u8) -> Self {
        Self(square)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => write!(f, "{}{}", (b'a' + square % 8) as char, square / 8 + 1),
            None => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
