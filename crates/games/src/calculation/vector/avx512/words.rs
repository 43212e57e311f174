//! A word of 64 bits for each game, in eight registers; and halves and quarters of words. Types and functions are
//! described at those of the same names for AVX2.

use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi16, _mm512_and_si512, _mm512_cmplt_epu16_mask, _mm512_loadu_si512,
    _mm512_mask_add_epi64, _mm512_mask_blend_epi64, _mm512_mask_sub_epi16, _mm512_mulhi_epu16,
    _mm512_mullo_epi16, _mm512_mullo_epi64, _mm512_or_si512, _mm512_rol_epi64, _mm512_set1_epi16,
    _mm512_set1_epi32, _mm512_set1_epi64, _mm512_slli_epi16, _mm512_slli_epi32, _mm512_slli_epi64,
    _mm512_srli_epi16, _mm512_srli_epi32, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_ternarylogic_epi64,
    _mm512_test_epi64_mask, _mm512_xor_si512,
};

use super::bytes::{Bytes, CHOOSE};
use crate::rng::mixing;

pub(super) const WORDS: usize = 8;

pub(super) type Words = __m512i;

pub(super) type WordMask = __mmask8;

copies_registers!([u64; WORDS] as Words: load_words by _mm512_loadu_si512, store_words by _mm512_storeu_si512);

for_this_path! {
    pub(super) fn words_of(mask: Bytes, byte: usize) -> WordMask {
        _mm512_test_epi64_mask(mask, _mm512_set1_epi64(0xff << (8 * byte)))
    }

    pub(super) fn choose_words(mask: WordMask, yes: Words, no: Words) -> Words {
        _mm512_mask_blend_epi64(mask, no, yes)
    }

    pub(super) fn add_to_words(mask: WordMask, a: Words, word: u64) -> Words {
        _mm512_mask_add_epi64(a, mask, a, _mm512_set1_epi64(word as i64))
    }

    pub(super) fn swap(a: Words) -> Words {
        _mm512_rol_epi64::<32>(a)
    }

    pub(super) fn to_high(a: Words) -> Words {
        _mm512_slli_epi64::<32>(a)
    }

    pub(super) fn to_low(a: Words) -> Words {
        _mm512_srli_epi64::<32>(a)
    }

    pub(super) fn join(low: Words, high: Words) -> Words {
        _mm512_ternarylogic_epi64::<CHOOSE>(low, high, _mm512_set1_epi64(!0 << 32))
    }

    pub(super) fn high_quarters(a: Words, b: Words) -> Words {
        _mm512_ternarylogic_epi64::<CHOOSE>(_mm512_srli_epi32::<16>(a), b, _mm512_set1_epi32(!0 << 16))
    }

    pub(super) fn low_quarters(a: Words, b: Words) -> Words {
        _mm512_ternarylogic_epi64::<CHOOSE>(a, _mm512_slli_epi32::<16>(b), _mm512_set1_epi32(!0 << 16))
    }

    pub(super) fn scale(high: Words, low: Words, factor: Words) -> Words {
        let below = _mm512_mulhi_epu16(low, factor);
        let sum = _mm512_add_epi16(_mm512_mullo_epi16(high, factor), below);
        let carries = _mm512_cmplt_epu16_mask(sum, below);
        let product = _mm512_mulhi_epu16(high, factor);
        _mm512_mask_sub_epi16(product, carries, product, _mm512_set1_epi16(-1))
    }

    pub(super) fn even_bytes(a: Bytes) -> Words {
        _mm512_and_si512(a, _mm512_set1_epi16(255))
    }

    pub(super) fn odd_bytes(a: Bytes) -> Words {
        _mm512_srli_epi16::<8>(a)
    }

    pub(super) fn interleave(even: Words, odd: Words) -> Bytes {
        _mm512_or_si512(even, _mm512_slli_epi16::<8>(odd))
    }

    pub(super) fn mix(a: Words) -> Words {
        let a = mix_step::<{ mixing::SHIFTS[0] }>(a, mixing::FACTORS[0]);
        let a = mix_step::<{ mixing::SHIFTS[1] }>(a, mixing::FACTORS[1]);
        _mm512_xor_si512(a, _mm512_srli_epi64::<{ mixing::SHIFTS[2] }>(a))
    }

    fn mix_step<const SHIFT: u32>(a: Words, factor: u64) -> Words {
        let a = _mm512_xor_si512(a, _mm512_srli_epi64::<SHIFT>(a));
        _mm512_mullo_epi64(a, _mm512_set1_epi64(factor as i64))
    }
}
