//! Playouts of many games at a time, a byte for each game in every vector register.
//!
//! The key decision: every game plays exactly what the plain loop would play, draw for draw, so that a result does not
//! depend on the processor. Games need not keep step: each has its own place among its draws, and where enough of a
//! group are over, the next playouts begin in their places, of the same request or of the next one.
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
//! | `tables`, `start` | the rules, and the position that playouts begin in, as bytes |
//! | `work` | playouts to be made: requests, one after the other |
//! | `play`, `group`, `rules`, `piles`, `draws` | all work; games side by side, and their parts: the same text on every path |
//! | `avx2`, `avx512` | the operations of 32 and 64 games a register |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod start;
mod tables;
#[cfg(test)]
mod tests;
mod work;

use super::policies::{FoundationFirst, WasteFirst};
use super::{Calculation, FoundationRule, Position};
use crate::game::{Batch, Path, Player, PlayoutRequest, Tally, Uniform, run_playouts};
use tables::Tables;
use work::Work;

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
    path.is_available().then(|| {
        let mut tally = [Tally::default()];
        playouts_of_many_on(path, game, policy, &[request(from, batch)], &mut tally);
        tally[0]
    })
}

/// Plays a batch out on the best path that this processor has for a batch of this size.
pub(super) fn playouts(game: &Calculation, policy: LanePolicy, from: &Position, batch: Batch) -> Tally {
    let mut tally = [Tally::default()];
    playouts_of_many(game, policy, &[request(from, batch)], &mut tally);
    tally[0]
}

fn request(from: &Position, batch: Batch) -> PlayoutRequest<Position> {
    PlayoutRequest { from: *from, player: Player::FIRST, batch }
}

/// Plays many batches out on the best path that this processor has for so many playouts.
///
/// # Panics
/// Where there are not as many places for tallies as requests.
pub(super) fn playouts_of_many(
    game: &Calculation,
    policy: LanePolicy,
    requests: &[PlayoutRequest<Position>],
    tallies: &mut [Tally],
) {
    let widest = if playouts_in(requests) < FEWEST_FOR_WIDE { Path::Avx2 } else { Path::Avx512 };
    let path = Path::ALL.into_iter().rfind(|&path| path <= widest && path.is_available());
    playouts_of_many_on(path.unwrap_or(Path::Portable), game, policy, requests, tallies);
}

/// Plays many batches out on a path: for each request, in its place, the tally of the plain loop.
///
/// # Panics
/// Where this processor does not have the path's instructions, or there are not as many places for tallies as requests.
fn playouts_of_many_on(
    path: Path,
    game: &Calculation,
    policy: LanePolicy,
    requests: &[PlayoutRequest<Position>],
    tallies: &mut [Tally],
) {
    assert!(path.is_available(), "this processor has no {path}");
    assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
    let in_lanes = path > Path::Portable && playouts_in(requests) >= FEWEST;
    tallies.fill(Tally::default());
    if in_lanes {
        play(path, &Tables::new(game, policy), &mut Work::new(game, requests), |request, up, plies| {
            tallies[request].record(game.payoffs[usize::from(up)].into(), plies.into());
        });
    }
    for (PlayoutRequest { from, player, batch }, tally) in requests.iter().zip(tallies) {
        if in_lanes && fit_lanes(game, from) {
            continue;
        }
        *tally = match policy {
            LanePolicy::Uniform => run_playouts(game, &Uniform, from, *player, *batch),
            LanePolicy::FoundationFirst => run_playouts(game, &FoundationFirst, from, *player, *batch),
            LanePolicy::WasteFirst => run_playouts(game, &WasteFirst, from, *player, *batch),
        };
    }
}

/// How many playouts requests ask for together, as far as can be counted.
fn playouts_in(requests: &[PlayoutRequest<Position>]) -> u64 {
    requests.iter().fold(0, |sum, request| sum.saturating_add(request.batch.count))
}

/// Whether playouts from a position may be made in lanes: all, but where a card would have to go up by itself before
/// the first turn, which no position of a game asks for.
fn fit_lanes(game: &Calculation, from: &Position) -> bool {
    game.foundation == FoundationRule::Optional || (from.offers() == 0 && from.hand_offer() == 0)
}

/// Plays all the work in the lanes of a path and tells of each playout its request, the cards up and the plies.
///
/// # Panics
/// Where this processor does not have the path's instructions, and for the portable path, which has no lanes.
fn play(path: Path, tables: &Tables, work: &mut Work<'_>, record: impl FnMut(usize, u8, u8)) {
    assert!(path.is_available(), "this processor has no {path}");
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => {
            #[expect(unsafe_code, reason = "functions compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the functions are compiled for.
            unsafe {
                if tables.piles > tables::BANK {
                    avx2::play::<2>(tables, work, record);
                } else {
                    avx2::play::<1>(tables, work, record);
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => {
            #[expect(unsafe_code, reason = "functions compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the functions are compiled for.
            unsafe {
                if tables.piles > tables::BANK {
                    avx512::play::<2>(tables, work, record);
                } else {
                    avx512::play::<1>(tables, work, record);
                }
            }
        }
        _ => unreachable!("the portable path has no lanes"),
    }
}
