use std::fmt;

use super::Rank;

/// A move of the player, or a card that chance turns: one byte.
///
/// The code is the number of a bit, so that the legal moves of a position are the set bits of one 64-bit
/// mask, in their order: 0–3 hand to foundation, 4–11 hand to pile, 12 + 4·pile + foundation waste to
/// foundation (all counted from 0), 64 + rank for a turned card.
///
/// # Example
/// ```
/// use shikou::games::calculation::{Move, MoveKind};
/// let mv = Move::new(MoveKind::WasteUp { pile: 2, foundation: 3 });
/// assert_eq!(mv.kind(), MoveKind::WasteUp { pile: 2, foundation: 3 });
/// assert_eq!(mv.to_string(), "p2f3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

/// The kind of a move. Foundations count from 1 to 4 and piles from 1 to 8, as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// The card in hand goes up on a foundation: `f2`.
    HandUp {
        /// The foundation, 1 to 4.
        foundation: u8,
    },
    /// The card in hand goes onto a waste pile: `p3`.
    HandDown {
        /// The pile, 1 to 8.
        pile: u8,
    },
    /// The top card of a waste pile goes up on a foundation: `p3f2`.
    WasteUp {
        /// The pile, 1 to 8.
        pile: u8,
        /// The foundation, 1 to 4.
        foundation: u8,
    },
    /// Chance turns a card of this rank: `9`.
    Turned(Rank),
}

/// The lowest code of a move from the hand to a pile.
pub(super) const DOWN: u8 = 4;
/// The lowest code of a move from a pile to a foundation.
pub(super) const WASTE: u8 = 12;
/// The lowest code of a turned card, less its rank.
pub(super) const TURNED: u8 = 64;

impl Move {
    /// The move of this kind.
    ///
    /// # Panics
    /// If a foundation is not 1 to 4 or a pile not 1 to 8.
    pub fn new(kind: MoveKind) -> Self {
        let foundation_index = |foundation: u8| {
            assert!((1..=4).contains(&foundation), "there is no foundation {foundation}");
            foundation - 1
        };
        let pile_index = |pile: u8| {
            assert!((1..=8).contains(&pile), "there is no pile {pile}");
            pile - 1
        };
        Self(match kind {
            MoveKind::HandUp { foundation } => foundation_index(foundation),
            MoveKind::HandDown { pile } => DOWN + pile_index(pile),
            MoveKind::WasteUp { pile, foundation } => {
                WASTE + 4 * pile_index(pile) + foundation_index(foundation)
            }
            MoveKind::Turned(rank) => TURNED + rank.number(),
        })
    }

    /// The kind of the move.
    #[inline]
    pub fn kind(self) -> MoveKind {
        match self.0 {
            code @ 0..DOWN => MoveKind::HandUp { foundation: code + 1 },
            code @ DOWN..WASTE => MoveKind::HandDown { pile: code - DOWN + 1 },
            code @ WASTE..TURNED => {
                MoveKind::WasteUp { pile: (code - WASTE) / 4 + 1, foundation: (code - WASTE) % 4 + 1 }
            }
            code => MoveKind::Turned(Rank::known(code - TURNED)),
        }
    }

    #[inline(always)]
    pub(super) const fn from_code(code: u8) -> Self {
        Self(code)
    }

    #[inline(always)]
    pub(super) const fn turned(rank: Rank) -> Self {
        Self(TURNED + rank.number())
    }

    #[inline(always)]
    pub(super) const fn code(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            MoveKind::HandUp { foundation } => write!(f, "f{foundation}"),
            MoveKind::HandDown { pile } => write!(f, "p{pile}"),
            MoveKind::WasteUp { pile, foundation } => write!(f, "p{pile}f{foundation}"),
            MoveKind::Turned(rank) => write!(f, "{rank}"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_moves_are_one_to_one() {
        let codes = (0..WASTE + 32).chain(TURNED + 1..=TURNED + 13);
        let mut texts = Vec::new();
        for code in codes {
            let mv = Move::from_code(code);
            assert_eq!(Move::new(mv.kind()), mv);
            texts.push(mv.to_string());
        }
        let all = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!((all, texts.len()), (57, 57));
    }

    #[test]
    #[should_panic(expected = "there is no pile 9")]
    fn a_pile_that_is_not_there_is_refused() {
        let _ = Move::new(MoveKind::HandDown { pile: 9 });
    }
}
