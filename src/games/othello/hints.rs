//! What a search of Othello is told: which moves to try first, bounds on the end, and the end itself.

use super::stability::stable;
use super::tail::{MOST_EMPTY, Tail};
use super::{Empties, Move, Othello, Position, Reward};
use crate::game::{Machine, Solved, Window};

/// The four corners of each size.
const CORNERS: [u64; 3] = [corners(4), corners(6), corners(8)];

const fn corners(size: u32) -> u64 {
    let top = 1 | 1 << (size - 1);
    top | top << (8 * (size - 1))
}

/// How promising a move is, by the position behind it: fastest first. A move that leaves the opponent few moves
/// makes a small tree, and is often good. Corners count as some moves.
#[inline(always)]
pub(super) fn order(game: &Othello, mv: Move, child: &Position) -> i32 {
    let Some(square) = mv.square() else { return 0 };
    let corners = CORNERS[usize::from(game.size() / 2 - 2)];
    let replies = child.moves();
    // A corner that the opponent may take counts twice.
    let mobility = replies.count_ones() + (replies & corners).count_ones();
    let corner = i32::from(corners >> square & 1 == 1);
    4 * corner - 2 * mobility as i32
}

/// Bounds on the payoff by the opponent's stable discs, where they may settle the window.
#[inline(always)]
pub(super) fn bounds(game: &Othello, position: &Position, window: Window) -> Option<(i32, i32)> {
    let squares = i32::from(game.size()).pow(2);
    let (alpha, _) = in_discs(game, window);
    // However many of theirs are stable, the bound lies above this.
    if squares - 2 * position.theirs.count_ones() as i32 > alpha {
        return None;
    }
    let empty = game.playable() & !(position.mine | position.theirs);
    let stable = stable(position.theirs, empty, game.size()).count_ones() as i32;
    let high = squares - 2 * stable;
    Some(match game.reward() {
        Reward::Success => (-1, high.signum()),
        Reward::Score => (-squares, high),
    })
}

/// The payoff, where few squares are empty.
#[inline(always)]
pub(super) fn solve(game: &Othello, position: &Position, window: Window) -> Option<Solved> {
    let Position { mine, theirs, .. } = *position;
    let empty = game.playable() & !(mine | theirs);
    if empty.count_ones() > MOST_EMPTY {
        return None;
    }
    let (alpha, beta) = in_discs(game, window);
    let (mut nodes, machine, rule) = (0, Machine::detect(), game.empties());
    // Whoever gets the empty squares, the outcome is the same.
    let rule = if game.reward() == Reward::Success { Empties::Nobody } else { rule };
    let value = machine.run(Tail { mine, theirs, empty, alpha, beta, rule, nodes: &mut nodes, machine });
    let payoff = if game.reward() == Reward::Success { value.signum() } else { value };
    Some(Solved { payoff, nodes })
}

/// A window for payoffs as one for discs: the largest difference that is worth no more than `alpha`, and the
/// smallest that is worth at least `beta`.
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
