//! Operations on all registers of a group.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_pd,
    _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x,
    _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};
use std::array::from_fn;

/// Registers side by side.
pub(super) const WIDTH: usize = 2;

pub(super) const GAMES: usize = 4 * WIDTH;

/// Four words of 64 bits a register.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) [__m256i; WIDTH]);

copies_registers!([u64; 4] as __m256i: load by _mm256_loadu_si256, store by _mm256_storeu_si256);

for_this_path! {
    pub(super) fn zero() -> Words {
        Words([_mm256_setzero_si256(); WIDTH])
    }

    pub(super) fn add(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm256_add_epi64(a.0[i], b.0[i])))
    }

    pub(super) fn and(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm256_and_si256(a.0[i], b.0[i])))
    }

    pub(super) fn and_with_all(a: Words, word: u64) -> Words {
        Words(from_fn(|i| _mm256_and_si256(a.0[i], _mm256_set1_epi64x(word as i64))))
    }

    /// The bits of `a` that are not in `b`.
    pub(super) fn without(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm256_andnot_si256(b.0[i], a.0[i])))
    }

    pub(super) fn or(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm256_or_si256(a.0[i], b.0[i])))
    }

    pub(super) fn less(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm256_sub_epi64(a.0[i], b.0[i])))
    }

    /// All ones in each word that is 0, else 0.
    pub(super) fn is_zero(a: Words) -> Words {
        Words(from_fn(|i| _mm256_cmpeq_epi64(a.0[i], _mm256_setzero_si256())))
    }

    /// Whether every word has its highest bit set.
    pub(super) fn is_all(a: Words) -> bool {
        a.0.iter().all(|&a| _mm256_movemask_pd(_mm256_castsi256_pd(a)) == 0b1111)
    }

    pub(super) fn up<const BY: i32>(a: Words) -> Words {
        Words(from_fn(|i| _mm256_slli_epi64::<BY>(a.0[i])))
    }

    pub(super) fn down<const BY: i32>(a: Words) -> Words {
        Words(from_fn(|i| _mm256_srli_epi64::<BY>(a.0[i])))
    }

    /// The board with its rows in the opposite order.
    pub(super) fn upside_down(a: Words) -> Words {
        let order = _mm256_setr_epi8(
            7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11,
            10, 9, 8,
        );
        Words(from_fn(|i| _mm256_shuffle_epi8(a.0[i], order)))
    }
}
