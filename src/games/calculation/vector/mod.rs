//! Playouts of many games at a time, a byte for each game in every vector register.
//!
//! The key decision: every game plays exactly what the plain loop would play, draw for draw, so that a result does not
//! depend on the processor. Games need not keep step: each has its own place among its draws, and where enough of a
//! group are over, the next playouts begin in their places.
//!
//! The second: a byte for each game, although a draw is 32 bits. Ranks, running sums, numbers of moves and picks are
//! all small, so that 64 games share a register; only the draws themselves go through wider lanes. Rejected: a word of
//! 64 bits for each game with piles as strings of nibbles, which takes eight times as many operations for all but the draws.
//!
//! What cannot be done in lanes, covering the top of a pile or uncovering the card below, is an exchange of one byte in
//! memory for each game.
//!
//! | file | holds |
//! |---|---|
//! | `start` | the rules as tables, and the position that playouts begin in |
//! | `play`, `group`, `rules`, `piles`, `draws` | a batch; games side by side, and their parts: the same text on every path |
//! | `avx2`, `avx512` | the operations of 32 and 64 games a register |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod start;
#[cfg(test)]
mod tests;

use super::policies::{FoundationFirst, WasteFirst};
use super::{Calculation, FoundationRule, Position};
use crate::game::{Batch, Path, Player, Tally, Uniform, run_playouts};
use start::Start;

/// From so many playouts on lanes are faster than one game after the other.
const FEWEST: u64 = 12;

/// From so many on the wider path is faster than the narrower one.
const FEWEST_FOR_WIDE: u64 = 65;

/// The policies that are played in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LanePolicy {
    /// [`Uniform`]: every legal move is as likely.
    Uniform,
    /// [`FoundationFirst`]: a card goes up where one can.
    FoundationFirst,
    /// [`WasteFirst`]: the same, and tops of piles before the card in hand.
    WasteFirst,
}

/// Plays a batch out on a path: the tally of the plain loop, on every path. `None` where this processor does not have the
/// path's instructions.
pub(super) fn playouts_on(
    path: Path,
    game: &Calculation,
    policy: LanePolicy,
    from: &Position,
    batch: Batch,
) -> Option<Tally> {
    if !path.is_available() {
        return None;
    }
    if path > Path::Portable && batch.count >= FEWEST && fit_lanes(game, from) {
        let mut tally = Tally::default();
        play(path, &Start::new(game, policy, from), batch, |_, up, plies| {
            tally.record(game.payoffs[usize::from(up)].into(), plies.into());
        });
        return Some(tally);
    }
    let player = Player::FIRST;
    Some(match policy {
        LanePolicy::Uniform => run_playouts(game, &Uniform, from, player, batch),
        LanePolicy::FoundationFirst => run_playouts(game, &FoundationFirst, from, player, batch),
        LanePolicy::WasteFirst => run_playouts(game, &WasteFirst, from, player, batch),
    })
}

/// Plays a batch out on the best path that this processor has for a batch of this size.
pub(super) fn playouts(game: &Calculation, policy: LanePolicy, from: &Position, batch: Batch) -> Tally {
    let widest = if batch.count < FEWEST_FOR_WIDE { Path::Avx2 } else { Path::Avx512 };
    let path = Path::ALL.into_iter().rfind(|&path| path <= widest && path.is_available());
    playouts_on(path.unwrap_or(Path::Portable), game, policy, from, batch).expect("the path is available")
}

/// Whether playouts from a position may be made in lanes: all, but where a card would have to go up by itself before
/// the first turn, which no position of a game asks for.
fn fit_lanes(game: &Calculation, from: &Position) -> bool {
    game.foundation == FoundationRule::Optional || (from.offers() == 0 && from.hand_offer() == 0)
}

/// Plays a batch out in the lanes of a path and tells of each playout its number, the cards up and the plies.
///
/// # Panics
/// Where this processor does not have the path's instructions, and for the portable path, which has no lanes.
fn play(path: Path, start: &Start, batch: Batch, record: impl FnMut(u64, u8, u8)) {
    assert!(path.is_available(), "this processor has no {path}");
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => {
            #[expect(unsafe_code, reason = "functions compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the functions are compiled for.
            unsafe {
                if start.piles > start::BANK {
                    avx2::play::<2>(start, batch, record);
                } else {
                    avx2::play::<1>(start, batch, record);
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => {
            #[expect(unsafe_code, reason = "functions compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the functions are compiled for.
            unsafe {
                if start.piles > start::BANK {
                    avx512::play::<2>(start, batch, record);
                } else {
                    avx512::play::<1>(start, batch, record);
                }
            }
        }
        _ => unreachable!("the portable path has no lanes"),
    }
}
