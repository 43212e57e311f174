//! The position: counts, links and masks in 96 bytes.
//!
//! A card in a pile has a *slot*: four times its rank plus a number that tells copies apart. Piles are linked
//! lists over the slots, so that eight piles of any height fit in 56 bytes. Rejected: an array per pile, 8 × 48 bytes
//! that every node of a search would copy.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::foundations::{Foundations, NEVER};
use super::stock::Stock;
use super::{Deck, Rank};

/// A position: the foundations, the waste piles, the card in hand, and the counts of the stock.
///
/// Two positions are equal if their foundations, stock and hands are, and every pile has the same ranks in the same order.
/// Suits and histories do not matter; the numbers of the piles do.
///
/// The order of the stock is not part of a position, because it is not decided yet.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt};
/// use shikou::games::calculation::Calculation;
/// let position = Calculation::default().follow("9 p1 5 f1 K p1").unwrap_err();
/// assert_eq!((position.ply, position.text.as_str()), (4, "f1"));
/// let position = Calculation::default().follow("9 p1 6 f3 K p1 2 f1").unwrap();
/// assert_eq!(position.heights(), [2, 1, 2, 1]);
/// assert_eq!(position.pile(1).map(|rank| rank.number()).collect::<Vec<_>>(), [13, 9]);
/// assert_eq!((position.cards_up(), position.stock_len(), position.hand()), (6, 44, None));
/// ```
// The order of the fields is fixed, with the links last. The compiler keeps fields in registers if they precede an
// array that is indexed by a variable, and in memory if they follow it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Position {
    stock: Stock,
    foundations: Foundations,
    /// Byte `p` is the slot on top of pile `p`; 0 if the pile is empty.
    tops: u64,
    /// Nibble `p` is the set of foundations that want the top of pile `p`. It follows from the rest.
    offers: u32,
    /// Four times the rank of the card in hand; 0 for none. Separate from the copy, since a playout needs the rank
    /// earlier.
    hand: u8,
    /// The number of the card in hand among the copies of its rank, 0 to 3.
    copy: u8,
    /// The number of cards on the foundations. It follows from the rest.
    up: u8,
    /// For each slot in a pile, the slot of the card under it; 0 at the bottom.
    links: [u8; 56],
}

/// The parts of a position, unchecked.
pub(super) struct Parts {
    pub(super) deck: Deck,
    pub(super) heights: [u8; 4],
    /// The piles, each from bottom to top.
    pub(super) piles: Vec<Vec<Rank>>,
    pub(super) stock: [u8; 13],
    pub(super) hand: Option<Rank>,
}

impl Position {
    /// The position with these parts: at most 8 piles, and at most 4 copies of a rank in piles, stock and hand.
    pub(super) fn build(parts: &Parts) -> Self {
        let mut position = Self {
            stock: Stock::new(parts.stock),
            foundations: Foundations::at_heights(parts.deck, parts.heights),
            tops: 0,
            offers: 0,
            hand: 0,
            copy: 0,
            up: parts.heights.iter().sum(),
            links: [0; 56],
        };
        // The stock has the low copies of a rank, so the others are numbered from above.
        let mut copies = [4; 14];
        let mut take = |position: &mut Self, rank: Rank| {
            let copy = &mut copies[usize::from(rank.number())];
            *copy -= 1;
            (position.hand, position.copy) = (4 * rank.number(), *copy);
        };
        for (pile, cards) in parts.piles.iter().enumerate() {
            for &rank in cards {
                take(&mut position, rank);
                position.hand_down(pile as u8);
            }
        }
        if let Some(rank) = parts.hand {
            take(&mut position, rank);
        }
        position
    }

    /// The heights of foundations 1 to 4 in cards; 0 if the deck has fewer foundations.
    pub fn heights(&self) -> [u8; 4] {
        [0, 1, 2, 3].map(|index| self.foundations.height(index))
    }

    /// The rank that a foundation, 1 to 4, takes next; `None` if it is complete, or the deck has fewer.
    ///
    /// # Panics
    /// If `foundation` is not 1 to 4.
    pub fn wanted(&self, foundation: u8) -> Option<Rank> {
        assert!((1..=4).contains(&foundation), "there is no foundation {foundation}");
        self.foundations.next(foundation - 1)
    }

    /// The ranks that a foundation, 1 to 4, has yet to take, in their order; none if the deck has fewer.
    pub(super) fn yet_to_take(&self, foundation: u8) -> impl Iterator<Item = Rank> {
        let ranks = self.foundations.ranks();
        let first = self.wanted(foundation).map_or(ranks, |_| self.foundations.height(foundation - 1));
        super::foundations::sequence(ranks, foundation - 1).skip(first.into())
    }

    /// For each rank, by index, the number of cards that each foundation takes before it, the nearest foundation first;
    /// [`NEVER`] for each foundation that has already taken it.
    #[inline]
    pub(super) fn distances(&self) -> [[u8; 16]; 4] {
        let mut sorted = [[NEVER; 16]; 4];
        for index in 0..4 {
            let mut later = self.foundations.distances(index);
            for nearest in &mut sorted {
                for (near, late) in nearest.iter_mut().zip(&mut later) {
                    (*near, *late) = ((*near).min(*late), (*near).max(*late));
                }
            }
        }
        sorted
    }

    /// For each rank, by index, the number of cards that the nearest foundation takes before it; [`NEVER`] if all have taken it.
    #[inline]
    pub(super) fn nearest(&self) -> [u8; 16] {
        let mut nearest = [NEVER; 16];
        for index in 0..4 {
            for (near, other) in nearest.iter_mut().zip(self.foundations.distances(index)) {
                *near = (*near).min(other);
            }
        }
        nearest
    }

    /// The cards of a rank on the foundations.
    pub(super) fn cards_up_of(&self, rank: Rank) -> u8 {
        self.foundations.taken(rank)
    }

    /// The cards of a rank in hand and on top of piles.
    pub(super) fn in_reach(&self, rank: Rank) -> u8 {
        let cards = self.tops.to_le_bytes().into_iter().chain([self.hand]);
        cards.map(|slot| u8::from(slot / 4 == rank.number())).sum()
    }

    /// The ranks that can go up: of the card in hand, and of the tops of piles.
    pub(super) fn ranks_offered(&self) -> impl Iterator<Item = Rank> + '_ {
        let hand = (self.hand_offer() != 0).then(|| Rank::known(self.hand / 4));
        let offered = |pile: &u8| self.offers >> (4 * pile) & 15 != 0;
        hand.into_iter().chain((0..8).filter(offered).map(|pile| Rank::known(self.top(pile) / 4)))
    }

    /// The ranks in a pile, 1 to 8, from top to bottom. Empty if the game has fewer piles.
    ///
    /// # Panics
    /// If `pile` is not 1 to 8.
    pub fn pile(&self, pile: u8) -> impl Iterator<Item = Rank> + '_ {
        assert!((1..=8).contains(&pile), "there is no pile {pile}");
        self.slots(pile - 1).map(|slot| Rank::known(slot / 4))
    }

    /// The rank of the card in hand.
    pub fn hand(&self) -> Option<Rank> {
        Rank::new(self.hand / 4)
    }

    /// The number of copies of a rank in the stock, 0 to 4.
    pub fn stock(&self, rank: Rank) -> u8 {
        self.stock.count(rank)
    }

    /// The number of cards in the stock.
    pub fn stock_len(&self) -> u32 {
        self.stock.len()
    }

    /// The number of cards on the foundations, 0 to 52.
    #[inline(always)]
    pub fn cards_up(&self) -> u8 {
        self.up
    }

    /// The position as words, for a GPU: the foundations, the stock (2), the tops, the card in hand with its copy and the cards
    /// up (a byte each), the links (7).
    pub(super) fn words(&self) -> [u64; 12] {
        let hand = u64::from_le_bytes([self.hand, self.copy, self.up, 0, 0, 0, 0, 0]);
        let [low, high] = self.stock.words();
        let mut words = [self.foundations.word(), low, high, self.tops, hand, 0, 0, 0, 0, 0, 0, 0];
        let (links, _) = self.links.as_chunks();
        for (word, &links) in words[5..].iter_mut().zip(links) {
            *word = u64::from_le_bytes(links);
        }
        words
    }

    #[inline(always)]
    pub(super) fn whole_stock(&self) -> Stock {
        self.stock
    }

    #[inline(always)]
    pub(super) fn has_hand(&self) -> bool {
        self.hand != 0
    }

    /// The foundations that want the card in hand, bit 0 for the first.
    #[inline(always)]
    pub(super) fn hand_offer(&self) -> u32 {
        self.foundations.wanting(self.hand)
    }

    /// The foundations that want the tops of the piles: bit 4·pile + foundation, counted from 0.
    #[inline(always)]
    pub(super) fn offers(&self) -> u32 {
        self.offers
    }

    /// The empty piles among all eight, bit 0 for the first.
    #[inline(always)]
    pub(super) fn empty_piles(&self) -> u32 {
        // A slot is less than 128, so only an empty pile's byte keeps its highest bit clear.
        let empty = !(self.tops + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        (empty.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }

    /// A number that tells positions apart by their foundations, tops and hands.
    pub(super) fn tells_apart(&self) -> u64 {
        let ranks = self.tops & 0xfcfc_fcfc_fcfc_fcfc;
        let mixed = (ranks ^ u64::from(self.hand)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.foundations.word() ^ mixed ^ mixed >> 32
    }

    /// A key of the foundations, the hand, and the piles in any order. With the deck, these make the stock.
    pub(super) fn key_of_piles(&self) -> u128 {
        let mix = |word: u64| {
            let product = (u128::from(word) ^ 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
                .wrapping_mul(0xda94_2042_e4dd_58b5_2545_f491_4f6c_dd1d);
            (product ^ product >> 64).wrapping_mul(0xaef1_7502_108e_f2d9_d1b5_4a32_d192_ed03)
        };
        // Exact for a pile of up to sixteen cards.
        let add = |code: u64, slot: u8| match code >> 60 {
            0 => code << 4 | u64::from(slot / 4),
            _ => (code.rotate_left(29) ^ u64::from(slot / 4)).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        let piles = (0..8).map(|pile| mix(self.slots(pile).fold(0, add)));
        // Nibble 0 of the foundations is of no rank.
        let rest = mix(self.foundations.word() ^ u64::from(self.hand / 4));
        piles.fold(rest.rotate_left(64), u128::wrapping_add)
    }

    /// The pile, counted from 0, onto which the player's last move put the card in hand; `None` after another move.
    pub(super) fn pile_grown(&self, before: &Self) -> Option<u8> {
        let changed = self.tops ^ before.tops;
        let goes_down = self.foundations == before.foundations && changed != 0;
        goes_down.then(|| (changed.trailing_zeros() / 8) as u8)
    }

    /// Turns a card of this rank, which the stock must have, into the empty hand.
    #[inline(always)]
    pub(super) fn turn_card(&mut self, rank: Rank) {
        self.hand = 4 * rank.number();
        self.copy = self.stock.count(rank) - 1;
        self.stock.take(rank);
    }

    /// Puts the card in hand on a foundation, counted from 0, that wants it.
    #[inline(always)]
    pub(super) fn hand_up(&mut self, foundation: u8) {
        self.raise(foundation, self.hand);
        self.hand = 0;
    }

    /// Puts a card of a rank from elsewhere on a foundation, counted from 0, that wants it.
    #[inline(always)]
    pub(super) fn raise_rank(&mut self, foundation: u8, rank: Rank) {
        self.raise(foundation, 4 * rank.number());
    }

    /// Puts the card in hand on a pile, counted from 0.
    #[inline(always)]
    pub(super) fn hand_down(&mut self, pile: u8) {
        let slot = self.hand + self.copy;
        self.links[usize::from(slot)] = self.top(pile);
        self.set_top(pile, slot);
        self.hand = 0;
    }

    /// Puts the top of a pile on a foundation, both counted from 0, that wants it.
    #[inline(always)]
    pub(super) fn waste_up(&mut self, pile: u8, foundation: u8) {
        let slot = self.top(pile);
        self.raise(foundation, slot);
        self.set_top(pile, self.links[usize::from(slot)]);
    }

    #[inline(always)]
    fn top(&self, pile: u8) -> u8 {
        (self.tops >> (8 * pile)) as u8
    }

    #[inline(always)]
    fn set_top(&mut self, pile: u8, slot: u8) {
        self.tops = self.tops & !(0xff << (8 * pile)) | u64::from(slot) << (8 * pile);
        self.offers = self.offers & !(15 << (4 * pile)) | self.foundations.wanting(slot) << (4 * pile);
    }

    #[inline(always)]
    fn raise(&mut self, foundation: u8, slot: u8) {
        let next = self.foundations.raise(foundation, slot);
        self.up += 1;
        // Now the foundation wants exactly the tops of this rank. All piles are handled at once: the highest bits mark
        // the bytes that become 0, and move from bytes into nibbles.
        let others = (self.tops & 0xfcfc_fcfc_fcfc_fcfc) ^ (u64::from(next) * 0x0101_0101_0101_0101);
        let mut mark = !(others + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        mark = (mark | mark >> 4) & 0x0011_0011_0011_0011;
        mark = (mark | mark >> 8) & 0x0000_1111_0000_1111;
        let mark = (mark | mark >> 16) as u32;
        self.offers = self.offers & !(0x1111_1111 << foundation) | mark << foundation;
    }

    /// The ranks in four piles from pile `first` (from 0), one layer of cards at a time from the tops down. A pile that
    /// has ended counts 0. The last layer holds no card.
    pub(super) fn layers(&self, first: usize) -> impl Iterator<Item = [u8; 4]> + '_ {
        let tops = ((self.tops >> (8 * first)) as u32).to_le_bytes();
        // Slot 0, no card, has no link.
        let under =
            |above: &[u8; 4]| (*above != [0; 4]).then(|| above.map(|slot| self.links[usize::from(slot)]));
        std::iter::successors(Some(tops), under).map(|slots| slots.map(|slot| slot / 4))
    }

    /// The slots of a pile, counted from 0, from top to bottom.
    fn slots(&self, pile: u8) -> impl Iterator<Item = u8> + '_ {
        let slot = |slot: u8| (slot != 0).then_some(slot);
        std::iter::successors(slot(self.top(pile)), move |&above| slot(self.links[usize::from(above)]))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.foundations == other.foundations
            && self.stock == other.stock
            && self.hand == other.hand
            && (0..8)
                .all(|pile| self.slots(pile).map(|slot| slot / 4).eq(other.slots(pile).map(|slot| slot / 4)))
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.foundations, self.stock, self.hand).hash(state);
        for pile in 0..8 {
            self.slots(pile).for_each(|slot| state.write_u8(slot / 4));
            state.write_u8(0);
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piles: Vec<String> = (1..=8).map(|pile| self.pile(pile).map(Rank::to_char).collect()).collect();
        let stock: String = Rank::all()
            .flat_map(|rank| std::iter::repeat_n(rank.to_char(), usize::from(self.stock(rank))))
            .collect();
        f.debug_struct("Position")
            .field("heights", &self.heights())
            .field("piles_from_top", &piles)
            .field("stock", &stock)
            .field("hand", &self.hand())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert!(size_of::<Position>() <= 96, "{} bytes", size_of::<Position>());
    }

    /// Compares distances, card by card, with the ranks that each foundation still takes.
    #[test]
    fn distances_are_the_places_of_what_is_yet_to_take() {
        let mut rng = (crate::rng::Stream::new(1) / "heights").rng();
        for deck in Deck::all() {
            for _ in 0..200 {
                let heights = [(); 4].map(|()| rng.below(u64::from(deck.ranks()) + 1) as u8);
                let (piles, stock) = (Vec::new(), [0; 13]);
                let position = Position::build(&Parts { deck, heights, piles, stock, hand: None });
                let distances = position.distances();
                for rank in Rank::all() {
                    let places = (1..=4).filter_map(|foundation| {
                        position.yet_to_take(foundation).position(|other| other == rank)
                    });
                    let mut places: Vec<_> = places.map(|place| place as u8).collect();
                    places.sort_unstable();
                    places.resize(4, NEVER);
                    assert_eq!(distances.map(|nearest| nearest[usize::from(rank.number())]), *places);
                }
            }
        }
    }

    #[test]
    fn empty_piles_are_found_in_order() {
        let rank = Rank::KING;
        for mask in 0..256_u32 {
            let piles = (0..8).map(|p| if mask >> p & 1 == 1 { vec![] } else { vec![rank] }).collect();
            let mut position = Position::build(&Parts {
                deck: Deck::default(),
                heights: [0; 4],
                piles: Vec::new(),
                stock: [0; 13],
                hand: None,
            });
            for (p, cards) in (0_u8..).zip::<Vec<Vec<Rank>>>(piles) {
                // More kings than a pack has: only the tops matter here.
                position.tops |= u64::from(cards.first().map_or(0, |rank| 4 * rank.number())) << (8 * p);
            }
            assert_eq!(position.empty_piles(), mask);
        }
    }
}
