//! Uniform playouts of many games at a time, one game per lane of a vector register.
//!
//! The key decision: every lane plays exactly as in the plain loop, draw for draw, so that a result does not depend on the
//! processor; the path affects only the speed. All lanes swap sides at every ply. A pass is a ply without flips, and
//! finished games pass until the others are over. Rejected: refilling a lane when its game is over, which costs as much
//! in mispredicted branches as the idle lanes.
//!
//! With AVX-512 single boards have lanes too: a game alone has a direction in each lane, the replies to all moves of
//! a position are found together, and so are the moves and the flips of a board in the solver's last squares (`tail`).
//!
//! The instructions are written by hand and chosen at run time, because the plain loop becomes slower if it is compiled
//! for AVX-512. `docs/performance.md` has a drawing of the design and the figures.

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

use arrayvec::ArrayVec;

use super::board::flips;
use super::hints::Weighed;
#[cfg(target_arch = "x86_64")]
use super::tail::{Board, Instructions, Search};
use super::{Othello, Position};
use crate::game::{
    Batch, Batches, Bits, Path, Player, PlayoutRequest, Tally, Uniform, plain_best_estimate, run_playouts,
};
use work::{FromMany, FromOne, Work};

/// The fewest playouts for which lanes are faster than games one by one.
const FEWEST: u64 = 4;

/// Plays batches on a path that this machine has: for each request, in its place, the tally of the plain loop. Panics if this
/// machine does not have the path, or the GPU fails.
pub(super) fn play_batches(game: &Othello, path: Path, batches: Batches<'_, Position>) -> Path {
    let Batches { requests, tallies } = batches;
    let playouts: u64 = requests.iter().map(|request| request.batch.count).sum();
    if path == Path::Cuda {
        if playouts >= gpu::FEWEST {
            gpu::play_batches(game, requests, tallies).unwrap_or_else(|error| panic!("{error}"));
        } else {
            play_batches(game, path.on_processor(), Batches { requests, tallies });
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
        let (playable, mut tally) = (game.playable(), Tally::default());
        for index in batch.first..batch.first + batch.count {
            let (discs, draws) = ((from.mine, from.theirs), &mut batch.key.playout(index));
            let (mine, theirs, plies) = call_on!(Avx512, avx512::play_one(playable, discs, draws));
            let payoff = game.payoff_of(mine, theirs);
            tally.record(if player == from.to_move { payoff } else { -payoff }, plies);
        }
        return tally;
    }
    let _ = path;
    run_playouts(game, &Uniform, from, player, batch)
}

/// The instructions of AVX-512, for one board at a time.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Wide(());

#[cfg(target_arch = "x86_64")]
impl Wide {
    #[inline(always)]
    pub(super) fn detect() -> Option<Self> {
        Path::Avx512.is_available().then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Instructions for Wide {
    #[inline(always)]
    fn flips(self, mine: u64, theirs: u64, square: u8) -> u64 {
        #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
        // SAFETY: the processor has every feature that the function is compiled for; `detect` found them.
        unsafe {
            avx512::flips(mine, theirs, square)
        }
    }

    #[inline(always)]
    fn moves(self, mine: u64, theirs: u64) -> u64 {
        #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
        // SAFETY: as above.
        unsafe {
            avx512::moves_of(mine, theirs)
        }
    }

    #[inline(always)]
    fn search(search: &mut Search<Self>, board: Board, alpha: i32, beta: i32) -> i32 {
        let Board { mine, theirs, empty } = board;
        #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
        // SAFETY: as above; the search has the instructions.
        unsafe {
            avx512::search_tail(search, mine, theirs, empty, alpha, beta)
        }
    }
}

/// The moves of a position that are made at a time, with the positions after them.
pub(super) const MOST_MADE: usize = 16;

/// The positions after moves of a position, one a lane. Aligned so that no register crosses a cache line.
#[repr(align(64))]
struct Made {
    /// The discs of the player to move after the move.
    mine: [u64; MOST_MADE],
    theirs: [u64; MOST_MADE],
    /// The legal squares after the move.
    moves: [u64; MOST_MADE],
}

/// Shows each square on which the player to move can put a disc to `found`, with the position after the move.
#[inline(always)]
pub(super) fn each_child(game: &Othello, position: &Position, mut found: impl FnMut(u8, Position)) {
    let Position { mine, theirs, moves, to_move, .. } = *position;
    #[cfg(target_arch = "x86_64")]
    if Path::Avx512.is_available() {
        let mut squares = Bits::new(moves);
        while squares.len() > 0 {
            let count = squares.len().min(MOST_MADE);
            let mut chosen = [0; MOST_MADE];
            for chosen in &mut chosen[..count] {
                *chosen = 1 << squares.next().expect("as many as were counted");
            }
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the processor has every feature that the function is compiled for, as was just seen.
            let made = unsafe { avx512::make(game.playable(), (mine, theirs), chosen) };
            for (lane, chosen) in chosen[..count].iter().enumerate() {
                let (mine, theirs, moves) = (made.mine[lane], made.theirs[lane], made.moves[lane]);
                let child = game.position_with_moves(mine, theirs, moves, to_move.other());
                found(chosen.trailing_zeros() as u8, child);
            }
        }
        return;
    }
    for square in Bits::new(moves) {
        let turned = flips(mine, theirs, square);
        let child = game.position(theirs & !turned, mine | turned | 1 << square, to_move.other());
        found(square, child);
    }
}

/// Replies, one a lane, with the discs before them. Aligned so that no register crosses a cache line.
#[repr(align(64))]
struct Replies {
    mine: [u64; MOST_MADE],
    theirs: [u64; MOST_MADE],
    /// The squares; none for a pass.
    chosen: [u64; MOST_MADE],
}

/// Shows how promising each of these unfinished positions is after its best move.
#[inline(always)]
pub(super) fn best_estimates(
    game: &Othello,
    positions: impl Iterator<Item = Position>,
    found: &mut impl FnMut(i32),
) {
    #[cfg(target_arch = "x86_64")]
    if Path::Avx512.is_available() {
        const EMPTY: [u64; MOST_MADE] = [0; MOST_MADE];
        let mut replies = Replies { mine: EMPTY, theirs: EMPTY, chosen: EMPTY };
        let weighed = Weighed::new(game);
        let mut used = 0;
        // For each position in the used lanes, the number of its replies there, and whether these are its last.
        let mut counts = ArrayVec::<_, MOST_MADE>::new();
        let mut best = i64::MIN;
        let mut flush = |replies: &Replies, counts: &mut ArrayVec<(usize, bool), MOST_MADE>| {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the processor has every feature that the function is compiled for, as was just seen.
            let values = unsafe { avx512::estimates(game.playable(), weighed, replies) };
            let mut values = values.iter();
            for (count, is_whole) in counts.drain(..) {
                for value in values.by_ref().take(count) {
                    best = best.max(value.cast_signed());
                }
                if is_whole {
                    found(best as i32);
                    best = i64::MIN;
                }
            }
        };
        for position in positions {
            let mut squares = Bits::new(position.moves);
            let mut left = squares.len().max(1);
            while left > 0 {
                let count = left.min(MOST_MADE - used);
                for lane in used..used + count {
                    replies.mine[lane] = position.mine;
                    replies.theirs[lane] = position.theirs;
                    replies.chosen[lane] = squares.next().map_or(0, |square| 1 << square);
                }
                (used, left) = (used + count, left - count);
                counts.push((count, left == 0));
                if used == MOST_MADE {
                    flush(&replies, &mut counts);
                    used = 0;
                }
            }
        }
        if used > 0 {
            flush(&replies, &mut counts);
        }
        return;
    }
    positions.for_each(|position| found(plain_best_estimate(game, &position).expect("estimates are known")));
}

/// Plays all the work in the lanes of a path. Panics if this processor does not have the path's instructions, and for the
/// portable path, which has no lanes.
fn play<W: Work>(path: Path, playable: u64, work: &mut W) {
    match path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => call_on!(Avx2, avx2::play(playable, work)),
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => call_on!(Avx512, avx512::play(playable, work)),
        _ => unreachable!("the portable path has no lanes"),
    }
}
