//! The moves of one board, and the discs that a move turns over, with a direction in each lane.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_lzcnt_epi64, _mm256_maskz_add_epi64, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srlv_epi64,
    _mm256_sub_epi64, _mm256_ternarylogic_epi64, _mm256_test_epi64_mask,
};

use super::super::Wide;
use super::single::reach;
use super::words::{A, B, C, NOT_B, all};
use crate::othello::board::{LINES, lines};
use crate::othello::tail::{Board, Search};

/// The lines opposite to those of [`LINES`].
static OPPOSITE: [[u64; 4]; 64] = lines(true);

copies_registers!([u64; 4] as __m256i: load by _mm256_loadu_si256);

for_this_path! {
    /// The empty squares, on or off a small board, on which the player can put a disc.
    pub(in super::super) fn moves_of(mine: u64, theirs: u64) -> u64 {
        reach(all(mine), all(theirs)).1
    }

    /// The discs that turn over; see [`flips`](crate::othello::board::flips).
    pub(in super::super) fn flips(mine: u64, theirs: u64, square: u8) -> u64 {
        let (up, down) = (load(&LINES[usize::from(square)]), load(&OPPOSITE[usize::from(square)]));
        let (mine, theirs) = (_mm256_set1_epi64x(mine as i64), _mm256_set1_epi64x(theirs as i64));
        let ones = _mm256_set1_epi64x(-1);
        // A carry runs along the discs and stops at the first other square of the line.
        let past = _mm256_sub_epi64(_mm256_ternarylogic_epi64::<{ A | NOT_B }>(theirs, up, up), ones);
        let end = _mm256_ternarylogic_epi64::<{ A & B & C }>(past, mine, up);
        let below = _mm256_maskz_add_epi64(_mm256_test_epi64_mask(end, end), end, ones);
        let turned = _mm256_and_si256(below, up);
        // Downwards: the highest other square of the line, if there is one.
        let zeros = _mm256_lzcnt_epi64(_mm256_andnot_si256(theirs, down));
        let end = _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), zeros), mine);
        let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(end, end));
        let turned = _mm256_ternarylogic_epi64::<{ A | B & C }>(turned, above, down);
        let half = _mm_or_si128(_mm256_castsi256_si128(turned), _mm256_extracti128_si256::<1>(turned));
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }

    /// Searches a board near the end. All arguments are in registers.
    pub(in super::super) fn search_tail(
        search: &mut Search<Wide>,
        mine: u64,
        theirs: u64,
        empty: u64,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        search.node(Board { mine, theirs, empty }, alpha, beta)
    }
}
