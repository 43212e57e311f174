//! The end of the game for every order of filling the free squares.
//!
//! The picks of a uniform playout share one word of the draws, so that `(word · n!) >> 64` is the number of one of the n!
//! orders of n free squares, each with the same probability. A table holds the end of each order. The key decision: one
//! table, for the orders from the start. Orders that begin with the same marks are adjacent, so that the table of any
//! other position is a slice of it.

use std::sync::LazyLock;

use super::{BOARD, Position, TicTacToe};
use crate::game::{Batch, Game, GameExt, Player, Tally, Turn};
use crate::rng::mixing::mix;

/// The orders of nine squares.
const NINE: usize = 362_880;

/// The end of a game from the start under an order. 0 to 4 is a win that many plies after the fifth; other values are
/// constants below.
type End = u8;

const DRAW: End = 5;

/// No game.
const NOTHING: End = 6;

/// The padding after the ends, all [`NOTHING`], so that a 32-bit word can be read from any end.
const PADDING: usize = 4;

/// The end of each order of the nine squares, and the padding.
type Ends = [End; NINE + PADDING];

/// The picks are the digits of an order's number, the first pick being the highest.
///
/// # Cost
/// Half a million positions, about two milliseconds, at first use.
static ENDS: LazyLock<Box<Ends>> = LazyLock::new(|| {
    let mut ends = vec![NOTHING; NINE + PADDING];
    fill(&mut ends[..NINE], TicTacToe.start());
    ends.into_boxed_slice().try_into().expect("it was made as long")
});

/// Fills in the ends of games from a position.
fn fill(ends: &mut [End], position: Position) {
    if position.won {
        ends.fill(4 - position.free);
        return;
    }
    if position.free == 0 {
        ends.fill(DRAW);
        return;
    }
    let behind = ends.len() / usize::from(position.free);
    for (ends, (_, child)) in ends.chunks_exact_mut(behind).zip(TicTacToe.children(&position)) {
        fill(ends, child);
    }
}

/// Sums over some playouts, packed into one word: from bit 0 the plies, from bit 12 the player's wins, from bit 22 the
/// player's losses.
#[derive(Clone, Copy, Default)]
pub(super) struct Packed(pub(super) u32);

impl Packed {
    /// The most playouts in one word: 9 · 400 < 2¹² and 400 < 2¹⁰.
    pub(super) const MOST: u64 = 400;
    /// The bit at which the wins begin.
    const WON: u32 = 12;
    /// See [`Packed::WON`].
    const LOST: u32 = 22;

    /// Adds the sums to a tally, without the number of playouts.
    #[inline]
    pub(super) fn unpack(self, tally: &mut Tally) {
        let (won, lost) = (self.0 >> Self::WON & 0x3ff, self.0 >> Self::LOST);
        tally.plies += u64::from(self.0 & 0xfff);
        tally.sum += i64::from(won) - i64::from(lost);
        tally.sum_squares += u64::from(won + lost);
    }
}

/// All orders of the free squares of a position, and the results of their ends for a player.
pub(super) struct Orders {
    /// The number of orders: the factorial of the number of free squares.
    pub(super) count: u64,
    /// The ends of these orders by their numbers, and the rest of the table.
    pub(super) ends: &'static [End],
    /// The summand of a playout with each end. Ends are below 8.
    pub(super) worth: [Packed; 8],
}

impl Orders {
    /// `None` if the game is over.
    pub(super) fn of(position: Position, player: Player) -> Option<Self> {
        if TicTacToe.turn(&position) == Turn::Over {
            return None;
        }
        // Any order of the present marks will do: none of them ends the game.
        let [mut marks, mut others] = [Player::FIRST, Player::SECOND].map(|player| position.marks(player));
        let (mut begin, mut count, mut free) = (0, NINE, BOARD);
        for squares in (position.free + 1..=9).rev() {
            let square = marks & marks.wrapping_neg();
            count /= usize::from(squares);
            begin += count * (free & (square - 1)).count_ones() as usize;
            free ^= square;
            (marks, others) = (others, marks ^ square);
        }
        let played = u32::from(9 - position.free);
        let mut worth = [Packed(0); 8];
        for end in 0..DRAW {
            let plies = 5 + u32::from(end);
            let is_won =
                plies % 2 == 1 && player == Player::FIRST || plies % 2 == 0 && player != Player::FIRST;
            let counted = 1 << if is_won { Packed::WON } else { Packed::LOST };
            worth[usize::from(end)] = Packed(plies.saturating_sub(played) | counted);
        }
        worth[usize::from(DRAW)] = Packed(9 - played);
        Some(Self { count: count as u64, ends: &ENDS[begin..], worth })
    }

    /// A number beyond all orders, whose end adds nothing. Three more ends follow it, as they follow every order.
    #[inline]
    pub(super) fn nothing(&self) -> usize {
        self.ends.len() - PADDING
    }

    /// Playouts one after the other.
    pub(super) fn playouts(&self, batch: Batch) -> Tally {
        let ends = &self.ends[..self.count as usize];
        let mut tally = Tally { playouts: batch.count, ..Tally::default() };
        let (mut first, end) = (batch.first, batch.first + batch.count);
        while first < end {
            let next = end.min(first + Packed::MOST);
            let mut sum = 0;
            for index in first..next {
                let word = mix(batch.key.counter(index));
                let number = (u128::from(word) * u128::from(self.count)) >> 64;
                sum += self.worth[usize::from(ends[number as usize] % 8)].0;
            }
            Packed(sum).unpack(&mut tally);
            first = next;
        }
        tally
    }
}
