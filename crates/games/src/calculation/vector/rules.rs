//! The rules in registers, applied to games side by side.

use std::array::from_fn;
use std::hint::black_box;

use super::super::LanePolicy;
use super::super::start::Tables;
use super::bytes::{
    Bytes, Mask, add_where, all, all_if, both, but_not, choose, either, is_below, is_equal, less_where,
    table, zero,
};
use super::piles::{Piles, top};

/// The number of members of a set of four.
const SIZES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The rules, in registers.
pub(super) struct Rules {
    /// For each foundation, the table of the rank that it wants after each rank.
    pub(super) after: [Bytes; 4],
    piles: u8,
    /// Whether only the first of the empty piles may be chosen.
    pub(super) merge_empty: bool,
    /// All games, or none: whether a card in hand waits while a pile's top can go up.
    pub(super) waste_first: Mask,
    /// All games, or none: whether the piles wait while any card can go up.
    pub(super) up_first: Mask,
    /// All games, or none: whether going up takes no turn.
    pub(super) automatic: Mask,
    /// 1 for every game.
    pub(super) one: Bytes,
    /// Each of the lowest bits for every game.
    bits: [Bytes; 4],
    /// The table of [`SIZES`].
    pub(super) sizes: Bytes,
}

/// The piles open to the card in hand.
pub(super) struct Open<const BANKS: usize> {
    pub(super) number: Bytes,
    /// The open piles, if not all are.
    which: [[Mask; 4]; BANKS],
}

for_this_path! {
    pub(super) fn rules(tables: &Tables) -> Rules {
        let first = tables.policy;
        // With known numbers the compiler would use two operations instead of one masked operation.
        black_box(Rules {
            after: from_fn(|index| table(tables.after[index])),
            piles: tables.piles,
            merge_empty: tables.merge_empty,
            // Automatic moves follow the order of the moves, but piles come first.
            waste_first: all_if(first == LanePolicy::WasteFirst || tables.automatic),
            up_first: all_if(first != LanePolicy::Uniform || tables.automatic),
            automatic: all_if(tables.automatic),
            one: all(1),
            bits: [1, 2, 4, 8].map(|bit| all(bit)),
            sizes: table(SIZES),
        })
    }

    /// The foundations that want a card: in the low four bits the set, bit 0 for the first.
    pub(super) fn wanting(rules: &Rules, wanted: &[Bytes; 4], card: Bytes) -> Bytes {
        let mut set = zero();
        for (&rank, &bit) in wanted.iter().zip(&rules.bits) {
            set = add_where(is_equal(card, rank), set, bit);
        }
        set
    }

    pub(super) fn open<const BANKS: usize>(rules: &Rules, piles: &Piles<BANKS>) -> Open<BANKS> {
        let mut open = Open { number: all(rules.piles), which: [[all_if(true); 4]; BANKS] };
        if rules.merge_empty {
            open.number = zero();
            let mut was_empty = all_if(false);
            for index in 0..usize::from(rules.piles) {
                let is_taken = is_below(zero(), top(piles, index));
                let is_open = either(is_taken, but_not(all_if(true), was_empty));
                was_empty = either(was_empty, but_not(all_if(true), is_taken));
                open.which[index / 4][index % 4] = is_open;
                open.number = add_where(is_open, open.number, rules.one);
            }
        }
        open
    }

    /// The open pile with this number, from 0.
    pub(super) fn numbered<const BANKS: usize>(rules: &Rules, open: &Open<BANKS>, number: Bytes) -> Bytes {
        let mut pile = number;
        if rules.merge_empty {
            let mut left = number;
            for index in 0..usize::from(rules.piles) {
                let is_open = open.which[index / 4][index % 4];
                pile = choose(both(is_open, is_equal(left, zero())), all(index as u8), pile);
                left = less_where(is_open, left, rules.one);
            }
        }
        pile
    }
}
