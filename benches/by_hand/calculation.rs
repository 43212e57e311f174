//! Handwritten Calculation with four piles: each card is turned, and then goes up or onto a pile.

use shikou::game::{Batch, Kernel, Tally, nth_set_bit};
use shikou::rng::PlayoutRng;

/// The choice of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Every legal move with equal probability.
    Uniform,
    /// A card goes up if it fits, else onto a random pile.
    FoundationFirst,
}

pub(crate) struct CalculationByHand {
    pub(crate) batch: Batch,
    pub(crate) choice: Choice,
}

const PILES: u64 = 0b1111;

struct Table {
    /// Nibble `r`: the foundations that want rank `r` next.
    wants: u64,
    /// The top of each pile as four times its rank, 0 for none.
    tops: [u8; 4],
    /// The foundations that want the tops, four bits for each pile.
    offers: u64,
    /// The cards under the tops.
    under: [[u8; 48]; 4],
    /// The number of cards in each pile.
    heights: [u8; 4],
    /// Entry `r` − 1: the number of cards of ranks up to `r` left in the stock.
    stock: [u8; 16],
    up: u8,
}

impl Table {
    #[inline(always)]
    fn new() -> Self {
        Self {
            wants: 1 << 8 | 1 << 17 | 1 << 26 | 1 << 35,
            tops: [0; 4],
            offers: 0,
            under: [[0; 48]; 4],
            heights: [0; 4],
            stock: [3, 6, 9, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 48, 48, 48],
            up: 4,
        }
    }

    /// Turns a random card: four times its rank.
    #[inline(always)]
    fn turn(&mut self, left: u32, draws: &mut PlayoutRng) -> u8 {
        let pick = draws.below(left) as u8;
        let passed = self.stock.map(|sum| u8::from(sum <= pick));
        let index = passed.iter().sum::<u8>();
        for (entry, passed) in self.stock.iter_mut().zip(passed) {
            *entry -= 1 - passed;
        }
        4 * (index + 1)
    }

    /// The foundations that want a card.
    #[inline(always)]
    fn wanting(&self, card: u8) -> u64 {
        self.wants >> card & 15
    }

    #[inline(always)]
    fn raise(&mut self, card: u8, foundation: u8) {
        let sum = card + 4 * foundation + 4;
        let next = match card {
            52 => 56,
            _ if sum > 52 => sum - 52,
            _ => sum,
        };
        self.wants ^= 1 << (card + foundation) | 1 << (next + foundation);
        self.up += 1;
        let [a, b, c, d] = self.tops.map(|top| self.wanting(top));
        self.offers = a | b << 4 | c << 8 | d << 12;
    }

    #[inline(always)]
    fn down(&mut self, card: u8, pile: u8) {
        let pile = usize::from(pile & 3);
        self.under[pile][usize::from(self.heights[pile])] = self.tops[pile];
        self.heights[pile] += 1;
        self.tops[pile] = card;
        self.offers = self.offers & !(15 << (4 * pile)) | self.wanting(card) << (4 * pile);
    }

    #[inline(always)]
    fn waste_up(&mut self, pile: u8, foundation: u8) {
        let pile = usize::from(pile & 3);
        let card = self.tops[pile];
        self.heights[pile] -= 1;
        self.tops[pile] = self.under[pile][usize::from(self.heights[pile])];
        self.raise(card, foundation);
    }
}

#[inline(always)]
fn pick(mask: u64, draws: &mut PlayoutRng) -> u8 {
    nth_set_bit(mask, draws.below(mask.count_ones())).expect("there is a move")
}

impl Kernel for CalculationByHand {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for index in self.batch.first..self.batch.first + self.batch.count {
            let mut draws = self.batch.key.playout(index);
            let mut table = Table::new();
            let mut plies = 48;
            for left in (1..=48).rev() {
                let card = table.turn(left, &mut draws);
                loop {
                    plies += 1;
                    let up = table.wanting(card) | table.offers << 12;
                    let mask = if up == 0 || self.choice == Choice::Uniform { up | PILES << 4 } else { up };
                    match pick(mask, &mut draws) {
                        foundation @ 0..4 => {
                            table.raise(card, foundation);
                            break;
                        }
                        pile @ 4..12 => {
                            table.down(card, pile - 4);
                            break;
                        }
                        code => table.waste_up((code - 12) / 4, code % 4),
                    }
                }
            }
            while table.offers != 0 {
                plies += 1;
                let code = pick(table.offers, &mut draws);
                table.waste_up(code / 4, code % 4);
            }
            tally.record(table.up.into(), plies);
        }
        tally
    }
}
