//! Handwritten games on boards, each on one board whose size is a constant.

use super::{last_wins, nth_cell, pick};
use shikou::game::nth_set_bit;
use shikou::rng::PlayoutRng;

/// The cells of a board of 8 columns but for the left column, and but for the right one.
const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_RIGHT: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Breakthrough on 8×8.
#[inline(always)]
pub(crate) fn breakthrough(draws: &mut PlayoutRng) -> (i32, u32) {
    let (mut pieces, mut mover, mut plies) = ([0xffff_u64, 0xffff << 48], 0, 0);
    loop {
        let (mine, theirs) = (pieces[mover], pieces[1 - mover]);
        let free = !(mine | theirs);
        let [left, straight, right] = if mover == 0 {
            [(!mine << 1 & NOT_LEFT) >> 8, free >> 8, (!mine >> 1 & NOT_RIGHT) >> 8]
        } else {
            [(!mine << 1 & NOT_LEFT) << 8, free << 8, (!mine >> 1 & NOT_RIGHT) << 8]
        };
        let movers = [mine & left, mine & straight, mine & right];
        let (step, from) = pick(movers, draws);
        let ahead = [[7, 8, 9], [-9, -8, -7]][mover][step];
        let to = 1_u64 << (from as i8 + ahead);
        pieces[mover] = mine & !(1 << from) | to;
        pieces[1 - mover] &= !to;
        plies += 1;
        let end = [0xff << 56, 0xff][mover];
        if to & end != 0 || pieces[1 - mover] == 0 {
            return last_wins(plies);
        }
        mover = 1 - mover;
    }
}

/// Clobber on 5×6.
#[inline(always)]
pub(crate) fn clobber(draws: &mut PlayoutRng) -> (i32, u32) {
    const COLUMNS: u32 = 6;
    const ALL: u64 = (1 << 30) - 1;
    const FIRST_COLUMN: u64 = 0b1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24;
    const FIRST: u64 = 0b01_0101 | 0b10_1010 << 6 | 0b01_0101 << 12 | 0b10_1010 << 18 | 0b01_0101 << 24;
    let (mut mine, mut theirs, mut plies) = (FIRST, ALL & !FIRST, 0);
    loop {
        let right = mine & (theirs & !FIRST_COLUMN) >> 1;
        let left = mine & (theirs & !(FIRST_COLUMN << 5)) << 1;
        let takers = [right, left, mine & theirs >> COLUMNS, mine & theirs << COLUMNS];
        if takers == [0; 4] {
            return last_wins(plies);
        }
        let (direction, from) = pick(takers, draws);
        let to = 1_u64 << (from as i8 + [1, -1, 6, -6][direction]);
        (mine, theirs) = (theirs & !to, mine & !(1 << from) | to);
        plies += 1;
    }
}

/// Domineering on 8×8.
#[inline(always)]
pub(crate) fn domineering(draws: &mut PlayoutRng) -> (i32, u32) {
    let (mut free, mut plies) = (u64::MAX, 0);
    loop {
        let (other, cells) =
            if plies % 2 == 0 { (8, free & free >> 8) } else { (1, free & (free & NOT_LEFT) >> 1) };
        if cells == 0 {
            return last_wins(plies);
        }
        let cell = nth_set_bit(cells, draws.below(cells.count_ones())).expect("there is a move");
        free &= !((1 | 1 << other) << cell);
        plies += 1;
    }
}

/// Hex with side 11, by groups of stones: whoever's edges are in one group has won.
#[inline(always)]
pub(crate) fn hex(draws: &mut PlayoutRng) -> (i32, u32) {
    const SIDE: usize = 11;
    const CELLS: usize = SIDE * SIDE;
    fn root(groups: &mut [u8; CELLS + 4], mut at: u8) -> u8 {
        while groups[at as usize] != at {
            groups[at as usize] = groups[groups[at as usize] as usize];
            at = groups[at as usize];
        }
        at
    }
    let mut groups: [u8; CELLS + 4] = std::array::from_fn(|cell| cell as u8);
    let mut free = (1_u128 << CELLS) - 1;
    let (mut stones, mut plies) = ([0_u128; 2], 0);
    loop {
        let mover = plies % 2;
        let cell = nth_cell(free, draws.below(free.count_ones())) as u8;
        free &= !(1 << cell);
        stones[mover] |= 1 << cell;
        plies += 1;
        let (row, column) = (usize::from(cell) / SIDE, usize::from(cell) % SIDE);
        let join = |groups: &mut _, other: usize| {
            let (one, other) = (root(groups, cell), root(groups, other as u8));
            groups[one as usize] = other;
        };
        for (down, right) in [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)] {
            let (r, c) = (row as isize + down, column as isize + right);
            if r < 0 || c < 0 || r >= SIDE as isize || c >= SIDE as isize {
                continue;
            }
            let beside = r as usize * SIDE + c as usize;
            if stones[mover] >> beside & 1 == 1 {
                join(&mut groups, beside);
            }
        }
        let along = if mover == 0 { row } else { column };
        let edges = CELLS + 2 * mover;
        if along == 0 {
            join(&mut groups, edges);
        }
        if along == SIDE - 1 {
            join(&mut groups, edges + 1);
        }
        if root(&mut groups, edges as u8) == root(&mut groups, edges as u8 + 1) {
            return last_wins(plies as u32);
        }
    }
}

/// Connect Four: rows of eight places, of which the last stays empty.
#[inline(always)]
pub(crate) fn connect_four(draws: &mut PlayoutRng) -> (i32, u32) {
    let (mut mine, mut theirs, mut open, mut plies) = (0_u64, 0_u64, 0x7f_u64 << 40, 0);
    while open != 0 {
        let place = nth_set_bit(open, draws.below(open.count_ones())).expect("a column is open");
        mine |= 1 << place;
        open ^= 1 << place;
        plies += 1;
        let has_four = [1, 7, 8, 9].into_iter().any(|step| {
            let two = mine & mine >> step;
            two & two >> (2 * step) != 0
        });
        if has_four {
            return last_wins(plies);
        }
        open |= 1_u64 << place >> 8;
        (mine, theirs) = (theirs, mine);
    }
    (0, plies)
}

/// Gomoku on 15×15, with a byte for each place of a board that is wider by one column of empty places.
#[inline(always)]
pub(crate) fn gomoku(draws: &mut PlayoutRng) -> (i32, u32) {
    let (mut stones, mut free, mut plies) = ([0_u8; 256], [0x7fff_7fff_7fff_7fff_u64; 4], 0);
    free[3] = 0x7fff_7fff_7fff;
    while plies < 225 {
        let (word, bit) = pick(free, draws);
        free[word] ^= 1 << bit;
        let place = (64 * word) as u8 + bit;
        let side = 1 + (plies % 2) as u8;
        stones[usize::from(place)] = side;
        plies += 1;
        let has_five = [1_u8, 16, 17, 15].into_iter().any(|step| {
            let run = |step: u8| {
                let (mut at, mut length) = (place.wrapping_add(step), 0);
                while length < 5 && stones[usize::from(at)] == side {
                    (at, length) = (at.wrapping_add(step), length + 1);
                }
                length
            };
            run(step) + run(step.wrapping_neg()) >= 4
        });
        if has_five {
            return last_wins(plies);
        }
    }
    (0, plies)
}

/// Kalah with 6 pits of 4 seeds: the pits and the store of the player to move, then those of the other.
#[inline(always)]
pub(crate) fn kalah(draws: &mut PlayoutRng) -> (i32, u32) {
    let mut board = [[4_u8, 4, 4, 4, 4, 4, 0]; 2];
    let (mut mover, mut plies) = (0, 0);
    loop {
        let full = (0..6).fold(0_u64, |mask, pit| mask | u64::from(board[mover][pit] > 0) << pit);
        let other_full = board[1 - mover][..6].iter().any(|&seeds| seeds > 0);
        if full == 0 || !other_full {
            let of = |side: usize| board[side].iter().map(|&seeds| i32::from(seeds)).sum::<i32>();
            return ((of(0) - of(1)).signum(), plies);
        }
        let mut pit = usize::from(nth_set_bit(full, draws.below(full.count_ones())).expect("a full pit"));
        let mut side = mover;
        let mut seeds = std::mem::take(&mut board[mover][pit]);
        while seeds > 0 {
            pit += 1;
            if pit == 7 || (pit == 6 && side != mover) {
                (side, pit) = (1 - side, 0);
            }
            board[side][pit] += 1;
            seeds -= 1;
        }
        if side == mover && pit < 6 && board[side][pit] == 1 {
            board[mover][6] += 1 + std::mem::take(&mut board[1 - mover][5 - pit]);
            board[mover][pit] = 0;
        }
        plies += 1;
        if !(side == mover && pit == 6) {
            mover = 1 - mover;
        }
    }
}

/// Pig to 100. A roll is two plies: the decision, and the die.
#[inline(always)]
pub(crate) fn pig(draws: &mut PlayoutRng) -> (i32, u32) {
    let (mut scores, mut total, mut mover, mut plies) = ([0_u32; 2], 0, 0, 0);
    loop {
        let holds = draws.below(if total > 0 { 2 } else { 1 }) == 1;
        plies += 1;
        if holds {
            scores[mover] += total;
            if scores[mover] >= 100 {
                return (if mover == 0 { 1 } else { -1 }, plies);
            }
        } else {
            let side = draws.below(6) + 1;
            plies += 1;
            if side > 1 {
                total = (total + side).min(100);
                continue;
            }
        }
        (total, mover) = (0, 1 - mover);
    }
}
