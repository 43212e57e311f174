use std::fmt;

use crate::game::Player;

/// A position: the discs of both sides, the turn, and the legal moves.
///
/// Masks have one bit per square: bit 0 is a1, bit 1 is b1, bit 8 is a2, bit 63 is h8, whatever the size of the board.
/// Finished positions with the same discs are equal, whichever side moved last.
///
/// # Example
/// ```
/// use shikou::game::{GameExt, Player};
/// use shikou::games::othello::Othello;
/// let position = Othello::default().follow("f5").unwrap();
/// assert_eq!(position.discs(Player::FIRST).count_ones(), 4);
/// assert_eq!(position.discs(Player::SECOND), 1 << 27); // d4
/// assert_eq!(position.moves(), 1 << 29 | 1 << 43 | 1 << 45); // f4, d6, f6
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The discs of the player to move; of the first player if the game is over.
    pub(super) mine: u64,
    /// The discs of the other player.
    pub(super) theirs: u64,
    /// The legal squares of the player to move; empty before a pass and at the end of the game.
    pub(super) moves: u64,
    /// The player to move; the first if the game is over.
    pub(super) to_move: Player,
    /// Whether neither player can put a disc.
    pub(super) over: bool,
}

impl Position {
    /// The discs of a player.
    #[inline(always)]
    pub fn discs(&self, player: Player) -> u64 {
        if player == self.to_move { self.mine } else { self.theirs }
    }

    /// The legal squares of the player to move. Empty if that player must pass, or if the game is over.
    #[inline(always)]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The player to move; the first player if the game is over.
    #[inline(always)]
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// Whether the player to move must pass.
    #[inline(always)]
    pub fn must_pass(&self) -> bool {
        self.moves == 0 && !self.over
    }

    /// The discs of `player` less those of the opponent, without empty squares. −64 to 64.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{GameExt, Player};
    /// use shikou::games::othello::Othello;
    /// let position = Othello::default().follow("f5").unwrap();
    /// assert_eq!(position.disc_difference(Player::FIRST), 3);
    /// assert_eq!(position.disc_difference(Player::SECOND), -3);
    /// ```
    #[inline(always)]
    pub fn disc_difference(&self, player: Player) -> i32 {
        let difference = self.mine.count_ones() as i32 - self.theirs.count_ones() as i32;
        if player == self.to_move { difference } else { -difference }
    }
}

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
