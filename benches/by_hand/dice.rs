//! Handwritten games with chance: EinStein würfelt nicht and 2048.

use std::sync::LazyLock;

use shikou::game::nth_set_bit;
use shikou::rng::PlayoutRng;

/// EinStein on 5×5, the pieces in order: a board of cells beside the places of the pieces. A turn is two plies, the die and the move.
#[inline(always)]
pub(crate) fn einstein(draws: &mut PlayoutRng) -> (i32, u32) {
    const NONE: u8 = 12;
    const ABSENT: u32 = 6;
    /// To the right, down, and both.
    const STEPS: [u8; 3] = [1, 5, 6];
    const CORNER: [u8; 6] = [0, 1, 2, 5, 6, 10];

    // Pieces 0 to 5 are those of the first player, 6 to 11 those of the second.
    let (mut board, mut places) = ([NONE; 25], [0_u8; 12]);
    for (piece, cell) in CORNER.into_iter().enumerate() {
        (places[piece], places[piece + 6]) = (cell, 24 - cell);
    }
    for (piece, cell) in (0..).zip(places) {
        board[usize::from(cell)] = piece;
    }
    let (mut alive, mut mover, mut plies) = ([0x3f_u32; 2], 0, 0);
    loop {
        let die = draws.below(6);
        let (below, above) = (alive[mover] & ((1 << die) - 1), alive[mover] >> die << die);
        let has_die = alive[mover] >> die & 1 == 1;
        let lower = if has_die || below == 0 { ABSENT } else { below.ilog2() };
        let higher = if above == 0 { ABSENT } else { above.trailing_zeros() };
        let steps = |piece: u32| {
            if piece == ABSENT {
                return 0;
            }
            let cell = places[6 * mover + piece as usize];
            let cell = if mover == 0 { cell } else { 24 - cell };
            let (right, down) = (u64::from(cell % 5 != 4), u64::from(cell < 20));
            right | down << 1 | (right & down) << 2
        };
        let (of_lower, of_higher) = (steps(lower), steps(higher));
        let rank = draws.below(of_lower.count_ones() + of_higher.count_ones());
        plies += 2;
        let (number, steps, rank) = if rank < of_lower.count_ones() {
            (lower, of_lower, rank)
        } else {
            (higher, of_higher, rank - of_lower.count_ones())
        };
        let step = STEPS[usize::from(nth_set_bit(steps, rank).expect("a piece has a step"))];
        let piece = 6 * mover + number as usize;
        let from = places[piece];
        let to = if mover == 0 { from + step } else { from - step };
        let taken = board[usize::from(to)];
        if taken != NONE {
            alive[usize::from(taken / 6)] &= !(1 << (taken % 6));
        }
        board[usize::from(from)] = NONE;
        board[usize::from(to)] = piece as u8;
        places[piece] = to;
        if to == [24, 0][mover] || alive[1 - mover] == 0 {
            return ([1, -1][mover], plies);
        }
        mover = 1 - mover;
    }
}

/// 2048 on 4×4, as its known programs do it: four bits a cell, tables of all rows slid to either side, and all four slides made.
#[inline(always)]
pub(crate) fn twenty_forty_eight(draws: &mut PlayoutRng) -> (i32, u32) {
    const CELLS: u64 = 0x1111_1111_1111_1111;
    const TARGET: u64 = 11 * CELLS;

    fn slide(row: u16) -> u16 {
        let (mut slid, mut places, mut waiting) = ([0_u16; 4], 0, 0);
        for tile in (0..4).map(|cell| row >> (4 * cell) & 15).filter(|&tile| tile > 0) {
            if tile == waiting && tile < 15 {
                slid[places - 1] += 1;
                waiting = 0;
            } else {
                slid[places] = tile;
                waiting = tile;
                places += 1;
            }
        }
        slid.into_iter().rev().fold(0, |row, tile| row << 4 | tile)
    }
    const fn reversed(row: u16) -> u16 {
        row >> 12 | row >> 4 & 0xf0 | row << 4 & 0xf00 | row << 12
    }
    static LEFT: LazyLock<Vec<u16>> = LazyLock::new(|| (0..=u16::MAX).map(slide).collect());
    static RIGHT: LazyLock<Vec<u16>> =
        LazyLock::new(|| (0..=u16::MAX).map(|row| reversed(slide(reversed(row)))).collect());

    #[inline(always)]
    fn slid(tiles: u64, rows: &[u16; 1 << 16]) -> u64 {
        let row = |row: u32| u64::from(rows[usize::from((tiles >> (16 * row)) as u16)]) << (16 * row);
        row(0) | row(1) | row(2) | row(3)
    }
    /// Rows become columns.
    #[inline(always)]
    const fn transposed(tiles: u64) -> u64 {
        let one = (tiles ^ tiles >> 12) & 0x0000_f0f0_0000_f0f0;
        let tiles = tiles ^ one ^ one << 12;
        let two = (tiles ^ tiles >> 24) & 0x0000_0000_ff00_ff00;
        tiles ^ two ^ two << 24
    }
    #[inline(always)]
    const fn free(tiles: u64) -> u64 {
        !(tiles | tiles >> 1 | tiles >> 2 | tiles >> 3) & CELLS
    }

    let rows: [&[u16; 1 << 16]; 2] =
        [&LEFT, &RIGHT].map(|table| table[..].try_into().expect("the table has every row"));
    let put = |tiles: u64, draws: &mut PlayoutRng| {
        let free = free(tiles);
        let rank = draws.below(10 * free.count_ones());
        let place = nth_set_bit(free, rank / 10).expect("a cell is free");
        tiles | (if rank % 10 == 9 { 2 } else { 1 }) << place
    };
    let mut tiles = put(0, draws);
    let mut plies = 1;
    loop {
        tiles = put(tiles, draws);
        plies += 2;
        let columns = transposed(tiles);
        let (up, down) = (slid(columns, rows[0]), slid(columns, rows[1]));
        let slides = [slid(tiles, rows[0]), slid(tiles, rows[1]), transposed(up), transposed(down)];
        let legal = (0..4).fold(0_u64, |mask, slide| mask | u64::from(slides[slide] != tiles) << slide);
        if legal == 0 {
            return (0, plies - 1);
        }
        let slide = nth_set_bit(legal, draws.below(legal.count_ones())).expect("there is a slide");
        tiles = slides[usize::from(slide)];
        if free(tiles ^ TARGET) != 0 {
            return (1, plies);
        }
    }
}
