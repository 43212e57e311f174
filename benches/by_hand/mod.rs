//! Playout loops for one game each, written without the trait `Game`: the baseline for its cost.
//!
//! A competent programmer would write them so for one game: scalar and fast. The draws and their order are those of the generic
//! loop, so both must give the same tally.

pub(crate) mod boards;
mod calculation;
pub(crate) mod dice;
pub(crate) mod go;
mod othello;
pub(crate) mod puzzles;
mod tic_tac_toe;

pub(crate) use calculation::{CalculationByHand, Choice};
pub(crate) use othello::OthelloByHand;
pub(crate) use tic_tac_toe::TicTacToeByHand;

use shikou::game::{Batch, Kernel, Tally, accelerate, nth_set_bit};
use shikou::rng::PlayoutRng;

/// A game that returns the payoff of the first player and the plies.
struct Each<'a, F>(Batch, &'a F);

impl<F: Fn(&mut PlayoutRng) -> (i32, u32)> Kernel for Each<'_, F> {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for index in self.0.first..self.0.first + self.0.count {
            let (payoff, plies) = (self.1)(&mut self.0.key.playout(index));
            tally.record(payoff, plies);
        }
        tally
    }
}

/// Plays each playout of a batch, with the instructions of this processor, as the generic loop does. The closure must be `#[inline(always)]`:
/// else it is compiled for any processor and takes up to twice the time.
pub(crate) fn each(game: impl Fn(&mut PlayoutRng) -> (i32, u32)) -> impl Fn(Batch) -> Tally {
    move |batch| accelerate(Each(batch, &game))
}

/// The loop of a function that plays a game. As a value the function would not be compiled into the loop.
macro_rules! loop_of {
    ($game:path) => {
        each(
            #[inline(always)]
            |draws: &mut PlayoutRng| $game(draws),
        )
    };
}
pub(crate) use loop_of;

/// The result of a game whose last player to move won.
const fn last_wins(plies: u32) -> (i32, u32) {
    (if plies % 2 == 1 { 1 } else { -1 }, plies)
}

/// A random bit of some masks: the number of the mask, and the bit.
#[inline(always)]
fn pick<const N: usize>(masks: [u64; N], draws: &mut PlayoutRng) -> (usize, u8) {
    let mut rank = draws.below(masks.iter().map(|mask| mask.count_ones()).sum());
    let mut number = 0;
    while rank >= masks[number].count_ones() {
        rank -= masks[number].count_ones();
        number += 1;
    }
    (number, nth_set_bit(masks[number], rank).expect("the mask has more bits"))
}

/// The cell of a rank on a board of more than 64 cells.
#[inline(always)]
fn nth_cell(cells: u128, rank: u32) -> u32 {
    let (low, high) = (cells as u64, (cells >> 64) as u64);
    let lower = low.count_ones();
    let (half, rank, offset) = if rank < lower { (low, rank, 0) } else { (high, rank - lower, 64) };
    offset + u32::from(nth_set_bit(half, rank).expect("the mask has more bits"))
}

/// A column of a board of so many rows and columns.
const fn column(rows: u32, columns: u32, column: u32) -> u128 {
    let (mut mask, mut row) = (0, 0);
    while row < rows {
        mask |= 1 << (row * columns + column);
        row += 1;
    }
    mask
}
