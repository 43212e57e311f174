//! Playouts of many games at a time, with one byte per game in every vector register.
//!
//! The key decision: every game plays exactly as in the plain loop, draw for draw, so that a result does not depend on the
//! processor. Games need not be in step: each has its own place among its draws. When enough games of a group are over,
//! the next playouts take their lanes, from the same request or the next.
//!
//! The second decision: one byte per game, although a draw has 32 bits. Ranks, running sums, numbers of moves and picks
//! are all small, so 64 games share a register; only the draws need wider lanes. Rejected: a 64-bit word per game, with
//! piles as strings of nibbles, which takes eight times as many operations for everything but the draws.
//!
//! Lanes cannot cover the top of a pile or uncover the card below it: each game exchanges one byte in memory.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod gpu;
mod start;
#[cfg(test)]
mod tests;
mod work;

use super::policies::{FoundationFirst, WasteFirst};
use super::{Calculation, FoundationRule, Position};
use crate::game::{Batches, Path, PlayoutRequest, Tally, Uniform, play_plain_batches, run_playouts};
use start::Tables;
use work::Work;

/// The fewest playouts for which lanes are faster than games one by one.
const FEWEST: u64 = 12;

/// The fewest playouts for which the wider path is faster than the narrower one.
const FEWEST_FOR_WIDE: u64 = 65;

/// The policies that lanes play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LanePolicy {
    Uniform,
    FoundationFirst,
    WasteFirst,
}

/// Plays batches up to a path: for each request, in its place, the tally of the plain loop. Returns the path of large
/// batches; small ones take a narrower one if it is faster.
pub(super) fn play_batches(
    path: Path,
    game: &Calculation,
    policy: LanePolicy,
    batches: Batches<'_, Position>,
) -> Path {
    let policy = match (policy, game.foundation) {
        // The same moves with the same probabilities.
        (LanePolicy::Uniform, FoundationRule::First) => LanePolicy::FoundationFirst,
        (LanePolicy::Uniform, FoundationRule::Buried | FoundationRule::Outstanding) => {
            return play_plain_batches(game, &Uniform, batches);
        }
        _ => policy,
    };
    let widest = match playouts_in(batches.requests) {
        gpu::FEWEST.. => Path::Cuda,
        FEWEST_FOR_WIDE.. => Path::Avx512,
        _ => Path::Avx2,
    };
    play_batches_on(path.min(widest).or_slower(), game, policy, batches);
    path.or_slower()
}

/// Plays batches on a path: for each request, in its place, the tally of the plain loop. Panics if this machine does not have the
/// path, or the GPU fails.
fn play_batches_on(path: Path, game: &Calculation, policy: LanePolicy, batches: Batches<'_, Position>) {
    assert!(path.is_available(), "this machine has no {path}");
    let Batches { requests, tallies } = batches;
    let in_lanes = path == Path::Cuda || path > Path::Portable && playouts_in(requests) >= FEWEST;
    tallies.fill(Tally::default());
    if path == Path::Cuda {
        gpu::play_batches(game, policy, requests, tallies).unwrap_or_else(|error| panic!("{error}"));
    } else if in_lanes {
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

/// The total number of playouts of requests, saturating.
fn playouts_in(requests: &[PlayoutRequest<Position>]) -> u64 {
    requests.iter().fold(0, |sum, request| sum.saturating_add(request.batch.count))
}

/// Whether lanes can play from a position: always, unless an automatic move is due before the first turn, which occurs
/// in no reachable position.
fn fit_lanes(game: &Calculation, from: &Position) -> bool {
    game.foundation != FoundationRule::Automatic || (from.offers() == 0 && from.hand_offer() == 0)
}

/// Plays all the work in the lanes of a path, and passes the request, the cards up and the plies of each playout to `record`.
/// Panics if this processor does not have the path's instructions, and for the portable path, which has no lanes.
fn play(path: Path, tables: &Tables, work: &mut Work<'_>, record: impl FnMut(usize, u8, u8)) {
    let is_small = tables.piles <= start::BANK;
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 if is_small => call_on!(Avx2, avx2::play::<1>(tables, work, record)),
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => call_on!(Avx2, avx2::play::<2>(tables, work, record)),
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 if is_small => call_on!(Avx512, avx512::play::<1>(tables, work, record)),
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => call_on!(Avx512, avx512::play::<2>(tables, work, record)),
        _ => unreachable!("the portable path has no lanes"),
    }
}
