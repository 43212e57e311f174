//! The four foundations as one table: which of them want a rank.

use super::Rank;

/// The four foundations. Nibble *r* holds the set of foundations that want rank *r* next, bit *k* − 1 for
/// foundation *k*; nibble 14 holds those that are complete. So "who wants this card" is one shift.
///
/// Foundation *k* at height *h* (0 to 12) wants rank *k*·(*h* + 1) modulo 13, where 0 stands for the king.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Foundations(u64);

/// The inverse of *k* modulo 13, for *k* from 1 to 4.
const INVERSE: [u8; 4] = [1, 7, 9, 10];

/// Where nibble 14 begins.
const COMPLETE: u8 = 56;

/// The rank, as the place of its nibble, that foundation `index` (from 0) wants at a height from 0 to 13.
const fn wanted_at(index: u8, height: u8) -> u8 {
    let rank = (index + 1) * (height + 1) % 13;
    match (height, rank) {
        (13, _) => COMPLETE,
        (_, 0) => 4 * Rank::KING.number(),
        _ => 4 * rank,
    }
}

/// The ranks that foundation `index` (from 0) takes, first to last.
pub(super) fn sequence(index: u8) -> impl Iterator<Item = Rank> {
    (0..13).map(move |height| Rank::known(wanted_at(index, height) / 4))
}

impl Foundations {
    /// The foundations at these heights, each 0 to 13.
    pub(super) fn at_heights(heights: [u8; 4]) -> Self {
        let bits = heights.iter().enumerate();
        Self(bits.map(|(index, &height)| 1 << (wanted_at(index as u8, height) + index as u8)).sum())
    }

    /// The set of foundations that want the card in this slot, bit 0 for foundation 1. Slot 0, no card: none.
    #[inline(always)]
    pub(super) const fn wanting(self, slot: u8) -> u32 {
        (self.0 >> (slot & !3)) as u32 & 15
    }

    /// Puts the card in this slot on foundation `index` (from 0), which must want it. Returns four times the
    /// rank that is wanted there next, 56 for none.
    #[inline(always)]
    pub(super) const fn raise(&mut self, index: u8, slot: u8) -> u8 {
        let rank = slot & !3;
        let sum = rank + 4 * (index + 1);
        let next = if rank == 4 * Rank::KING.number() {
            COMPLETE
        } else if sum > 52 {
            sum - 52
        } else {
            sum
        };
        self.0 ^= (1 << (rank + index)) | (1 << (next + index));
        next
    }

    /// How many cards lie on foundation `index` (from 0): 0 to 13.
    pub(super) fn height(self, index: u8) -> u8 {
        match self.next(index) {
            // k · (h + 1) = r, so h = r / k − 1; the king is 0 and comes last.
            Some(rank) => (rank.number() * INVERSE[usize::from(index)] + 12) % 13,
            None => 13,
        }
    }

    /// The rank that foundation `index` (from 0) wants next; `None` where it is complete.
    pub(super) fn next(self, index: u8) -> Option<Rank> {
        let bits = self.0 & (0x0111_1111_1111_1111 << index);
        Rank::new((bits.trailing_zeros() / 4) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequences as the rules list them.
    const SEQUENCES: [&str; 4] = ["A23456789TJQK", "2468TQA3579JK", "369Q258JA47TK", "48Q37J26TA59K"];

    #[test]
    fn foundations_want_the_listed_sequences() {
        for (index, sequence) in (0..4).zip(SEQUENCES) {
            assert_eq!(super::sequence(index).map(Rank::to_char).collect::<String>(), sequence);
            let mut foundations = Foundations::at_heights([0; 4]);
            for (height, letter) in (0..).zip(sequence.chars()) {
                let rank = Rank::from_char(letter).unwrap();
                let slot = 4 * rank.number() + 3;
                assert_eq!(foundations.next(index), Some(rank));
                assert_eq!(foundations.height(index), height);
                assert_eq!(foundations.wanting(slot) >> index & 1, 1);
                foundations.raise(index, slot);
                let mut heights = [0; 4];
                heights[usize::from(index)] = height + 1;
                assert!(foundations == Foundations::at_heights(heights));
            }
            assert_eq!((foundations.next(index), foundations.height(index)), (None, 13));
        }
    }

    #[test]
    fn nobody_wants_no_card() {
        for heights in [[0; 4], [13; 4], [1, 2, 3, 13]] {
            assert_eq!(Foundations::at_heights(heights).wanting(0), 0);
        }
    }
}
