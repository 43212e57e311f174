//! Uniform playouts of many games at a time: an order of the free squares in each lane of a vector register.
//!
//! The key decision: what costs is the generator, so the lanes mix words, and the game itself is one look-up in
//! the table of all orders. The look-ups of one block of playouts are made while the words of the next are mixed. Every
//! path plays exactly the games of the plain loop. Rejected: marks in lanes, a byte a game, which would have to
//! take the nine picks out of the word first.
//!
//! | file | holds |
//! |---|---|
//! | `block` | a batch in blocks: the same text on every path |
//! | `avx2`, `avx512` | the operations of sixteen and thirty-two playouts a block |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod tests;

use super::orders::Orders;
use super::{Position, TicTacToe};
use crate::game::{Batch, Path, Player, Tally, Uniform, run_playouts};

/// From so many playouts on lanes are faster than one game after the other.
const FEWEST: u64 = 40;

impl TicTacToe {
    /// Plays a batch out uniformly on a named path: the tally of
    /// [`Game::uniform_playouts`](crate::game::Game), on every path. For tests and comparisons of speed.
    ///
    /// # Panics
    /// Where this processor does not have the path's instructions.
    ///
    /// # Cost
    /// The first call in a program makes a table of 363 KB, in about two milliseconds.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{Batch, Game, Path, Player};
    /// use shikou::games::tic_tac_toe::TicTacToe;
    /// use shikou::rng::PlayoutKey;
    /// let batch = Batch::new(PlayoutKey::new(1), 10_000);
    /// let tally = |path| TicTacToe.playouts_on(path, &TicTacToe.start(), Player::FIRST, batch);
    /// assert_eq!(tally(Path::best()), tally(Path::Portable));
    /// ```
    pub fn playouts_on(&self, path: Path, from: &Position, player: Player, batch: Batch) -> Tally {
        assert!(path.is_available(), "this processor has no {path}");
        match Orders::of(*from, player) {
            None => run_playouts(self, &Uniform, from, player, batch),
            Some(orders) if batch.count < FEWEST => orders.playouts(batch),
            Some(orders) => play(path, &orders, batch),
        }
    }
}

/// Playouts on a path.
///
/// # Panics
/// Where this processor does not have the path's instructions.
fn play(path: Path, orders: &Orders, batch: Batch) -> Tally {
    assert!(path.is_available(), "this processor has no {path}");
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
            unsafe {
                avx2::playouts(orders, batch)
            }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
            unsafe {
                avx512::playouts(orders, batch)
            }
        }
        _ => orders.playouts(batch),
    }
}
