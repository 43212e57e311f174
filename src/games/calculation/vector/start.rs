//! What lanes are told: the rules as tables, and the position that playouts begin in.

use super::super::foundations::sequence;
use super::super::{Calculation, FoundationRule, Position, Rank};
use super::LanePolicy;

/// The rank that is asked for where nothing is: no card has it.
pub(super) const NEVER: u8 = 15;

/// What the rank of a complete foundation's next card is.
const COMPLETE: u8 = 14;

/// By how much a card on a pile moves the place of the next one: the piles of a bank lie side by side.
pub(super) const STRIDE: u8 = BANK;

/// So many piles share a bank.
pub(super) const BANK: u8 = 4;

/// A position and the rules, as bytes.
pub(super) struct Start {
    /// The running sums of the stock.
    pub(super) sums: [u8; 13],
    /// The rank that each foundation wants.
    pub(super) wanted: [u8; 4],
    /// For each foundation and rank that it takes, the rank that it wants then.
    pub(super) after: [[u8; 16]; 4],
    /// The rank on top of each pile, 0 for none.
    pub(super) tops: [u8; 8],
    /// Where in its bank of four piles the top of each pile is put when it is covered.
    pub(super) places: [u8; 8],
    /// The two banks: what lies under the tops. Under the lowest card lies a 0.
    pub(super) banks: [[u8; 256]; 2],
    /// How much of them is in use.
    pub(super) depth: usize,
    /// The rank of the card in hand, 0 for none.
    pub(super) hand: u8,
    /// The cards on the foundations.
    pub(super) up: u8,
    /// How many piles there are.
    pub(super) piles: u8,
    /// Whether only the first of the empty piles may be chosen.
    pub(super) merge_empty: bool,
    /// What may be chosen.
    pub(super) policy: LanePolicy,
    /// Whether what can go up does, without a turn.
    pub(super) automatic: bool,
}

impl Start {
    pub(super) fn new(game: &Calculation, policy: LanePolicy, from: &Position) -> Self {
        let mut start = Self {
            sums: from.whole_stock().sums(),
            wanted: [1, 2, 3, 4].map(|foundation| match from.wanted(foundation) {
                Some(rank) => rank.number(),
                None => NEVER,
            }),
            after: [0, 1, 2, 3].map(|index| after(game.deck.ranks(), index)),
            tops: [0; 8],
            places: [0; 8],
            banks: [[0; 256]; 2],
            depth: 0,
            hand: from.hand().map_or(0, Rank::number),
            up: from.cards_up(),
            piles: game.piles,
            merge_empty: game.merge_empty,
            policy,
            automatic: game.foundation == FoundationRule::Automatic,
        };
        for pile in 0..8 {
            let (index, bottom) = (usize::from(pile), pile % BANK);
            let height = from.pile(pile + 1).count() as u8;
            let place = bottom + STRIDE * height;
            let bank = &mut start.banks[usize::from(pile / BANK)];
            for (depth, rank) in (0..).zip(from.pile(pile + 1)) {
                if depth == 0 {
                    start.tops[index] = rank.number();
                    start.depth = start.depth.max(place.into());
                } else {
                    bank[usize::from(place - STRIDE * depth)] = rank.number();
                }
            }
            start.places[index] = place;
        }
        start
    }
}

/// The rank that foundation `index` (from 0) wants after each.
fn after(ranks: u8, index: u8) -> [u8; 16] {
    let mut after = [NEVER; 16];
    let next = sequence(ranks, index).skip(1).map(Rank::number).chain([COMPLETE]);
    for (rank, next) in sequence(ranks, index).zip(next) {
        after[usize::from(rank.number())] = next;
    }
    after
}
