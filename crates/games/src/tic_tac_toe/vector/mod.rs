//! Uniform playouts of many games at a time: one order of the free squares per lane of a vector register.
//!
//! The key decision: the generator is the main cost, so the lanes mix words, and a game is one look-up in the table of all
//! orders. The look-ups of one block of playouts overlap with the mixing of the next. Every path plays exactly the games of
//! the plain loop. Rejected: marks in lanes, one byte per game, which must first extract the nine picks from the word.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod tests;

use super::orders::Orders;
use super::{Position, TicTacToe};
use crate::game::{Batch, Batches, Path, PlayoutRequest, Tally, Uniform, run_playouts};

/// The fewest playouts for which lanes are faster than games one by one.
const FEWEST: u64 = 40;

/// Plays batches on a path that this processor has: for each request, in its place, the tally of the plain loop. Panics if this
/// processor does not have the path's instructions. Cost: the first call in a program makes a table of 363 KB, in about two
/// milliseconds.
pub(super) fn play_batches(path: Path, Batches { requests, tallies }: Batches<'_, Position>) -> Path {
    for (PlayoutRequest { from, player, batch }, tally) in requests.iter().zip(tallies) {
        *tally = match Orders::of(*from, *player) {
            None => run_playouts(&TicTacToe, &Uniform, from, *player, *batch),
            Some(orders) if batch.count < FEWEST => orders.playouts(*batch),
            Some(orders) => play(path, &orders, *batch),
        };
    }
    path
}

fn play(path: Path, orders: &Orders, batch: Batch) -> Tally {
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => call_on!(Avx2, avx2::playouts(orders, batch)),
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => call_on!(Avx512, avx512::playouts(orders, batch)),
        _ => orders.playouts(batch),
    }
}
