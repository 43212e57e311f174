//! The exact solver of the last few empty squares.
//!
//! The key decision: plain fail-soft alpha-beta without a table. With five or more empty squares, the moves are found
//! together and ordered by parity and square. With fewer, each empty square is tried, and a table gives the result of
//! the last one. Parity: the player who moves first in a region with an odd number of empty squares also moves last
//! there, so such regions are tried first. The regions are the quadrants.

use super::Empties;
use super::board::{flips, legal_moves_among};
use crate::game::{Bits, Kernel, SimdLevel};

/// The most empty squares that the solver takes.
pub(super) const MOST_EMPTY: u32 = 7;

/// The number of discs that turn over when one is put on square `i` of a full line of eight with these other own discs.
static FLIPPED: [[u8; 256]; 8] = flipped();

const fn flipped() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut at = place + 1;
            while at < 8 && own >> at & 1 == 0 {
                at += 1;
            }
            if at < 8 {
                count += at - place - 1;
            }
            let mut at = place;
            while at > 0 && own >> (at - 1) & 1 == 0 {
                at -= 1;
            }
            if at > 0 {
                count += place - at;
            }
            table[place][own] = count as u8;
            own += 1;
        }
        place += 1;
    }
    table
}

/// For each square, the two diagonals through it: falling (a1–h8) and rising (h1–a8).
static DIAGONALS: [(u64, u64); 64] = diagonals();

const fn diagonals() -> [(u64, u64); 64] {
    let mut table = [(0, 0); 64];
    let mut square = 0;
    while square < 64 {
        let (row, file) = (square / 8, square % 8);
        let mut other = 0;
        while other < 64 {
            let (y, x) = (other / 8, other % 8);
            if y + file == x + row {
                table[square].0 |= 1 << other;
            }
            if y + x == row + file {
                table[square].1 |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// The squares around each square.
static AROUND: [u64; 64] = around();

const fn around() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square: i32 = 0;
    while square < 64 {
        let mut other: i32 = 0;
        while other < 64 {
            let (down, right) = ((square / 8 - other / 8).abs(), (square % 8 - other % 8).abs());
            if square != other && down <= 1 && right <= 1 {
                table[square as usize] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// The number of discs that turn over when the side with the discs `mine` fills the last empty square.
#[inline(always)]
fn last_flips(mine: u64, square: u8) -> i32 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let (row, file) = (usize::from(square / 8), usize::from(square % 8));
    let (falling, rising) = DIAGONALS[usize::from(square)];
    let line = |gathered: u64| usize::from((gathered >> 56) as u8);
    let count = |place: usize, own: usize| i32::from(FLIPPED[place & 7][own]);
    count(file, usize::from((mine >> (square & 0b11_1000)) as u8))
        + count(row, line((mine >> file & FILE_A).wrapping_mul(0x0102_0408_1020_4080)))
        + count(file, line((mine & falling).wrapping_mul(FILE_A)))
        + count(file, line((mine & rising).wrapping_mul(FILE_A)))
}

/// A position near the end, with its window in discs.
pub(super) struct Tail<'n> {
    pub(super) board: Board,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) rule: Empties,
    pub(super) nodes: &'n mut u64,
    pub(super) machine: SimdLevel,
}

/// The discs of the player to move and of the other, and the empty squares.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) mine: u64,
    pub(super) theirs: u64,
    pub(super) empty: u64,
}

impl Board {
    /// The board after a move.
    #[inline(always)]
    const fn after(self, square: u8, turned: u64) -> Self {
        let Self { mine, theirs, empty } = self;
        Self { mine: theirs & !turned, theirs: mine | turned | 1 << square, empty: empty & !(1 << square) }
    }

    /// The board after a pass.
    #[inline(always)]
    const fn passed(self) -> Self {
        Self { mine: self.theirs, theirs: self.mine, empty: self.empty }
    }

    #[inline(always)]
    const fn difference(self) -> i32 {
        self.mine.count_ones() as i32 - self.theirs.count_ones() as i32
    }

    /// The empty squares in quadrants with an odd number of empty squares.
    #[inline(always)]
    fn odd(self) -> u64 {
        const QUADRANTS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
        let mut odd = 0;
        for quadrant in QUADRANTS {
            if (self.empty & quadrant).count_ones() % 2 == 1 {
                odd |= quadrant;
            }
        }
        self.empty & odd
    }
}

impl Kernel for Tail<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self { board, alpha, beta, rule, nodes, machine } = self;
        let mut search = Search { rule, nodes, machine };
        match board.empty.count_ones() {
            0 => board.difference(),
            1 => search.last(board),
            2 => search.two(board, alpha, beta),
            3 => search.few::<3>(board, alpha, beta),
            4 => search.few::<4>(board, alpha, beta),
            _ => search.some(board, alpha, beta),
        }
    }
}

/// What the search of the last squares keeps from node to node.
struct Search<'n> {
    rule: Empties,
    nodes: &'n mut u64,
    machine: SimdLevel,
}

impl Search<'_> {
    /// The end of a game with empty squares left.
    #[inline(always)]
    fn over(&self, board: Board) -> i32 {
        let difference = board.difference();
        match self.rule {
            Empties::Nobody => difference,
            Empties::Winner => difference + difference.signum() * board.empty.count_ones() as i32,
        }
    }

    /// One empty square.
    #[inline(always)]
    fn last(&mut self, board: Board) -> i32 {
        let square = board.empty.trailing_zeros() as u8;
        let turned = last_flips(board.mine, square);
        if turned > 0 {
            *self.nodes += 1;
            return board.difference() + 2 * turned + 1;
        }
        let turned = last_flips(board.theirs, square);
        if turned > 0 {
            *self.nodes += 2;
            return board.difference() - 2 * turned - 1;
        }
        self.over(board)
    }

    /// Two empty squares.
    #[inline(always)]
    fn two(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if let Some(best) = self.best_of_two(board, beta) {
            return best;
        }
        if let Some(best) = self.best_of_two(board.passed(), -alpha) {
            *self.nodes += 1;
            return -best;
        }
        self.over(board)
    }

    /// The better of the moves on the last two squares, if there is one.
    #[inline(always)]
    fn best_of_two(&mut self, board: Board, beta: i32) -> Option<i32> {
        let mut best = None;
        for square in [board.empty.trailing_zeros() as u8, 63 - board.empty.leading_zeros() as u8] {
            if AROUND[usize::from(square)] & board.theirs == 0 {
                continue;
            }
            let turned = flips(board.mine, board.theirs, square);
            if turned != 0 {
                *self.nodes += 1;
                let value = -self.last(board.after(square, turned));
                best = best.max(Some(value));
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Three or four empty squares: each is tried.
    #[inline(always)]
    fn few<const EMPTY: u32>(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if let Some(best) = self.best_of_few::<EMPTY>(board, alpha, beta) {
            return best;
        }
        if let Some(best) = self.best_of_few::<EMPTY>(board.passed(), -beta, -alpha) {
            *self.nodes += 1;
            return -best;
        }
        self.over(board)
    }

    /// The best of the moves on three or four empty squares, if there is one.
    #[inline(always)]
    fn best_of_few<const EMPTY: u32>(&mut self, board: Board, alpha: i32, beta: i32) -> Option<i32> {
        let odd = board.odd();
        let mut best = i32::MIN;
        for squares in [odd, board.empty & !odd] {
            for square in Bits::new(squares) {
                if AROUND[usize::from(square)] & board.theirs == 0 {
                    continue;
                }
                let turned = flips(board.mine, board.theirs, square);
                if turned == 0 {
                    continue;
                }
                *self.nodes += 1;
                let (after, low, high) = (board.after(square, turned), -beta, -alpha.max(best));
                let value =
                    if EMPTY == 3 { self.two(after, low, high) } else { self.few::<3>(after, low, high) };
                best = best.max(-value);
                if best >= beta {
                    return Some(best);
                }
            }
        }
        (best > i32::MIN).then_some(best)
    }

    /// More empty squares: the moves are found first.
    #[inline(always)]
    fn some(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let moves = legal_moves_among(board.empty, board.mine, board.theirs);
        if moves == 0 {
            if legal_moves_among(board.empty, board.theirs, board.mine) == 0 {
                return self.over(board);
            }
            return -self.node(board.passed(), -beta, -alpha);
        }
        let odd = board.odd();
        let mut best = i32::MIN;
        for squares in [odd & CORNERS, odd & !CORNERS, CORNERS & !odd, !(odd | CORNERS)] {
            for square in Bits::new(moves & squares) {
                let turned = flips(board.mine, board.theirs, square);
                best = best.max(-self.node(board.after(square, turned), -beta, -alpha.max(best)));
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// The value of a board below another one.
    #[inline(always)]
    fn node(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        *self.nodes += 1;
        let Self { rule, machine, .. } = *self;
        machine.run(Tail { board, alpha, beta, rule, nodes: self.nodes, machine })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn the_last_square_turns_what_the_rules_say() {
        let mut rng = (Stream::new(1) / "last squares").rng();
        for _ in 0..20_000 {
            let square = rng.below(64) as u8;
            let mine = rng.next_u64() & !(1 << square);
            let expected = flips(mine, !mine & !(1 << square), square).count_ones();
            assert_eq!(last_flips(mine, square), expected as i32, "{mine:#x} {square}");
        }
    }
}
