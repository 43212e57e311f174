//! The ranks, thirteen in a full pack; suits do not matter in Calculation.

use std::fmt;

/// A rank: ace 1, two 2, … king 13. Written as one of `A23456789TJQK`.
///
/// # Example
/// ```
/// use shikou::games::calculation::Rank;
/// let ten = Rank::from_char('t').unwrap();
/// assert_eq!((ten.number(), ten.to_string()), (10, "T".into()));
/// assert_eq!(Rank::new(10), Some(ten));
/// assert_eq!(Rank::new(14), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// The letters of the ranks, ace first.
const LETTERS: [u8; 13] = *b"A23456789TJQK";

impl Rank {
    /// The highest rank of a full pack: the last card of its foundations.
    pub const KING: Self = Self(13);

    /// The rank with this number, 1 to 13.
    pub const fn new(number: u8) -> Option<Self> {
        if matches!(number, 1..=13) { Some(Self(number)) } else { None }
    }

    /// The number of the rank, 1 to 13.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All ranks, ace first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=13).map(Self)
    }

    /// The rank of a letter or digit, in upper or lower case.
    pub fn from_char(letter: char) -> Option<Self> {
        let index = LETTERS.iter().position(|&known| letter.eq_ignore_ascii_case(&(known as char)))?;
        Some(Self(index as u8 + 1))
    }

    /// The rank as a character.
    pub const fn to_char(self) -> char {
        LETTERS[self.0 as usize - 1] as char
    }

    /// The rank with a number from 1 to 13.
    #[inline(always)]
    pub(super) const fn known(number: u8) -> Self {
        debug_assert!(matches!(number, 1..=13));
        Self(number)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

impl fmt::Debug for Rank {
    /// Like `Display`, because positions contain many ranks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
