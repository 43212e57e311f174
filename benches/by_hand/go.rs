//! Handwritten games on boards of more than 64 cells: capture Go, Amazons and Yavalath.

use std::sync::LazyLock;

use super::{column, last_wins, nth_cell};
use shikou::rng::PlayoutRng;

/// Capture Go on 9×9: AtariGo, in which a capture wins, or NoGo, in which it is illegal. Without a legal move the player loses.
#[inline(always)]
fn capture_go<const IS_ATARI: bool>(draws: &mut PlayoutRng) -> (i32, u32) {
    const ALL: u128 = (1 << 81) - 1;
    const NOT_LEFT: u128 = ALL & !column(9, 9, 0);
    const NOT_RIGHT: u128 = ALL & !column(9, 9, 8);

    #[inline(always)]
    fn beside(cells: u128) -> u128 {
        (cells & NOT_LEFT) >> 1 | (cells & NOT_RIGHT) << 1 | cells << 9 | cells >> 9
    }

    /// The group of a stone if it has one liberty.
    #[inline(always)]
    fn endangered(stone: u128, stones: u128, free: u128) -> Option<u128> {
        let mut group = stone;
        loop {
            let around = beside(group);
            let liberties = around & free;
            if liberties & liberties.wrapping_sub(1) != 0 {
                return None;
            }
            let grown = group | around & stones;
            if grown == group {
                return Some(group);
            }
            group = grown;
        }
    }

    // Stones of groups with two or more liberties are safe.
    let (mut mine, mut theirs, mut safe, mut plies) = (0_u128, 0_u128, 0_u128, 0);
    loop {
        let free = ALL & !(mine | theirs);
        let breathing = beside(free | mine & safe);
        let captures = beside(theirs & !safe);
        let legal = if IS_ATARI { free & (breathing | captures) } else { free & breathing & !captures };
        if legal == 0 {
            return last_wins(plies);
        }
        let stone = 1 << nth_cell(legal, draws.below(legal.count_ones()));
        mine |= stone;
        plies += 1;
        let free = free & !stone;
        let mut touched = beside(stone) & theirs;
        if touched & !safe != 0 {
            return last_wins(plies);
        }
        while touched != 0 {
            if let Some(group) = endangered(touched & touched.wrapping_neg(), theirs, free) {
                safe &= !group;
            }
            touched &= touched - 1;
        }
        if let Some(group) = endangered(stone, mine, free) {
            safe &= !group;
        } else {
            // The groups that were in danger and are joined now.
            let (in_danger, mut group) = (mine & !safe, stone);
            loop {
                let grown = group | beside(group) & in_danger;
                if grown == group {
                    break;
                }
                group = grown;
            }
            safe |= group;
        }
        (mine, theirs) = (theirs, mine);
    }
}

#[inline(always)]
pub(crate) fn atari_go(draws: &mut PlayoutRng) -> (i32, u32) {
    capture_go::<true>(draws)
}

#[inline(always)]
pub(crate) fn no_go(draws: &mut PlayoutRng) -> (i32, u32) {
    capture_go::<false>(draws)
}

/// Amazons on 10×10, a move and its arrow as two turns.
#[inline(always)]
pub(crate) fn amazons(draws: &mut PlayoutRng) -> (i32, u32) {
    const ALL: u128 = (1 << 100) - 1;
    const NOT_LEFT: u128 = ALL & !column(10, 10, 0);
    const NOT_RIGHT: u128 = ALL & !column(10, 10, 9);
    const FIRST: u128 = 1 << 3 | 1 << 6 | 1 << 30 | 1 << 39;
    const SECOND: u128 = 1 << 60 | 1 << 69 | 1 << 93 | 1 << 96;
    /// Towards higher cells, then towards lower ones: rows down, columns to the right.
    const DIRECTIONS: [(i32, i32); 8] =
        [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    static RAYS: LazyLock<Vec<[u128; 8]>> = LazyLock::new(|| {
        let ray = |cell: i32, (down, right): (i32, i32)| {
            let cells = (1..10).map(|steps| (cell / 10 + steps * down, cell % 10 + steps * right));
            let inside = cells.filter(|(row, column)| (0..10).contains(row) && (0..10).contains(column));
            inside.fold(0, |mask, (row, column)| mask | 1_u128 << (10 * row + column))
        };
        (0..100).map(|cell| DIRECTIONS.map(|direction| ray(cell, direction))).collect()
    });

    #[inline(always)]
    fn reach(rays: &[[u128; 8]], from: u32, occupied: u128) -> u128 {
        let rays = &rays[from as usize];
        let mut cells = 0;
        for ray in &rays[..4] {
            let blockers = ray & occupied;
            cells |= ray & (blockers ^ blockers.wrapping_sub(1));
        }
        for ray in &rays[4..] {
            let blockers = ray & occupied | 1;
            cells |= ray & u128::MAX << blockers.ilog2();
        }
        cells & !occupied
    }

    let rays = &RAYS[..];
    let (mut mine, mut theirs, mut occupied, mut plies) = (FIRST, SECOND, FIRST | SECOND, 0);
    loop {
        let wide = mine | (mine & NOT_LEFT) >> 1 | (mine & NOT_RIGHT) << 1;
        if (wide | wide << 10 | wide >> 10) & ALL & !occupied == 0 {
            return (if plies % 4 == 0 { -1 } else { 1 }, plies);
        }
        let (mut reached, mut left, mut sum) = ([(0, 0_u128); 4], mine, 0);
        for slot in &mut reached {
            let from = left.trailing_zeros();
            left &= left - 1;
            *slot = (from, reach(rays, from, occupied));
            sum += slot.1.count_ones();
        }
        let (mut rank, mut queen) = (draws.below(sum), 0);
        while rank >= reached[queen].1.count_ones() {
            rank -= reached[queen].1.count_ones();
            queen += 1;
        }
        let (from, cells) = reached[queen];
        let to = nth_cell(cells, rank);
        mine ^= 1 << from | 1 << to;
        occupied ^= 1 << from | 1 << to;
        let shots = reach(rays, to, occupied);
        occupied |= 1 << nth_cell(shots, draws.below(shots.count_ones()));
        plies += 2;
        (mine, theirs) = (theirs, mine);
    }
}

/// Yavalath with 5 cells a side, in rows of nine cells, each of which lies half a cell to the left of the row above.
#[inline(always)]
pub(crate) fn yavalath(draws: &mut PlayoutRng) -> (i32, u32) {
    const fn is_cell(row: u32, column: u32) -> bool {
        row < 9 && column < 9 && row + column >= 4 && row + column <= 12
    }
    /// The cells with a cell so many rows down and columns to the right.
    const fn with_next(down: u32, right: i32) -> u128 {
        let (mut mask, mut cell) = (0, 0);
        while cell < 81 {
            let (row, column) = (cell / 9, cell % 9);
            if is_cell(row, column) && is_cell(row + down, column.wrapping_add_signed(right)) {
                mask |= 1 << cell;
            }
            cell += 1;
        }
        mask
    }
    const CELLS: u128 = with_next(0, 0);
    const LINES: [(u32, u128); 3] = [(1, with_next(0, 1)), (9, with_next(1, 0)), (8, with_next(1, -1))];

    let (mut mine, mut theirs, mut free, mut plies) = (0_u128, 0_u128, CELLS, 0);
    while free != 0 {
        let stone = 1 << nth_cell(free, draws.below(61 - plies));
        mine |= stone;
        free ^= stone;
        plies += 1;
        let (mut threes, mut fours) = (0, 0);
        for (step, with_next) in LINES {
            let two = mine & with_next & mine >> step;
            let three = two & two >> step;
            threes |= three;
            fours |= three & three >> step;
        }
        if threes != 0 {
            let (payoff, _) = last_wins(plies);
            return (if fours != 0 { payoff } else { -payoff }, plies);
        }
        (mine, theirs) = (theirs, mine);
    }
    (0, plies)
}
