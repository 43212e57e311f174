//! The first position of playouts and the rules, as bytes.

use super::super::foundations::sequence;
use super::super::{Calculation, FoundationRule, Position, Rank};
use super::LanePolicy;

/// The distance between consecutive cards of a pile. The piles of a bank are interleaved: each row holds one layer of
/// cards.
pub(super) const STRIDE: u8 = BANK;

/// The rows of a bank: more than the cards of a pack.
const ROWS: usize = 64;

/// A position.
///
/// All tops are in the same row, with space above for every card left. So all piles can be read at once from their tops
/// down, without knowing their heights.
pub(super) struct Start {
    /// The running sums of the stock.
    pub(super) sums: [u8; 13],
    /// The rank that each foundation wants.
    pub(super) wanted: [u8; 4],
    /// The rank on top of each pile, 0 for none.
    pub(super) tops: [[u8; 4]; 2],
    /// The row of the tops when they are covered.
    row: usize,
    /// The lowest row that is in use.
    lowest: usize,
    /// The cards under the tops, as ranks, with a 0 under the lowest card.
    banks: [[[u8; 4]; ROWS]; 2],
    /// The rank of the card in hand, 0 for none.
    pub(super) hand: u8,
    /// The cards on the foundations.
    pub(super) up: u8,
}

impl Start {
    /// An empty start, to be set.
    pub(super) const NOTHING: Self = Self {
        sums: [0; 13],
        wanted: [NEVER; 4],
        tops: [[0; 4]; 2],
        row: 0,
        lowest: 0,
        banks: [[[0; 4]; ROWS]; 2],
        hand: 0,
        up: 0,
    };

    /// Sets the start to this position of a game with this number of banks of piles.
    pub(super) fn set(&mut self, from: &Position, banks: usize) {
        self.sums = from.whole_stock().sums();
        self.wanted = [1, 2, 3, 4].map(|foundation| from.wanted(foundation).map_or(NEVER, Rank::number));
        self.hand = from.hand().map_or(0, Rank::number);
        self.up = from.cards_up();
        self.row = ROWS - 1 - from.stock_len() as usize - usize::from(from.has_hand());
        self.lowest = self.row;
        for (index, bank) in self.banks[..banks].iter_mut().enumerate() {
            let mut layers = from.layers(4 * index);
            self.tops[index] = layers.next().expect("the tops");
            let mut row = self.row;
            for layer in layers {
                row -= 1;
                bank[row] = layer;
            }
            self.lowest = self.lowest.min(row);
        }
    }

    /// The place of the top of pile `index` in its bank when it is covered.
    pub(super) fn place(&self, index: usize) -> u8 {
        (usize::from(STRIDE) * self.row + index % usize::from(BANK)) as u8
    }

    /// Stores a bank's cards under the tops of a game.
    pub(super) fn fill(&self, bank: usize, stack: &mut [[u8; 4]]) {
        let rows = self.lowest..self.row;
        stack[rows.clone()].copy_from_slice(&self.banks[bank][rows]);
    }
}

/// A rank that no card has.
pub(super) const NEVER: u8 = 15;

/// The rank that a complete foundation wants.
const COMPLETE: u8 = 14;

/// The number of piles in a bank.
pub(super) const BANK: u8 = 4;

/// The rules of a game and of a policy, as bytes.
pub(super) struct Tables {
    /// For each foundation and rank that it takes, the rank that it wants next.
    pub(super) after: [[u8; 16]; 4],
    pub(super) piles: u8,
    /// Whether only the first of the empty piles may be chosen.
    pub(super) merge_empty: bool,
    pub(super) policy: LanePolicy,
    /// Whether cards go up by themselves, without a turn.
    pub(super) automatic: bool,
}

impl Tables {
    pub(super) fn new(game: &Calculation, policy: LanePolicy) -> Self {
        Self {
            after: [0, 1, 2, 3].map(|index| after(game.deck.ranks(), index)),
            piles: game.piles,
            merge_empty: game.merge_empty,
            policy,
            automatic: game.foundation == FoundationRule::Automatic,
        }
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
