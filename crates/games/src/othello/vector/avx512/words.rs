//! Operations on two registers at a time.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_gf2p8affine_epi64_epi8,
    _mm512_loadu_si512, _mm512_lzcnt_epi64, _mm512_mullo_epi64, _mm512_or_si512, _mm512_rol_epi64,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shrdv_epi64, _mm512_srli_epi64, _mm512_srlv_epi64,
    _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_xor_si512,
};
use std::array::from_fn;

use crate::rng::mixing;

/// Registers side by side.
pub(super) const WIDTH: usize = 2;

pub(super) const GAMES: usize = 8 * WIDTH;

/// Sixteen words of 64 bits in two registers.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) [__m512i; WIDTH]);

/// The truth table of the first operand of [`ternary`]. Tables combine like operands: `A | B & C` is the table of that
/// operation.
pub(super) const A: i32 = 0xf0;
/// See [`A`].
pub(super) const B: i32 = 0xcc;
/// See [`A`].
pub(super) const C: i32 = 0xaa;
/// Not [`B`].
pub(super) const NOT_B: i32 = 0x33;
/// Not [`C`].
pub(super) const NOT_C: i32 = 0x55;

/// A matrix over GF(2) that reverses the bits of a byte.
const MIRROR: u64 = 0x8040_2010_0804_0201;
/// The unit matrix.
const UNIT: u64 = 0x0102_0408_1020_4080;

copies_registers!([u64; 8] as __m512i: load by _mm512_loadu_si512, store by _mm512_storeu_si512);

for_this_path! {
    /// The same word in all lanes of a register.
    pub(super) fn all(word: u64) -> __m512i {
        _mm512_set1_epi64(word as i64)
    }

    pub(super) fn zero() -> Words {
        Words([_mm512_setzero_si512(); WIDTH])
    }

    pub(super) fn add(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm512_add_epi64(a.0[i], b.0[i])))
    }

    pub(super) fn add_to_all(a: Words, word: u64) -> Words {
        Words(from_fn(|i| _mm512_add_epi64(a.0[i], all(word))))
    }

    pub(super) fn and(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm512_and_si512(a.0[i], b.0[i])))
    }

    pub(super) fn and_with_all(a: Words, word: u64) -> Words {
        Words(from_fn(|i| _mm512_and_si512(a.0[i], all(word))))
    }

    pub(super) fn without(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm512_andnot_si512(b.0[i], a.0[i])))
    }

    pub(super) fn or(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm512_or_si512(a.0[i], b.0[i])))
    }

    /// The operation of three operands with this truth table.
    pub(super) fn ternary<const TABLE: i32>(a: Words, b: Words, c: Words) -> Words {
        Words(from_fn(|i| _mm512_ternarylogic_epi64::<TABLE>(a.0[i], b.0[i], c.0[i])))
    }

    /// Rotates each word to higher bits.
    pub(super) fn rotate<const BY: i32>(a: Words) -> Words {
        Words(from_fn(|i| _mm512_rol_epi64::<BY>(a.0[i])))
    }

    pub(super) fn shift_down<const BY: u32>(a: Words) -> Words {
        Words(from_fn(|i| _mm512_srli_epi64::<BY>(a.0[i])))
    }

    /// The board with each row reversed.
    pub(super) fn mirror(a: Words) -> Words {
        Words(from_fn(|i| _mm512_gf2p8affine_epi64_epi8::<0>(a.0[i], all(MIRROR))))
    }

    /// The board turned by a quarter: the square in row `r` of file `f` goes to row `f`, file `7 - r`.
    pub(super) fn quarter(a: Words) -> Words {
        Words(from_fn(|i| _mm512_gf2p8affine_epi64_epi8::<0>(all(MIRROR), a.0[i])))
    }

    /// The board mirrored at its rising diagonal: the square in row `r` of file `f` goes to row `7 - f`, file `7 - r`.
    pub(super) fn flip(a: Words) -> Words {
        Words(from_fn(|i| _mm512_gf2p8affine_epi64_epi8::<0>(all(UNIT), a.0[i])))
    }

    pub(super) fn leading_zeros(a: Words) -> Words {
        Words(from_fn(|i| _mm512_lzcnt_epi64(a.0[i])))
    }

    /// All ones except the `zeros` highest bits; all ones also for 64 zeros.
    pub(super) fn ones_but_modulo_64(zeros: Words) -> Words {
        // A funnel shift takes its count modulo 64.
        Words(from_fn(|i| _mm512_shrdv_epi64(all(!0), _mm512_setzero_si512(), zeros.0[i])))
    }

    pub(super) fn or_with_all(a: Words, word: u64) -> Words {
        Words(from_fn(|i| _mm512_or_si512(a.0[i], all(word))))
    }

    /// All ones except the `zeros` highest bits, for fewer than 64 zeros.
    pub(super) fn ones_but(zeros: Words) -> Words {
        Words(from_fn(|i| _mm512_srlv_epi64(all(!0), zeros.0[i])))
    }

    /// The output function of the counter generator.
    pub(super) fn mix(a: Words) -> Words {
        let a = mix_step::<{ mixing::SHIFTS[0] }>(a, mixing::FACTORS[0]);
        let a = mix_step::<{ mixing::SHIFTS[1] }>(a, mixing::FACTORS[1]);
        Words(from_fn(|i| _mm512_xor_si512(a.0[i], _mm512_srli_epi64::<{ mixing::SHIFTS[2] }>(a.0[i]))))
    }

    fn mix_step<const SHIFT: u32>(a: Words, factor: u64) -> Words {
        Words(from_fn(|i| {
            _mm512_mullo_epi64(_mm512_xor_si512(a.0[i], _mm512_srli_epi64::<SHIFT>(a.0[i])), all(factor))
        }))
    }
}
