use std::fmt;

use crate::game::options::OptionError;

/// A deck: a number of ranks, with one card of each rank for each suit. There is a foundation for each suit; foundation *k*
/// begins with rank *k* and counts in steps of *k* modulo the number of ranks, which ends on the highest. It meets every
/// rank once if and only if *k* and the number of ranks have no common divisor; [`Deck::new`] rejects other decks, which
/// cannot be completed.
///
/// # Example
/// ```
/// use shikou::games::calculation::Deck;
/// assert_eq!(Deck::default(), Deck::new(13, 4).unwrap());
/// assert_eq!(Deck::new(5, 3).unwrap().cards(), 15);
/// let error = Deck::new(8, 2).unwrap_err().to_string();
/// assert!(error.contains("foundation 2 never meets the ace"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deck {
    ranks: u8,
    suits: u8,
}

impl Default for Deck {
    fn default() -> Self {
        Self { ranks: 13, suits: 4 }
    }
}

impl Deck {
    /// A deck of 2 to 13 ranks and 1 to 4 suits.
    ///
    /// # Errors
    /// If there are more or fewer, or a foundation does not meet every rank.
    pub fn new(ranks: u8, suits: u8) -> Result<Self, OptionError> {
        if !(2..=13).contains(&ranks) || !(1..=4).contains(&suits) {
            let reason = format!("a deck has 2 to 13 ranks and 1 to 4 suits, not {ranks} and {suits}");
            return Err(OptionError::Other(reason));
        }
        let meets_all = |step: u8| (1..=ranks).any(|height| step * height % ranks == 1 % ranks);
        match (1..=suits).find(|&step| !meets_all(step)) {
            None => Ok(Self { ranks, suits }),
            Some(step) => Err(OptionError::Other(format!(
                "`ranks` is {ranks} and `suits` is {suits}, but foundation {step} never meets the ace: {step} and {ranks} \
                 have a common divisor; any number of ranks goes with 1 suit, odd ones with 2, and 5, 7, 11 and 13 with \
                 3 and 4"
            ))),
        }
    }

    /// Every deck that can be played.
    pub fn all() -> impl Iterator<Item = Self> {
        (2..=13).flat_map(|ranks| (1..=4).filter_map(move |suits| Self::new(ranks, suits).ok()))
    }

    /// The number of ranks, 2 to 13.
    #[inline(always)]
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    /// The number of cards of each rank, and of foundations, 1 to 4.
    #[inline(always)]
    pub const fn suits(self) -> u8 {
        self.suits
    }

    /// The number of cards.
    #[inline(always)]
    pub const fn cards(self) -> u8 {
        self.ranks * self.suits
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_are_those_whose_foundations_meet_every_rank() {
        for ranks in 2..=13_u8 {
            for suits in 1..=4_u8 {
                let meets_all = |step: u8| {
                    let mut met: Vec<u8> = (1..=ranks).map(|height| step * height % ranks).collect();
                    met.sort_unstable();
                    met.dedup();
                    met.len() == usize::from(ranks)
                };
                assert_eq!(Deck::new(ranks, suits).is_ok(), (1..=suits).all(meets_all), "{ranks}×{suits}");
            }
        }
        assert!(Deck::new(14, 1).is_err() && Deck::new(1, 1).is_err());
        assert!(Deck::new(5, 0).is_err() && Deck::new(5, 5).is_err());
        assert_eq!(Deck::all().count(), 12 + 6 + 4 + 4);
    }
}
