//! A word of 64 bits for each game, in eight registers; and halves and quarters of words.

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

/// Words per register.
pub(super) const WORDS: usize = 8;

/// Words of some of the games.
pub(super) type Words = __m512i;

/// Some of the games of a register.
pub(super) type WordMask = __mmask8;

copies_registers!([u64; WORDS] as Words: load_words by _mm512_loadu_si512, store_words by _mm512_storeu_si512);

for_this_path! {
    /// The mask of the words of the games at this byte of each eight.
    pub(super) fn words_of(mask: Bytes, byte: usize) -> WordMask {
        _mm512_test_epi64_mask(mask, _mm512_set1_epi64(0xff << (8 * byte)))
    }

    pub(super) fn choose_words(mask: WordMask, yes: Words, no: Words) -> Words {
        _mm512_mask_blend_epi64(mask, no, yes)
    }

    pub(super) fn add_to_words(mask: WordMask, a: Words, word: u64) -> Words {
        _mm512_mask_add_epi64(a, mask, a, _mm512_set1_epi64(word as i64))
    }

    /// The halves of each word exchanged.
    pub(super) fn swap(a: Words) -> Words {
        _mm512_rol_epi64::<32>(a)
    }

    /// The low half of each word as the high one.
    pub(super) fn to_high(a: Words) -> Words {
        _mm512_slli_epi64::<32>(a)
    }

    /// The high half of each word as the low one.
    pub(super) fn to_low(a: Words) -> Words {
        _mm512_srli_epi64::<32>(a)
    }

    /// The low half of each word from one, the high half from the other.
    pub(super) fn join(low: Words, high: Words) -> Words {
        _mm512_ternarylogic_epi64::<CHOOSE>(low, high, _mm512_set1_epi64(!0 << 32))
    }

    /// For halves of words: the high quarters of all, those of `a` in the low places.
    pub(super) fn high_quarters(a: Words, b: Words) -> Words {
        _mm512_ternarylogic_epi64::<CHOOSE>(_mm512_srli_epi32::<16>(a), b, _mm512_set1_epi32(!0 << 16))
    }

    /// For halves of words: the low quarters of all, those of `a` in the low places.
    pub(super) fn low_quarters(a: Words, b: Words) -> Words {
        _mm512_ternarylogic_epi64::<CHOOSE>(a, _mm512_slli_epi32::<16>(b), _mm512_set1_epi32(!0 << 16))
    }

    /// (2¹⁶ · high + low) · factor / 2³², for quarters; the factor is less than 256.
    pub(super) fn scale(high: Words, low: Words, factor: Words) -> Words {
        let below = _mm512_mulhi_epu16(low, factor);
        let sum = _mm512_add_epi16(_mm512_mullo_epi16(high, factor), below);
        let carries = _mm512_cmplt_epu16_mask(sum, below);
        let product = _mm512_mulhi_epu16(high, factor);
        _mm512_mask_sub_epi16(product, carries, product, _mm512_set1_epi16(-1))
    }

    /// Every other byte from the first on, as quarters of words.
    pub(super) fn even_bytes(a: Bytes) -> Words {
        _mm512_and_si512(a, _mm512_set1_epi16(255))
    }

    /// Every other byte from the second on, as quarters of words.
    pub(super) fn odd_bytes(a: Bytes) -> Words {
        _mm512_srli_epi16::<8>(a)
    }

    /// Joins even and odd bytes.
    pub(super) fn interleave(even: Words, odd: Words) -> Bytes {
        _mm512_or_si512(even, _mm512_slli_epi16::<8>(odd))
    }

    /// The output function of the counter generator.
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
