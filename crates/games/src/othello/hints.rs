//! The hints of Othello for search: move order, bounds on the payoff, exact ends.

use super::board::legal_moves_among;
use super::stability::{EDGES, Edges, most_discs, stable};
use super::tail::{Board, MOST_EMPTY, MOST_EMPTY_AT_THE_END, Search};
use super::vector;
use super::{Empties, Move, Othello, Position, Reward};
use crate::game::{SearchHints, SimdLevel, Solved, Window};

pub(super) struct Hints;

impl SearchHints<Othello> for Hints {
    /// The rank for players: regions and squares count only after few empty squares next to the player's discs, which are
    /// potential moves of the opponent.
    #[inline(always)]
    fn order(&self, game: &Othello, _position: &Position, mv: Move, child: &Position) -> i32 {
        let rank = rank(game, mv, child);
        if mv == Move::PASS || child.mine == 0 {
            return rank;
        }
        let empty = game.playable() & !(child.mine | child.theirs);
        rank - (weigh(empty & around(child.theirs), Weighed::new(game).corners) << 5)
    }

    #[inline(always)]
    fn each_child(&self, game: &Othello, position: &Position, found: &mut impl FnMut(Move, Position, i32)) {
        if position.moves == 0 {
            let child = game.position(position.theirs, position.mine, position.to_move.other());
            return found(Move::PASS, child, rank(game, Move::PASS, &child));
        }
        vector::each_child(game, position, |square, child| {
            found(Move::on(square), child, rank(game, Move::on(square), &child));
        });
    }

    /// The empty squares.
    #[inline(always)]
    fn plies_left(&self, game: &Othello, position: &Position) -> Option<u32> {
        Some((game.playable() & !(position.mine | position.theirs)).count_ones())
    }

    /// The prospects of the player to move: more moves than the opponent, and more discs that never turn over. Corners count
    /// twice in both. The lanes of AVX-512 have the same function.
    #[inline(always)]
    fn estimate(&self, game: &Othello, position: &Position) -> Option<i32> {
        let Position { mine, theirs, moves, .. } = *position;
        let empty = game.playable() & !(mine | theirs);
        let Weighed { corners, .. } = Weighed::new(game);
        let freedom = weigh(moves, corners) - weigh(legal_moves_among(empty, theirs, mine), corners);
        let safe = |discs: u64| weigh(stable(discs, empty, game.size()), corners);
        Some(2 * freedom + safe(mine) - safe(theirs))
    }

    #[inline(always)]
    fn best_estimates(
        &self,
        game: &Othello,
        positions: impl Iterator<Item = Position>,
        found: &mut impl FnMut(i32),
    ) {
        vector::best_estimates(game, positions, found);
    }

    /// Bounds on the payoff by the opponent's stable discs, if they can settle the window.
    #[inline(always)]
    fn payoff_bounds(&self, game: &Othello, position: &Position, window: Window) -> Option<(i32, i32)> {
        let (alpha, _) = in_discs(game, window);
        let empty = game.playable() & !(position.mine | position.theirs);
        let high = most_discs(position.theirs, empty, game.size(), alpha)?;
        Some(match game.reward() {
            Reward::Success => (-1, high.signum()),
            Reward::Score => (-i32::from(game.size()).pow(2), high),
        })
    }

    /// The payoff, if few squares are empty: moves are ordered by replies for the solver, not for players.
    #[inline(always)]
    fn solve_tail(
        &self,
        game: &Othello,
        position: &Position,
        window: Window,
        counted: bool,
    ) -> Option<Solved> {
        let Position { mine, theirs, .. } = *position;
        let empty = game.playable() & !(mine | theirs);
        if empty.count_ones() > if counted { MOST_EMPTY } else { MOST_EMPTY_AT_THE_END } {
            return None;
        }
        // The owner of the empty squares does not change the outcome.
        let rule = if game.reward() == Reward::Success { Empties::Nobody } else { game.empties() };
        let (board, (alpha, beta)) = (Board { mine, theirs, empty }, in_discs(game, window));
        let size = game.size();
        #[cfg(target_arch = "x86_64")]
        let wide = vector::Wide::detect()
            .map(|wide| Search::new(wide, rule, size, !counted).run(board, alpha, beta));
        #[cfg(not(target_arch = "x86_64"))]
        let wide = None;
        let plain = || Search::new(SimdLevel::detect(), rule, size, !counted).run(board, alpha, beta);
        let (value, nodes) = wide.unwrap_or_else(plain);
        let payoff = if game.reward() == Reward::Success { value.signum() } else { value };
        Some(Solved { payoff, nodes })
    }
}

/// The four corners of each size.
const CORNERS: [u64; 3] = [corners(4), corners(6), corners(8)];

const fn corners(size: u32) -> u64 {
    let top = 1 | 1 << (size - 1);
    top | top << (8 * (size - 1))
}

/// The neighbours of squares, and these squares.
#[inline(always)]
pub(super) const fn around(squares: u64) -> u64 {
    let wide = squares | (squares << 1 & 0xfefe_fefe_fefe_fefe) | (squares >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    wide | wide << 8 | wide >> 8
}

/// The rank of a move for ordering, by the position after it.
///
/// Fastest first: a move that leaves the opponent few moves has a small tree and is often good. Ties are broken, in
/// this order, by stable discs of the player in and beside corners; by a region with an odd number of empty squares, in
/// which the player moves last; and by the square.
#[inline(always)]
pub(super) fn rank(game: &Othello, mv: Move, child: &Position) -> i32 {
    /// Places by the distances of row and file from the nearest edge.
    const PLACES: [[i32; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let Some(square) = mv.square() else { return 0 };
    if child.mine == 0 {
        return WIPED_OUT;
    }
    let Weighed { corners, .. } = Weighed::new(game);
    let mobility = weigh(child.moves(), corners);
    let held = child.theirs & corners;
    let beside = (held << 1 | held >> 1 | held << 8 | held >> 8) & child.theirs;
    let stable = (held.count_ones() + beside.count_ones()) as i32;
    let quadrant = 0x0f0f_0f0f_u64 << (square & 0b10_0100);
    let empty = game.playable() & !(child.mine | child.theirs);
    let odd = ((empty | 1 << square) & quadrant).count_ones() as i32 % 2;
    let edge = |place: u8| usize::from(place.min(game.size() - 1 - place)) & 3;
    let place = PLACES[edge(square >> 3)][edge(square & 7)];
    -(mobility << 15) + (stable << 11) + (odd << 3) + place
}

/// The rank of a move that leaves the opponent no disc.
const WIPED_OUT: i32 = 1 << 22;

/// The number of squares, with corners counted twice.
#[inline(always)]
fn weigh(squares: u64, corners: u64) -> i32 {
    (squares.count_ones() + (squares & corners).count_ones()) as i32
}

/// The facts of a board's size that a estimate needs.
#[derive(Clone, Copy)]
pub(super) struct Weighed {
    /// The corners, which count twice.
    pub(super) corners: u64,
    pub(super) edges: Edges,
}

impl Weighed {
    #[inline(always)]
    pub(super) fn new(game: &Othello) -> Self {
        let size = usize::from(game.size() / 2 - 2);
        Self { corners: CORNERS[size], edges: EDGES[size] }
    }
}

/// Converts a window of payoffs to disc differences: the largest difference with a payoff of at most `alpha`, and the
/// smallest with a payoff of at least `beta`.
#[inline(always)]
fn in_discs(game: &Othello, Window { alpha, beta }: Window) -> (i32, i32) {
    match game.reward() {
        Reward::Score => (alpha.max(-65), beta.min(65)),
        Reward::Success => {
            let most = match alpha {
                ..-1 => -65,
                -1 => -1,
                0 => 0,
                1.. => 65,
            };
            let least = match beta {
                ..0 => -65,
                0 => 0,
                1 => 1,
                2.. => 66,
            };
            (most, least)
        }
    }
}
