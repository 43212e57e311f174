//! A word of 64 bits for each game, in eight registers; and halves and quarters of words.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi64, _mm256_adds_epu16, _mm256_and_si256, _mm256_blend_epi16,
    _mm256_blend_epi32, _mm256_blendv_epi8, _mm256_cmpeq_epi16, _mm256_loadu_si256, _mm256_mul_epu32,
    _mm256_mulhi_epu16, _mm256_mullo_epi16, _mm256_or_si256, _mm256_set1_epi16, _mm256_set1_epi64x,
    _mm256_shuffle_epi8, _mm256_shuffle_epi32, _mm256_slli_epi16, _mm256_slli_epi32, _mm256_slli_epi64,
    _mm256_srli_epi16, _mm256_srli_epi32, _mm256_srli_epi64, _mm256_storeu_si256, _mm256_xor_si256,
};

use super::bytes::{Bytes, GAMES, load};
use crate::rng::mixing;

/// Words per register.
pub(super) const WORDS: usize = 4;

/// Words of some of the games.
pub(super) type Words = __m256i;

/// Some of the games of a register: all ones in their words.
pub(super) type WordMask = __m256i;

/// For each byte of eight, the shuffle that spreads it over the eight.
static SPREAD: [[u8; GAMES]; 8] = {
    let mut spread = [[0; GAMES]; 8];
    let mut index = 0;
    while index < 8 * GAMES {
        let (byte, place) = (index / GAMES, index % GAMES);
        spread[byte][place] = (byte + place % 16 / 8 * 8) as u8;
        index += 1;
    }
    spread
};

copies_registers!([u64; WORDS] as Words: load_words by _mm256_loadu_si256, store_words by _mm256_storeu_si256);

for_this_path! {
    /// The mask of the words of the games at this byte of each eight.
    pub(super) fn words_of(mask: Bytes, byte: usize) -> WordMask {
        _mm256_shuffle_epi8(mask, load(&SPREAD[byte]))
    }

    pub(super) fn choose_words(mask: WordMask, yes: Words, no: Words) -> Words {
        _mm256_blendv_epi8(no, yes, mask)
    }

    pub(super) fn add_to_words(mask: WordMask, a: Words, word: u64) -> Words {
        _mm256_add_epi64(a, _mm256_and_si256(_mm256_set1_epi64x(word as i64), mask))
    }

    /// The halves of each word exchanged.
    pub(super) fn swap(a: Words) -> Words {
        _mm256_shuffle_epi32::<0b10_11_00_01>(a)
    }

    /// The low half of each word as the high one.
    pub(super) fn to_high(a: Words) -> Words {
        _mm256_slli_epi64::<32>(a)
    }

    /// The high half of each word as the low one.
    pub(super) fn to_low(a: Words) -> Words {
        _mm256_srli_epi64::<32>(a)
    }

    /// The low half of each word from one, the high half from the other.
    pub(super) fn join(low: Words, high: Words) -> Words {
        _mm256_blend_epi32::<0b1010_1010>(low, high)
    }

    /// For halves of words: the high quarters of all, those of `a` in the low places.
    pub(super) fn high_quarters(a: Words, b: Words) -> Words {
        _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(a), b)
    }

    /// For halves of words: the low quarters of all, those of `a` in the low places.
    pub(super) fn low_quarters(a: Words, b: Words) -> Words {
        _mm256_blend_epi16::<0b1010_1010>(a, _mm256_slli_epi32::<16>(b))
    }

    /// (2¹⁶ · high + low) · factor / 2³², for quarters; the factor is less than 256.
    pub(super) fn scale(high: Words, low: Words, factor: Words) -> Words {
        let below = _mm256_mulhi_epu16(low, factor);
        let above = _mm256_mullo_epi16(high, factor);
        // An addition that does not saturate carries nothing.
        let carries_not =
            _mm256_cmpeq_epi16(_mm256_adds_epu16(above, below), _mm256_add_epi16(above, below));
        let product = _mm256_mulhi_epu16(high, factor);
        _mm256_add_epi16(_mm256_add_epi16(product, _mm256_set1_epi16(1)), carries_not)
    }

    /// Every other byte from the first on, as quarters of words.
    pub(super) fn even_bytes(a: Bytes) -> Words {
        _mm256_and_si256(a, _mm256_set1_epi16(255))
    }

    /// Every other byte from the second on, as quarters of words.
    pub(super) fn odd_bytes(a: Bytes) -> Words {
        _mm256_srli_epi16::<8>(a)
    }

    /// Joins even and odd bytes.
    pub(super) fn interleave(even: Words, odd: Words) -> Bytes {
        _mm256_or_si256(even, _mm256_slli_epi16::<8>(odd))
    }

    /// The output function of the counter generator.
    pub(super) fn mix(a: Words) -> Words {
        let a = mix_step::<{ mixing::SHIFTS[0] as i32 }>(a, mixing::FACTORS[0]);
        let a = mix_step::<{ mixing::SHIFTS[1] as i32 }>(a, mixing::FACTORS[1]);
        _mm256_xor_si256(a, _mm256_srli_epi64::<{ mixing::SHIFTS[2] as i32 }>(a))
    }

    fn mix_step<const SHIFT: i32>(a: Words, factor: u64) -> Words {
        let a = _mm256_xor_si256(a, _mm256_srli_epi64::<SHIFT>(a));
        // The product modulo 2⁶⁴, from products of halves.
        let low = _mm256_set1_epi64x(factor as i64);
        let high = _mm256_set1_epi64x((factor >> 32) as i64);
        let crosswise = _mm256_add_epi64(_mm256_mul_epu32(to_low(a), low), _mm256_mul_epu32(a, high));
        _mm256_add_epi64(_mm256_mul_epu32(a, low), to_high(crosswise))
    }
}
