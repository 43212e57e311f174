//! Legal moves and flips: pure functions of two masks.
//!
//! Bit 0 is a1, bit 1 is b1, bit 8 is a2, bit 63 is h8. The functions know the 8×8 board only. Smaller boards are its upper
//! left corner. They have no discs outside, so no line of discs is bracketed from outside; callers mask the legal moves
//! with the squares in play.
//!
//! Both are branch-free. The parallel-prefix fill of Kogge and Stone finds moves, over an array of four directions that
//! AVX2 holds in one register. Flips use the carry of an addition, which runs along a line of discs in one operation; a
//! byte swap mirrors the board for the lines that lead up. Rejected, each measured in whole playouts on an x86-64-v3
//! machine: flips by Kogge and Stone (7 % slower), and by counting leading zeros in all four backward directions (10
//! %).

/// All squares but the files a and h: a line of discs to flip never leaves them, unless it runs along a file.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The bits of a square's number that are its row.
const ROW_BITS: u8 = 0b11_1000;

/// The distance of neighbours in bits: east, south-west, south, south-east.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// For each square, the other squares in a straight line from it, in the directions of [`STEPS`].
pub(super) static LINES: [[u64; 4]; 64] = lines(false);

/// The table [`LINES`], or the same in the opposite directions.
pub(super) const fn lines(is_opposite: bool) -> [[u64; 4]; 64] {
    const TOWARDS: [(usize, usize); 4] = [(0, 1), (1, usize::MAX), (1, 0), (1, 1)];
    let mut table = [[0; 4]; 64];
    let mut square = 0_usize;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (mut down, mut right) = TOWARDS[direction];
            if is_opposite {
                (down, right) = (down.wrapping_neg(), right.wrapping_neg());
            }
            let mut row = (square / 8).wrapping_add(down);
            let mut file = (square % 8).wrapping_add(right);
            while row < 8 && file < 8 {
                table[square][direction] |= 1 << (8 * row + file);
                row = row.wrapping_add(down);
                file = file.wrapping_add(right);
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

/// The legal moves of the side with the discs `mine`.
///
/// The masks must not overlap. For a smaller board, mask the result with the squares in play.
///
/// # Cost
/// About 120 operations on 64-bit words without a branch; AVX2 does four at a time.
///
/// # Example: the first move
/// ```
/// use shikou::games::othello::board::legal_moves;
/// let black = 1 << 28 | 1 << 35; // e4, d5
/// let white = 1 << 27 | 1 << 36; // d4, e5
/// assert_eq!(legal_moves(black, white), 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44); // d3, c4, f5, e6
/// ```
#[inline(always)]
pub fn legal_moves(mine: u64, theirs: u64) -> u64 {
    legal_moves_among(!0, mine, theirs)
}

/// The legal moves among some squares only.
#[inline(always)]
pub(super) fn legal_moves_among(squares: u64, mine: u64, theirs: u64) -> u64 {
    // Computed first, because it does not wait for the fill.
    let empty = squares & !(mine | theirs);
    let inner = theirs & INNER_FILES;
    let between = [inner, inner, theirs, inner];
    let mut reached = [0; 4];
    for direction in 0..4 {
        let (step, between) = (STEPS[direction], between[direction]);
        // `on` and `back`: discs of `theirs` in an unbroken line from one of `mine`; doubled to reach all six.
        let mut on = between & (mine << step);
        let mut back = between & (mine >> step);
        on |= between & (on << step);
        back |= between & (back >> step);
        let pairs_on = between & (between << step);
        let pairs_back = pairs_on >> step;
        on |= pairs_on & (on << (2 * step));
        back |= pairs_back & (back >> (2 * step));
        on |= pairs_on & (on << (2 * step));
        back |= pairs_back & (back >> (2 * step));
        reached[direction] = (on << step) | (back >> step);
    }
    (reached[0] | reached[1] | reached[2] | reached[3]) & empty
}

/// The discs of `theirs` that turn over when a disc is put on `square` (0 to 63) by the side with the discs
/// `mine`. No disc turns over if the move is not legal.
///
/// The masks must not overlap, and the square must be empty.
///
/// # Cost
/// About 65 operations on 64-bit words without a branch, and two look-ups in a table of 2 KB.
///
/// # Panics
/// If `square` is 64 or more.
///
/// # Example
/// ```
/// use shikou::games::othello::board::flips;
/// let black = 1 << 28 | 1 << 35; // e4, d5
/// let white = 1 << 27 | 1 << 36; // d4, e5
/// assert_eq!(flips(black, white, 37), 1 << 36); // f5 turns e5
/// assert_eq!(flips(black, white, 0), 0);
/// ```
#[inline(always)]
pub fn flips(mine: u64, theirs: u64, square: u8) -> u64 {
    let onward = &LINES[usize::from(square)];
    let mut flipped = 0;
    for line in onward {
        flipped |= bracketed(mine, theirs, *line);
    }
    // North-east, north and north-west lead on from the mirrored square on the mirrored board.
    let mirrored = &LINES[usize::from(square ^ ROW_BITS)];
    let (mine_mirrored, theirs_mirrored) = (mine.swap_bytes(), theirs.swap_bytes());
    let mut flipped_mirrored = 0;
    for line in &mirrored[1..] {
        flipped_mirrored |= bracketed(mine_mirrored, theirs_mirrored, *line);
    }
    flipped | flipped_mirrored.swap_bytes() | bracketed_west(mine, theirs, square)
}

/// The discs of `theirs` between the beginning of a line, which leads to higher bits, and the first of `mine` on it, if
/// there is nothing else between.
#[inline(always)]
fn bracketed(mine: u64, theirs: u64, line: u64) -> u64 {
    // All ones except on the line, so the carry runs along the discs and stops at the first other square.
    let end = (theirs | !line).wrapping_add(1) & mine & line;
    end.wrapping_sub(u64::from(end != 0)) & line
}

/// Like [`bracketed`], for the line that leads west from a square.
#[inline(always)]
fn bracketed_west(mine: u64, theirs: u64, square: u8) -> u64 {
    let line = (0xff << (square & ROW_BITS)) & ((1 << square) - 1);
    let first_other = (1_u64 << 63).wrapping_shr((!theirs & line).leading_zeros());
    // If there is no other square, the shift wraps to h8, which is on no line to the west.
    let end = first_other & mine & line;
    (end << 1).wrapping_neg() & line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    const DIRECTIONS: [(i32, i32); 8] =
        [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

    /// The rule in words: walk from the square in each direction over discs of `theirs` to one of `mine`.
    fn walked_flips(mine: u64, theirs: u64, square: u8, size: i32) -> u64 {
        let has = |discs: u64, row: i32, file: i32| {
            (0..size).contains(&row) && (0..size).contains(&file) && discs >> (8 * row + file) & 1 == 1
        };
        let mut flipped = 0;
        for (down, right) in DIRECTIONS {
            let (mut row, mut file) = (i32::from(square) / 8 + down, i32::from(square) % 8 + right);
            let mut line = 0;
            while has(theirs, row, file) {
                line |= 1 << (8 * row + file);
                row += down;
                file += right;
            }
            if has(mine, row, file) {
                flipped |= line;
            }
        }
        flipped
    }

    /// Random boards of each size with any number of discs, not only reachable ones.
    #[test]
    fn moves_and_flips_are_those_of_a_walk() {
        let mut rng = (Stream::new(1) / "othello boards").rng();
        for size in [4, 6, 8] {
            let playable = (0..64).filter(|s| s % 8 < size && s / 8 < size).fold(0_u64, |m, s| m | 1 << s);
            for round in 0..6_000 {
                let (a, b, c) = (rng.next_u64(), rng.next_u64(), rng.next_u64());
                // A quarter, half, three quarters or seven eighths of the squares hold a disc.
                let discs = playable & [a & b, a, a | b, a | b | rng.next_u64()][round % 4];
                let (mine, theirs) = (discs & c, discs & !c);
                let mut legal = 0;
                for square in 0..64 {
                    if playable & !discs & 1 << square == 0 {
                        continue;
                    }
                    let expected = walked_flips(mine, theirs, square, size);
                    assert_eq!(flips(mine, theirs, square), expected, "{mine:#x} {theirs:#x} {square}");
                    legal |= u64::from(expected != 0) << square;
                }
                assert_eq!(legal_moves(mine, theirs) & playable, legal, "{mine:#x} {theirs:#x}");
            }
        }
    }

    /// The longest line, six discs, in each direction from each square with room for it.
    #[test]
    fn six_discs_turn_in_every_direction() {
        let mut lines = 0;
        for square in 0..64_i32 {
            for (down, right) in DIRECTIONS {
                let at = |n: i32| (square / 8 + n * down, square % 8 + n * right);
                let (row, file) = at(7);
                if (0..8).contains(&row) && (0..8).contains(&file) {
                    let bit = |n: i32| 1_u64 << (8 * at(n).0 + at(n).1);
                    let theirs = (1..7).fold(0, |mask, n| mask | bit(n));
                    assert_eq!(flips(bit(7), theirs, square as u8), theirs);
                    assert_eq!(legal_moves(bit(7), theirs), bit(0));
                    lines += 1;
                }
            }
        }
        assert_eq!(lines, 8 * 4 + 4);
    }
}
