//! One game at a time, with its eight directions in the lanes of one register.
//!
//! For a search that needs one playout now. Both players' discs stay spread over all lanes from ply to ply; only
//! the moves and the chosen one pass through the scalar unit.

use std::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_or_si256, _mm512_and_si512, _mm512_andnot_si512, _mm512_castsi512_si256,
    _mm512_extracti64x4_epi64, _mm512_or_si512, _mm512_permutex_epi64, _mm512_rolv_epi64,
    _mm512_shuffle_i64x2, _mm512_ternarylogic_epi64, _pdep_u64,
};

use super::words::{A, B, C, all, load};
use crate::rng::PlayoutRng;

/// The rotation of the board for each direction. The opposite direction is four lanes away.
static STEPS: [u64; 8] = [1, 7, 8, 9, 63, 57, 56, 55];
/// Twice these rotations.
static PAIRS: [u64; 8] = [2, 14, 16, 18, 62, 50, 48, 46];
/// The squares on which discs can turn over in each direction. They exclude everything that a rotation wraps around the
/// board.
static BETWEEN: [u64; 8] = {
    const FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    const ROWS: u64 = 0x00ff_ffff_ffff_ff00;
    [FILES, FILES & ROWS, ROWS, FILES & ROWS, FILES, FILES & ROWS, ROWS, FILES & ROWS]
};

for_this_path! {
    /// The squares reached from `discs` over unbroken runs of `between`, one direction per lane.
    fn fill(discs: __m512i, between: __m512i) -> __m512i {
        let (step, pair) = (load(&STEPS), load(&PAIRS));
        let pairs = _mm512_and_si512(between, _mm512_rolv_epi64(between, step));
        let one = _mm512_and_si512(between, _mm512_rolv_epi64(discs, step));
        let two = or_and(one, between, _mm512_rolv_epi64(one, step));
        let four = or_and(two, pairs, _mm512_rolv_epi64(two, pair));
        or_and(four, pairs, _mm512_rolv_epi64(four, pair))
    }

    fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<{ A | B & C }>(a, b, c)
    }

    pub(super) fn union(lanes: __m512i) -> u64 {
        let half = _mm256_or_si256(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64::<1>(lanes));
        let quarter = _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
        _mm_cvtsi128_si64(_mm_or_si128(quarter, _mm_unpackhi_epi64(quarter, quarter))) as u64
    }

    /// The lanes' union in every lane.
    fn union_everywhere(lanes: __m512i) -> __m512i {
        let halves = _mm512_or_si512(lanes, _mm512_shuffle_i64x2::<0b01_00_11_10>(lanes, lanes));
        let quarters = _mm512_or_si512(halves, _mm512_shuffle_i64x2::<0b10_11_00_01>(halves, halves));
        _mm512_or_si512(quarters, _mm512_permutex_epi64::<0b10_11_00_01>(quarters))
    }

    /// The runs of `theirs` that begin at a disc of `mine`, by direction, and the squares that they lead to.
    pub(super) fn reach(mine: __m512i, theirs: __m512i) -> (__m512i, u64) {
        let runs = fill(mine, _mm512_and_si512(theirs, load(&BETWEEN)));
        let ends = _mm512_rolv_epi64(runs, load(&STEPS));
        (runs, union(_mm512_andnot_si512(_mm512_or_si512(mine, theirs), ends)))
    }

    /// The discs that a square turns over in each direction, given the runs that begin at discs of the player.
    pub(super) fn flipped(runs: __m512i, square: __m512i) -> __m512i {
        // In each direction, the runs that end at a disc of the player.
        let facing = _mm512_shuffle_i64x2::<0b01_00_11_10>(runs, runs);
        fill(square, facing)
    }

    /// Plays one game to its end. Returns the discs of the player to move at the beginning, those of the other, and the
    /// plies.
    pub(in super::super) fn play_one(playable: u64, from: (u64, u64), draws: &mut PlayoutRng) -> (u64, u64, u32) {
        let (mut mine, mut theirs) = (all(from.0), all(from.1));
        let mut plies = 0;
        let mut has_passed = false;
        loop {
            let (runs, reached) = reach(mine, theirs);
            let moves = reached & playable;
            let pick = draws.below(moves.count_ones());
            if moves == 0 {
                if has_passed {
                    break;
                }
                has_passed = true;
                (mine, theirs) = (theirs, mine);
                continue;
            }
            plies += 1 + u32::from(has_passed);
            has_passed = false;
            let square = all(_pdep_u64(1 << pick, moves));
            let flipped = union_everywhere(flipped(runs, square));
            (mine, theirs) = (
                _mm512_andnot_si512(flipped, theirs),
                _mm512_ternarylogic_epi64::<{ A | B | C }>(mine, flipped, square),
            );
        }
        // One pass too many was played.
        let (mine, theirs) = (union(mine), union(theirs));
        if plies % 2 == 1 { (mine, theirs, plies) } else { (theirs, mine, plies) }
    }
}
