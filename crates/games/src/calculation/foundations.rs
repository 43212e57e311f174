use super::{Deck, Rank};

/// The foundations of a deck. Nibble *r* holds the set of foundations that want rank *r* next, bit *k* − 1 for
/// foundation *k*; nibble 14 holds those that are complete. So the foundations that want a card are one shift. Nibble 15,
/// which no card uses, holds the highest rank of the deck.
///
/// Foundation *k* at height *h* wants rank *k*·(*h* + 1) modulo the number of ranks, with the highest for 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Foundations(u64);

/// The first bit of nibble 14.
const COMPLETE: u8 = 56;

/// The first bit of nibble 15.
const RANKS: u8 = 60;

/// The rank, as the place of its nibble, that foundation `index` (from 0) wants at a height from 0 to `ranks`.
const fn wanted_at(ranks: u8, index: u8, height: u8) -> u8 {
    let rank = (index + 1) * (height + 1) % ranks;
    match (height, rank) {
        _ if height == ranks => COMPLETE,
        (_, 0) => 4 * ranks,
        _ => 4 * rank,
    }
}

/// Larger than any distance from [`Foundations::distances`].
pub(super) const NEVER: u8 = 14;

/// The height at which foundation `index` (from 0) takes a rank: `PLACES[ranks][index][rank]`; 255 if there is no such
/// rank.
static PLACES: [[[u8; 16]; 4]; 14] = {
    let mut places = [[[u8::MAX; 16]; 4]; 14];
    let mut ranks = 2;
    while ranks <= 13 {
        let mut index = 0;
        while index < 4 {
            let mut height = 0;
            while height < ranks {
                let rank = wanted_at(ranks, index, height) / 4;
                places[ranks as usize][index as usize][rank as usize] = height;
                height += 1;
            }
            index += 1;
        }
        ranks += 1;
    }
    places
};

/// The ranks that foundation `index` (from 0) takes in a deck with this number of ranks, first to last.
pub(super) fn sequence(ranks: u8, index: u8) -> impl Iterator<Item = Rank> {
    (0..ranks).map(move |height| Rank::known(wanted_at(ranks, index, height) / 4))
}

impl Foundations {
    /// The foundations of a deck at these heights, each at most the number of ranks; heights beyond the deck's foundations
    /// are ignored.
    pub(super) fn at_heights(deck: Deck, heights: [u8; 4]) -> Self {
        let bit = |(index, &height): (u8, &u8)| 1 << (wanted_at(deck.ranks(), index, height) + index);
        let bits: u64 = (0..deck.suits()).zip(&heights).map(bit).sum();
        Self(bits | u64::from(deck.ranks()) << RANKS)
    }

    pub(super) const fn word(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn ranks(self) -> u8 {
        (self.0 >> RANKS) as u8
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
        let highest = 4 * self.ranks();
        let next = if rank == highest {
            COMPLETE
        } else if sum > highest {
            sum - highest
        } else {
            sum
        };
        self.0 ^= (1 << (rank + index)) | (1 << (next + index));
        next
    }

    /// The number of cards on foundation `index` (from 0); 0 if the deck has no such foundation.
    pub(super) fn height(self, index: u8) -> u8 {
        match self.next(index) {
            Some(rank) => self.places(index)[usize::from(rank.number())],
            None if self.0 >> (COMPLETE + index) & 1 == 1 => self.ranks(),
            None => 0,
        }
    }

    /// For each rank, by index, the number of cards that foundation `index` (from 0) takes before it; [`NEVER`] if it
    /// has taken that rank already, or if there is no such rank.
    #[inline]
    pub(super) fn distances(self, index: u8) -> [u8; 16] {
        let Some(next) = self.next(index) else { return [NEVER; 16] };
        let places = self.places(index);
        let height = places[usize::from(next.number())];
        // Ranks already taken wrap to large numbers.
        places.map(|place| place.wrapping_sub(height).min(NEVER))
    }

    /// The number of foundations that have taken a rank.
    pub(super) fn taken(self, rank: Rank) -> u8 {
        let has_taken = |index: u8| self.height(index) > self.places(index)[usize::from(rank.number())];
        (0..4).map(|index| u8::from(has_taken(index))).sum()
    }

    /// For each rank, by index, the height at which foundation `index` (from 0) takes it.
    #[inline]
    fn places(self, index: u8) -> &'static [u8; 16] {
        &PLACES[usize::from(self.ranks())][usize::from(index)]
    }

    /// The rank that foundation `index` (from 0) wants next; `None` if it is complete, or if the deck has no such foundation.
    #[inline]
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
        let pack = Deck::default();
        for (index, sequence) in (0..4).zip(SEQUENCES) {
            assert_eq!(super::sequence(13, index).map(Rank::to_char).collect::<String>(), sequence);
            let mut foundations = Foundations::at_heights(pack, [0; 4]);
            for (height, letter) in (0..).zip(sequence.chars()) {
                let rank = Rank::from_char(letter).unwrap();
                let slot = 4 * rank.number() + 3;
                assert_eq!(foundations.next(index), Some(rank));
                assert_eq!(foundations.height(index), height);
                assert_eq!(foundations.wanting(slot) >> index & 1, 1);
                foundations.raise(index, slot);
                let mut heights = [0; 4];
                heights[usize::from(index)] = height + 1;
                assert!(foundations == Foundations::at_heights(pack, heights));
            }
            assert_eq!((foundations.next(index), foundations.height(index)), (None, 13));
        }
    }

    #[test]
    fn nobody_wants_no_card() {
        for heights in [[0; 4], [13; 4], [1, 2, 3, 13]] {
            assert_eq!(Foundations::at_heights(Deck::default(), heights).wanting(0), 0);
        }
    }

    #[test]
    fn a_small_deck_counts_round_its_own_ranks() {
        let letters = |ranks, index| super::sequence(ranks, index).map(Rank::to_char).collect::<String>();
        assert_eq!([0, 1, 2, 3].map(|index| letters(5, index)), ["A2345", "24A35", "3A425", "432A5"]);
        for deck in Deck::all() {
            for index in 0..4 {
                let mut foundations = Foundations::at_heights(deck, [0; 4]);
                if index >= deck.suits() {
                    assert_eq!((foundations.next(index), foundations.height(index)), (None, 0));
                    continue;
                }
                let mut taken = Vec::new();
                while let Some(rank) = foundations.next(index) {
                    assert_eq!(usize::from(foundations.height(index)), taken.len());
                    foundations.raise(index, 4 * rank.number());
                    taken.push(rank);
                }
                assert_eq!(foundations.height(index), deck.ranks());
                assert_eq!(taken, super::sequence(deck.ranks(), index).collect::<Vec<_>>());
                taken.sort();
                taken.dedup();
                assert_eq!(taken.len(), usize::from(deck.ranks()));
            }
        }
    }
}
