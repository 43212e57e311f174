//! The exact solver of the last few empty squares.
//!
//! The key decision: plain fail-soft alpha-beta without a transposition table. If more than six squares are empty, the
//! solver looks at stable discs and orders moves by the replies that they leave. With five or more empty squares, the moves are found together and ordered by parity and square.
//! With fewer, each empty square is tried, and a table gives the result of the last one. Parity: the player who moves first
//! in a region with an odd number of empty squares also moves last there, so such regions are tried first. The regions are
//! the quadrants.

use arrayvec::ArrayVec;

use super::Empties;
use super::board::{LINES, flips, legal_moves, lines};
use super::hints::around;
use super::stability::most_discs;
use crate::game::{Bits, Kernel, SimdLevel};

/// The most empty squares that a search leaves to the tail, for players. Its nodes count for their budgets.
pub(super) const MOST_EMPTY: u32 = 7;
/// The same for the solver.
pub(super) const MOST_EMPTY_AT_THE_END: u32 = 9;

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

/// The corners of the large board. Others count as any square.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// For each square, the two diagonals through it: falling (a1–h8) and rising (h1–a8).
static DIAGONALS: [(u64, u64); 64] = {
    let opposite = lines(true);
    let mut table = [(0, 0); 64];
    let mut square = 0;
    while square < 64 {
        let ([_, south_west, _, south_east], [_, north_east, _, north_west]) =
            (LINES[square], opposite[square]);
        table[square] = (1 << square | south_east | north_west, 1 << square | south_west | north_east);
        square += 1;
    }
    table
};

/// Each square and those around it.
static AROUND: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = around(1 << square);
        square += 1;
    }
    table
};

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

/// The instructions for which the search is compiled.
pub(super) trait Instructions: Copy {
    /// The discs that turn over; see [`flips`](super::board::flips).
    fn flips(self, mine: u64, theirs: u64, square: u8) -> u64;

    /// The legal moves on a large board; see [`legal_moves`](super::board::legal_moves).
    fn moves(self, mine: u64, theirs: u64) -> u64;

    /// Searches a board by [`Search::node`].
    fn search(search: &mut Search<Self>, board: Board, alpha: i32, beta: i32) -> i32;
}

impl Instructions for SimdLevel {
    #[inline(always)]
    fn flips(self, mine: u64, theirs: u64, square: u8) -> u64 {
        flips(mine, theirs, square)
    }

    #[inline(always)]
    fn moves(self, mine: u64, theirs: u64) -> u64 {
        legal_moves(mine, theirs)
    }

    #[inline(always)]
    fn search(search: &mut Search<Self>, board: Board, alpha: i32, beta: i32) -> i32 {
        search.instructions.run(Node { search, board, alpha, beta })
    }
}

struct Node<'n> {
    search: &'n mut Search<SimdLevel>,
    board: Board,
    alpha: i32,
    beta: i32,
}

impl Kernel for Node<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self { search, board, alpha, beta } = self;
        search.node(board, alpha, beta)
    }
}

/// The discs of the player to move and of the other, and the empty squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) mine: u64,
    pub(super) theirs: u64,
    pub(super) empty: u64,
}

impl Board {
    #[inline(always)]
    const fn after(self, square: u8, turned: u64) -> Self {
        let Self { mine, theirs, empty } = self;
        Self { mine: theirs & !turned, theirs: mine | turned | 1 << square, empty: empty & !(1 << square) }
    }

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
    const fn odd(self) -> u64 {
        // The parity of four squares of a row in the lowest one, then of a quadrant in its first one.
        let mut odd = self.empty ^ self.empty >> 1;
        odd ^= odd >> 2;
        odd ^= odd >> 8;
        odd ^= odd >> 16;
        self.empty & (odd & 0x11_0000_0011).wrapping_mul(0x0f0f_0f0f)
    }
}

/// The search of the last squares. Windows and values are in discs.
pub(super) struct Search<I> {
    rule: Empties,
    /// The squares along an edge.
    size: u8,
    /// Whether moves are ordered by the replies that they leave, if more than six squares are empty.
    by_replies: bool,
    instructions: I,
    /// The positions that it has visited after the first.
    nodes: u64,
}

impl<I: Instructions> Search<I> {
    /// A search for the solver if it orders moves by replies, else for players.
    #[inline(always)]
    pub(super) const fn new(instructions: I, rule: Empties, size: u8, by_replies: bool) -> Self {
        Self { rule, size, by_replies, instructions, nodes: 0 }
    }

    /// The value of a board, and the number of positions visited after it.
    #[inline(always)]
    pub(super) fn run(mut self, board: Board, alpha: i32, beta: i32) -> (i32, u64) {
        let value = I::search(&mut self, board, alpha, beta);
        (value, self.nodes)
    }

    #[inline(always)]
    pub(super) fn node(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        match board.empty.count_ones() {
            0 => board.difference(),
            1 => self.last(board),
            2 => self.two(board, alpha, beta),
            3 => self.few::<3>(board, alpha, beta),
            4 => self.few::<4>(board, alpha, beta),
            7.. if self.by_replies => self.many(board, alpha, beta),
            _ => self.some(board, alpha, beta),
        }
    }

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
            self.nodes += 1;
            return board.difference() + 2 * turned + 1;
        }
        let turned = last_flips(board.theirs, square);
        if turned > 0 {
            self.nodes += 2;
            return board.difference() - 2 * turned - 1;
        }
        self.over(board)
    }

    #[inline(always)]
    fn two(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if let Some(best) = self.best_of_two(board, beta) {
            return best;
        }
        if let Some(best) = self.best_of_two(board.passed(), -alpha) {
            self.nodes += 1;
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
            let turned = self.instructions.flips(board.mine, board.theirs, square);
            if turned != 0 {
                self.nodes += 1;
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
            self.nodes += 1;
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
                let turned = self.instructions.flips(board.mine, board.theirs, square);
                if turned == 0 {
                    continue;
                }
                self.nodes += 1;
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

    /// Five or six empty squares, or more for players: the moves are found first.
    #[inline(always)]
    fn some(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        let moves = self.instructions.moves(board.mine, board.theirs) & board.empty;
        if moves == 0 {
            return self.without_moves(board, alpha, beta);
        }
        let odd = board.odd();
        let mut best = i32::MIN;
        for squares in [odd & CORNERS, odd & !CORNERS, CORNERS & !odd, !(odd | CORNERS)] {
            for square in Bits::new(moves & squares) {
                let turned = self.instructions.flips(board.mine, board.theirs, square);
                best = best.max(-self.below(board.after(square, turned), -beta, -alpha.max(best)));
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// More empty squares: the moves are made first, and those that leave few replies come first.
    #[inline(always)]
    fn many(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if let Some(most) = most_discs(board.theirs, board.empty, self.size, alpha)
            && most <= alpha
        {
            return most;
        }
        let moves = self.instructions.moves(board.mine, board.theirs) & board.empty;
        if moves == 0 {
            return self.without_moves(board, alpha, beta);
        }
        let odd = board.odd();
        let mut waiting = ArrayVec::<(u32, Board), { MOST_EMPTY_AT_THE_END as usize }>::new();
        for square in Bits::new(moves) {
            let after = board.after(square, self.instructions.flips(board.mine, board.theirs, square));
            let replies = self.instructions.moves(after.mine, after.theirs) & after.empty;
            let replies = replies.count_ones() + (replies & CORNERS).count_ones();
            let place = 1 << square;
            let later = u32::from(odd & place == 0) << 1 | u32::from(CORNERS & place == 0);
            waiting.push((replies << 2 | later, after));
        }
        let mut best = i32::MIN;
        while let Some((at, _)) = waiting.iter().enumerate().min_by_key(|(_, (rank, _))| rank) {
            let (_, after) = waiting.swap_remove(at);
            best = best.max(-self.below(after, -beta, -alpha.max(best)));
            if best >= beta {
                return best;
            }
        }
        best
    }

    /// The player to move must pass, or the game is over.
    #[inline(always)]
    fn without_moves(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if self.instructions.moves(board.theirs, board.mine) & board.empty == 0 {
            return self.over(board);
        }
        -self.below(board.passed(), -beta, -alpha)
    }

    /// The value of a board below another one.
    #[inline(always)]
    fn below(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        I::search(self, board, alpha, beta)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Othello, Position};
    use super::*;
    use crate::rng::{PlayoutKey, Stream};
    use crate::testing::random_game;

    /// Boards of random games with at most `most` empty squares.
    fn ends(game: &Othello, games: u64, most: u32) -> impl Iterator<Item = Board> {
        let positions = (0..games).flat_map(|index| random_game(game, PlayoutKey::new(1).playout(index)));
        let board =
            |Position { mine, theirs, .. }| Board { mine, theirs, empty: game.playable() & !(mine | theirs) };
        positions.map(board).filter(move |board| board.empty.count_ones() <= most)
    }

    /// Plain minimax.
    fn slowly(search: &Search<SimdLevel>, board: Board, has_passed: bool) -> i32 {
        let moves = legal_moves(board.mine, board.theirs) & board.empty;
        let after = |square| board.after(square, flips(board.mine, board.theirs, square));
        match Bits::new(moves).map(|square| -slowly(search, after(square), false)).max() {
            Some(best) => best,
            None if has_passed => search.over(board),
            None => -slowly(search, board.passed(), true),
        }
    }

    #[test]
    fn the_tail_has_the_values_of_plain_minimax() {
        for size in [4, 6, 8] {
            let plain = |rule, by_replies| Search::new(SimdLevel::detect(), rule, size, by_replies);
            for board in ends(&Othello::new(size), 40, 6) {
                for rule in [Empties::Nobody, Empties::Winner] {
                    let expected = slowly(&plain(rule, false), board, false);
                    assert_eq!(plain(rule, false).run(board, -65, 65).0, expected, "{board:?}");
                }
            }
        }
    }

    /// Orders and instructions change no value, and instructions no node. Answers outside the window are bounds.
    #[test]
    fn orders_and_instructions_agree() {
        for size in [4, 6, 8] {
            for board in ends(&Othello::new(size), 20, MOST_EMPTY_AT_THE_END) {
                let search = |by_replies| Search::new(SimdLevel::detect(), Empties::Winner, size, by_replies);
                let (expected, _) = search(false).run(board, -65, 65);
                for (alpha, beta) in [(-65, 65), (expected - 1, expected), (expected, expected + 1), (-1, 1)]
                {
                    let plain = [false, true].map(|by_replies| search(by_replies).run(board, alpha, beta));
                    for (value, _) in plain {
                        assert_eq!(value.clamp(alpha, beta), expected.clamp(alpha, beta), "{board:?}");
                    }
                    #[cfg(target_arch = "x86_64")]
                    if let Some(wide) = super::super::vector::Wide::detect() {
                        let search = |by_replies| Search::new(wide, Empties::Winner, size, by_replies);
                        let wide = [false, true].map(|by_replies| search(by_replies).run(board, alpha, beta));
                        assert_eq!(wide, plain, "{board:?}");
                    }
                }
            }
        }
    }

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
