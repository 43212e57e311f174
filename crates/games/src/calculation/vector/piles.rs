//! The piles of games side by side: tops in registers, the cards under them in memory.
//!
//! A move that covers a top or uncovers a card exchanges one byte of memory. To cover, the top is stored in its place.
//! To uncover, the card under it is loaded; the old top stays in memory above the new one, and is overwritten before it
//! is read. Exchanges are requested, made in eighths by the scalar unit while the lanes work elsewhere, and then
//! finished in registers.

use super::super::start::{STRIDE, Start};
use super::bytes::{
    Bytes, GAMES, Mask, add_where, all, all_if, choose, is_below, is_equal, load, store, zero,
};

/// A byte for each game in memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Memory([u8; GAMES]);

/// The cards under the tops of a game's piles.
///
/// The gap is one cache line. Without it the current rows of all games would share a quarter of the L1 cache's sets,
/// and those of every sixteenth game would be 4096 bytes apart, which costs 3 to 5 % of the playouts per second in a
/// simple tree.
#[derive(Clone, Copy)]
struct Stack<const BANKS: usize> {
    banks: [[u8; 256]; BANKS],
    _gap: [u8; 64],
}

/// No pile.
pub(super) const NONE: u8 = 255;

/// The piles, in one bank of four or in two.
pub(super) struct Piles<const BANKS: usize> {
    /// The rank on top of each pile, 0 for none.
    tops: [[Bytes; 4]; BANKS],
    /// The place of each top in its bank when it is covered.
    places: [[Bytes; 4]; BANKS],
    /// The cards under the tops.
    stacks: [Stack<BANKS>; GAMES],
    /// The pile of the last move, or [`NONE`]: its top and its place are not changed yet.
    changed: Bytes,
    /// Whether it was covered, and the card.
    covered: Mask,
    card: Bytes,
    /// The place of the exchange.
    asked_places: Memory,
    asked_banks: Memory,
    /// The tops to exchange, and then the bytes exchanged for them.
    exchanged: Memory,
}

for_this_path! {
    pub(super) fn no_piles<const BANKS: usize>() -> Piles<BANKS> {
        Piles {
            tops: [[zero(); 4]; BANKS],
            places: [[zero(); 4]; BANKS],
            stacks: [Stack { banks: [[0; 256]; BANKS], _gap: [0; 64] }; GAMES],
            changed: all(NONE),
            covered: all_if(false),
            card: zero(),
            asked_places: Memory([0; GAMES]),
            asked_banks: Memory([0; GAMES]),
            exchanged: Memory([0; GAMES]),
        }
    }

    /// Sets the piles of games that begin, without the cards under the tops. No exchange of a pile may be pending.
    pub(super) fn set_piles<const BANKS: usize>(piles: &mut Piles<BANKS>, start: &Start, games: Mask) {
        let set = |register: &mut Bytes, byte: u8| *register = choose(games, all(byte), *register);
        for (top, rank) in piles.tops.iter_mut().flatten().zip(start.tops.into_iter().flatten()) {
            set(top, rank);
        }
        for (index, place) in piles.places.iter_mut().flatten().enumerate() {
            set(place, start.place(index));
        }
        set(&mut piles.changed, NONE);
        // A game without a change exchanges a byte above its first pile, whose height is different now.
        let mut asked = load(&piles.asked_places.0);
        set(&mut asked, start.place(0));
        store(&mut piles.asked_places.0, asked);
    }

    pub(super) fn top<const BANKS: usize>(piles: &Piles<BANKS>, index: usize) -> Bytes {
        piles.tops[index / 4][index % 4]
    }

    /// Requests the change of a pile by a move, or of [`NONE`]: a card covers it, or its top is removed.
    pub(super) fn ask<const BANKS: usize>(
        piles: &mut Piles<BANKS>,
        pile: Bytes,
        covered: Mask,
        taken: Mask,
        card: Bytes,
    ) {
        (piles.changed, piles.covered, piles.card) = (pile, covered, card);
        let (mut top, mut place) = (zero(), piles.places[0][0]);
        for index in 0..4 * BANKS {
            let here = is_equal(pile, all(index as u8));
            top = choose(here, piles.tops[index / 4][index % 4], top);
            place = choose(here, piles.places[index / 4][index % 4], place);
        }
        place = add_where(taken, place, all(STRIDE.wrapping_neg()));
        store(&mut piles.asked_places.0, place);
        if BANKS > 1 {
            store(&mut piles.asked_banks.0, choose(is_below(all(3), pile), all(1), zero()));
        }
        store(&mut piles.exchanged.0, top);
    }

    /// Makes an eighth of the requested exchanges.
    pub(super) fn exchange<const BANKS: usize>(piles: &mut Piles<BANKS>, eighth: usize) {
        const PART: usize = GAMES / 8;
        let Piles { asked_places, asked_banks, exchanged, stacks, .. } = piles;
        let bytes = &mut exchanged.0.as_chunks_mut::<PART>().0[eighth];
        let places = asked_places.0.as_chunks::<PART>().0[eighth];
        let mut covered = [0; 8];
        covered[..PART].copy_from_slice(bytes);
        // In words, because bytes would need too many stores.
        let (mut covered, mut uncovered) = (u64::from_le_bytes(covered), 0);
        for (part, &place) in places.iter().enumerate() {
            let game = PART * eighth + part;
            let bank = if BANKS > 1 { usize::from(asked_banks.0[game] & 1) } else { 0 };
            let under = &mut stacks[game].banks[bank][usize::from(place)];
            uncovered |= u64::from(*under) << (8 * part);
            *under = covered as u8;
            covered >>= 8;
        }
        bytes.copy_from_slice(&uncovered.to_le_bytes()[..PART]);
    }

    /// Finishes the requested changes after the exchanges.
    pub(super) fn finish<const BANKS: usize>(piles: &mut Piles<BANKS>) {
        let top = choose(piles.covered, piles.card, load(&piles.exchanged.0));
        let by = choose(piles.covered, all(STRIDE), all(STRIDE.wrapping_neg()));
        for index in 0..4 * BANKS {
            let here = is_equal(piles.changed, all(index as u8));
            let tops = &mut piles.tops[index / 4][index % 4];
            *tops = choose(here, top, *tops);
            let places = &mut piles.places[index / 4][index % 4];
            *places = add_where(here, *places, by);
        }
    }
}

impl<const BANKS: usize> Piles<BANKS> {
    /// Stores a game's cards under its tops.
    pub(super) fn fill(&mut self, game: usize, start: &Start) {
        for (bank, stack) in self.stacks[game].banks.iter_mut().enumerate() {
            start.fill(bank, stack.as_chunks_mut().0);
        }
    }
}
