//! Uniform playouts of many games at a time, one game per lane of a vector register.
//!
//! The key decision: every lane plays exactly as in the plain loop, draw for draw, so that a result does not depend on the
//! processor; the path affects only the speed. All lanes swap sides at every ply. A pass is a ply without flips, and
//! finished games pass until the others are over. Rejected: refilling a lane when its game is over, which costs as much
//! in mispredicted branches as the idle lanes.
//!
//! The instructions are written by hand and chosen at run time, because the plain loop becomes slower if it is compiled
//! for AVX-512. `docs/performance.md` has a drawing of the design and the figures.
//!
//! | file | holds |
//! |---|---|
//! | `work` | the playouts left to make: from one position, from many |
//! | `play`, `parts`, `memory` | the loop over all work, its timed stages, loads and stores: the same source on every path |
//! | `avx2`, `avx512` | four and eight games per register |
//! | `gpu` | a game per thread of a GPU |
//! | `probe` | single boards in lanes, for tests |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod gpu;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod tests;
mod work;

use super::board::legal_moves_among;
use super::{Othello, Position};
use crate::device;
use crate::game::{
    Batch, FinishedGames, Path, Player, PlayoutRequest, Tally, Uniform, plain_lines_of_two_plies,
    run_playouts,
};
use work::{FromMany, FromOne, Work};

/// The fewest playouts for which lanes are faster than games one by one.
const FEWEST: u64 = 4;

/// Plays batches on a path that this machine has: for each request, in its place, the tally of the plain loop.
///
/// # Panics
/// If this machine does not have the path, the GPU fails, or `tallies` is not as long as `requests`.
pub(super) fn play_batches(
    game: &Othello,
    path: Path,
    requests: &[PlayoutRequest<Position>],
    tallies: &mut [Tally],
) -> Path {
    assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
    let playouts: u64 = requests.iter().map(|request| request.batch.count).sum();
    if path == Path::Cuda {
        if playouts >= device::FEWEST {
            gpu::play_batches(game, requests, tallies).unwrap_or_else(|error| panic!("{error}"));
        } else {
            play_batches(game, path.on_processor(), requests, tallies);
        }
        return path;
    }
    if path == Path::Portable || playouts < FEWEST {
        for (PlayoutRequest { from, player, batch }, tally) in requests.iter().zip(tallies) {
            *tally = one_by_one(game, path, from, *player, *batch);
        }
    } else if let ([PlayoutRequest { from, player, batch }], [tally]) = (requests, &mut *tallies) {
        let mut work = FromOne::new(game, from, *player, *batch);
        play(path, game.playable(), &mut work);
        *tally = work.tally();
    } else {
        tallies.fill(Tally::default());
        play(path, game.playable(), &mut FromMany::new(game, requests, tallies));
    }
    path
}

/// Plays a batch one game after the other. With AVX-512 a game uses the lanes of one register.
fn one_by_one(game: &Othello, path: Path, from: &Position, player: Player, batch: Batch) -> Tally {
    #[cfg(target_arch = "x86_64")]
    if path == Path::Avx512 {
        assert!(path.is_available(), "this processor has no {path}");
        let mut tally = Tally::default();
        for index in batch.first..batch.first + batch.count {
            let discs = (from.mine, from.theirs);
            let mut draws = batch.key.playout(index);
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the processor has every feature that the function is compiled for, as was just seen.
            let (mine, theirs, plies) = unsafe { avx512::play_one(game.playable(), discs, &mut draws) };
            let payoff = game.payoff_of(mine, theirs);
            tally.record(if player == from.to_move { payoff } else { -payoff }, plies);
        }
        return tally;
    }
    let _ = path;
    run_playouts(game, &Uniform, from, player, batch)
}

/// A part of a ply in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LanePart {
    /// Finding the moves, and the runs that they turn over.
    Moves,
    /// The draws, and the moves of their ranks.
    Choice,
    /// Making the chosen moves.
    Flips,
}

/// Runs a part, for timing, once for each of a number of plies, on these boards: the discs of the player to move and of
/// the other.
///
/// # Panics
/// If this processor does not have the path's instructions, and for the portable path, which has no lanes.
pub(super) fn run_part(path: Path, part: LanePart, playable: u64, boards: &[(u64, u64)], plies: usize) {
    assert!(path.is_available(), "this processor has no {path}");
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
            unsafe {
                avx2::run_part(part, playable, boards, plies);
            }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
            unsafe {
                avx512::run_part(part, playable, boards, plies);
            }
        }
        _ => unreachable!("the portable path has no lanes"),
    }
}

/// The number of lines of two plies from a position that has moves.
#[inline(always)]
pub(super) fn lines_of_two_plies(game: &Othello, position: &Position, finished: FinishedGames) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if Path::Avx512.is_available() {
        let playable = game.playable();
        let mut stuck = 0;
        let discs = (position.mine, position.theirs);
        let count_stuck = |mine, theirs| {
            // A pass is a line, and so is a finished game if it counts.
            let is_over = legal_moves_among(playable, theirs, mine) == 0;
            stuck += u64::from(!is_over || finished == FinishedGames::Count);
        };
        #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
        // SAFETY: the processor has every feature that the function is compiled for, as was just seen.
        let count = unsafe { avx512::moves_behind(playable, discs, position.moves, count_stuck) };
        return count + stuck;
    }
    plain_lines_of_two_plies(game, position, finished)
}

/// Plays all the work in the lanes of a path.
///
/// # Panics
/// If this processor does not have the path's instructions, and for the portable path, which has no lanes.
fn play<W: Work>(path: Path, playable: u64, work: &mut W) {
    assert!(path.is_available(), "this processor has no {path}");
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
            unsafe {
                avx2::play(playable, work);
            }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
            unsafe {
                avx512::play(playable, work);
            }
        }
        _ => unreachable!("the portable path has no lanes"),
    }
}
