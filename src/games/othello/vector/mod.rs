//! Uniform playouts of many games at a time, one game in each lane of a vector register.
//!
//! The key decision: every lane plays exactly the game that the plain loop would play, draw for draw, so that a
//! result does not depend on the processor. A path decides how fast the same games are played, and nothing else.
//! All lanes swap sides at every ply; a pass is a ply without flips, and a game that is over is a game in which
//! both pass, until the others are over too. Rejected: refilling a lane when its game is over, which costs as much
//! in mispredicted branches as the idle lanes do.
//!
//! The instructions are written out, and chosen at run time: compiled for AVX-512, the plain loop is slower than
//! without. `docs/performance.md` draws the design and has the figures.
//!
//! | file | holds |
//! |---|---|
//! | `work` | playouts to be made: from one position, from many |
//! | `avx2`, `avx512` | four and eight games a register |
//! | `probe` | what tests ask of the lanes |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod tests;
mod work;

use super::board::legal_moves_among;
use super::{Othello, Position};
use crate::game::{
    Batch, FinishedGames, Path, Player, PlayoutRequest, Tally, Uniform, plain_lines_of_two_plies,
    run_playouts,
};
use work::{FromMany, FromOne, Work};

/// From so many playouts on lanes are faster than one game after the other.
const FEWEST: u64 = 4;

impl Othello {
    /// Plays a batch out uniformly on a named path: the tally of
    /// [`Game::uniform_playouts`](crate::game::Game), on every path. For tests and comparisons of speed.
    ///
    /// # Panics
    /// Where this processor does not have the path's instructions.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{Batch, Game, Player};
    /// use shikou::games::othello::{Othello, Path};
    /// use shikou::rng::PlayoutKey;
    /// let game = Othello::default();
    /// let batch = Batch::new(PlayoutKey::new(1), 100);
    /// let tally = |path| game.playouts_on(path, &game.start(), Player::FIRST, batch);
    /// assert_eq!(tally(Path::best()), tally(Path::Portable));
    /// ```
    pub fn playouts_on(&self, path: Path, from: &Position, player: Player, batch: Batch) -> Tally {
        assert!(path.is_available(), "this processor has no {path}");
        if path > Path::Portable && batch.count >= FEWEST {
            let mut work = FromOne::new(self, from, player, batch);
            play(path, self.playable(), &mut work);
            return work.tally();
        }
        #[cfg(target_arch = "x86_64")]
        if path == Path::Avx512 {
            return self.one_by_one(from, player, batch);
        }
        run_playouts(self, &Uniform, from, player, batch)
    }

    /// Plays many batches out uniformly on a named path: the tallies of
    /// [`Game::uniform_playouts_of_many`](crate::game::Game), on every path. For tests and comparisons of speed.
    ///
    /// # Panics
    /// Where this processor does not have the path's instructions, or there are not as many places for tallies as requests.
    pub fn playouts_of_many_on(
        &self,
        path: Path,
        requests: &[PlayoutRequest<Position>],
        tallies: &mut [Tally],
    ) {
        assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
        if path == Path::Portable || requests.iter().map(|request| request.batch.count).sum::<u64>() < FEWEST
        {
            for (request, tally) in requests.iter().zip(tallies) {
                *tally = self.playouts_on(path, &request.from, request.player, request.batch);
            }
        } else {
            tallies.fill(Tally::default());
            play(path, self.playable(), &mut FromMany::new(self, requests, tallies));
        }
    }

    /// Plays a batch out one game after the other, each in the lanes of one register.
    #[cfg(target_arch = "x86_64")]
    fn one_by_one(&self, from: &Position, player: Player, batch: Batch) -> Tally {
        assert!(Path::Avx512.is_available(), "this processor has no {}", Path::Avx512);
        let mut tally = Tally::default();
        for index in batch.first..batch.first + batch.count {
            let discs = (from.mine, from.theirs);
            let mut draws = batch.key.playout(index);
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the processor has every feature that the function is compiled for, as was just seen.
            let (mine, theirs, plies) = unsafe { avx512::play_one(self.playable(), discs, &mut draws) };
            let payoff = self.payoff_of(mine, theirs);
            tally.record(if player == from.to_move { payoff } else { -payoff }, plies);
        }
        tally
    }
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

/// Does a part once for each of so many plies, on boards such as these: the discs of the player to move and of the other.
/// To be timed.
///
/// # Panics
/// Where this processor does not have the path's instructions, and for the portable path, which has no lanes.
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

/// How many lines of two plies begin with the moves of a position, which has some.
#[inline(always)]
pub(super) fn lines_of_two_plies(game: &Othello, position: &Position, finished: FinishedGames) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if Path::Avx512.is_available() {
        let playable = game.playable();
        let mut stuck = 0;
        let discs = (position.mine, position.theirs);
        let count_stuck = |mine, theirs| {
            // A pass is a line, and so may be a finished game.
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
/// Where this processor does not have the path's instructions, and for the portable path, which has no lanes.
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
