//! The position that playouts begin in, as bytes.

use super::super::{Position, Rank};
use super::tables::{BANK, NEVER};

/// By how much a card on a pile moves the place of the next one: the piles of a bank lie side by side, a row for each
/// layer of cards.
pub(super) const STRIDE: u8 = BANK;

/// The rows of a bank: more than a pack has cards.
const ROWS: usize = 64;

/// A position.
///
/// All tops have the same row, as low as leaves room above it for every card that is still to come. So the piles can be
/// read from their tops down, all at a time: their heights need not be known.
pub(super) struct Start {
    /// The running sums of the stock.
    pub(super) sums: [u8; 13],
    /// The rank that each foundation wants.
    pub(super) wanted: [u8; 4],
    /// The rank on top of each pile, 0 for none.
    pub(super) tops: [[u8; 4]; 2],
    /// The row in which the tops are put when they are covered.
    row: usize,
    /// The lowest row that is in use.
    lowest: usize,
    /// What lies under the tops, as ranks. Under the lowest card lies a 0.
    banks: [[[u8; 4]; ROWS]; 2],
    /// The rank of the card in hand, 0 for none.
    pub(super) hand: u8,
    /// The cards on the foundations.
    pub(super) up: u8,
}

impl Start {
    /// Nothing, to be set.
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

    /// Becomes this position, of a game with so many banks of piles.
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

    /// Where in its bank the top of pile `index` is put when it is covered.
    pub(super) fn place(&self, index: usize) -> u8 {
        (usize::from(STRIDE) * self.row + index % usize::from(BANK)) as u8
    }

    /// Puts a bank's cards under the tops of a game.
    pub(super) fn fill(&self, bank: usize, stack: &mut [[u8; 4]]) {
        let rows = self.lowest..self.row;
        stack[rows.clone()].copy_from_slice(&self.banks[bank][rows]);
    }
}
