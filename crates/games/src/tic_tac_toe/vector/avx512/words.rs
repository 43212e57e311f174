//! The operations on a block: a word for each playout, and the number of its order. Functions are described at those of
//! the same names for AVX2.

use std::arch::x86_64::{
    __m512i, _mm256_setr_epi32, _mm512_add_epi32, _mm512_add_epi64, _mm512_broadcast_i64x4,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_i32gather_epi32, _mm512_mask_set1_epi64,
    _mm512_maskz_shuffle_epi32, _mm512_mul_epu32, _mm512_mullo_epi64, _mm512_permutexvar_epi32,
    _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_shuffle_epi32,
    _mm512_shuffle_ps, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_xor_si512,
};

use super::super::super::orders::{Orders, Packed};
use super::block::{GAMES, Numbers, WIDTH, Words};
use crate::game::Tally;
use crate::rng::mixing::{FACTORS, GAMMA, SHIFTS};

/// Words per register.
pub(super) const LANES: u64 = 8;

/// A register, of words or of numbers.
pub(super) type Register = __m512i;

for_this_path! {
    pub(super) fn worth_of(orders: &Orders) -> Register {
        let [a, b, c, d, e, f, g, h] = orders.worth.map(|worth| worth.0 as i32);
        _mm512_broadcast_i64x4(_mm256_setr_epi32(a, b, c, d, e, f, g, h))
    }

    pub(super) fn all_numbers(number: usize) -> Numbers {
        [_mm512_set1_epi32(number as i32); WIDTH / 2]
    }

    pub(super) fn zero() -> Register {
        _mm512_setzero_si512()
    }

    pub(super) fn add_words(a: Register, b: Register) -> Register {
        _mm512_add_epi64(a, b)
    }

    pub(super) fn add_numbers(a: Register, b: Register) -> Register {
        _mm512_add_epi32(a, b)
    }

    pub(super) fn mix(words: Words) -> Words {
        let words = times(shifted::<{ SHIFTS[0] }>(words), FACTORS[0]);
        let words = times(shifted::<{ SHIFTS[1] }>(words), FACTORS[1]);
        shifted::<{ SHIFTS[2] }>(words)
    }

    /// The results of sixteen orders.
    pub(super) fn look_up(ends: &[u8], worth: Register, numbers: Register) -> Register {
        #[expect(unsafe_code, reason = "reads through pointers")]
        // SAFETY: a number is that of an order or `nothing`, and three more ends follow either.
        let found = unsafe { _mm512_i32gather_epi32::<1>(numbers, ends.as_ptr().cast()) };
        // The lowest four bits count: the end is below 8.
        _mm512_permutexvar_epi32(found, worth)
    }

    pub(super) fn numbers_of(words: Words, count: u64, left: u64, nothing: usize) -> Numbers {
        let mut scaled = scaled(words, count);
        if left < GAMES {
            for (i, word) in scaled.iter_mut().enumerate() {
                let used = left.saturating_sub(8 * i as u64).min(8);
                let unused = (0xff_u32 << used) as u8;
                *word = _mm512_mask_set1_epi64(*word, unused, (nothing as i64) << 32);
            }
        }
        [high_halves(scaled[0], scaled[1]), high_halves(scaled[2], scaled[3])]
    }

    fn scaled(mut words: Words, count: u64) -> Words {
        for word in &mut words {
            let high = _mm512_mul_epu32(_mm512_shuffle_epi32::<0b11_11_01_01>(*word), all(count));
            let low = _mm512_mul_epu32(*word, all(count));
            *word = _mm512_add_epi64(high, _mm512_maskz_shuffle_epi32::<0b11_11_01_01>(0x5555, low));
        }
        words
    }

    fn high_halves(a: Register, b: Register) -> Register {
        _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b)))
    }

    pub(super) fn all(word: u64) -> Register {
        _mm512_set1_epi64(word as i64)
    }

    /// The inputs of the mix for the keys of eight playouts, the first one `first`.
    pub(super) fn addresses(first: u64) -> Register {
        let numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        _mm512_add_epi64(all(first), _mm512_mullo_epi64(numbers, all(GAMMA)))
    }

    fn shifted<const BY: u32>(mut words: Words) -> Words {
        for word in &mut words {
            *word = _mm512_xor_si512(*word, _mm512_srli_epi64::<BY>(*word));
        }
        words
    }

    fn times(mut words: Words, factor: u64) -> Words {
        for word in &mut words {
            *word = _mm512_mullo_epi64(*word, all(factor));
        }
        words
    }

    pub(super) fn unpack(sum: Register, tally: &mut Tally) {
        let mut lanes = [Packed(0); 16];
        #[expect(unsafe_code, reason = "writes through a pointer")]
        // SAFETY: sixteen words are the 64 bytes that are written, which need not be aligned.
        unsafe {
            _mm512_storeu_si512(lanes.as_mut_ptr().cast(), sum);
        }
        for packed in lanes {
            packed.unpack(tally);
        }
    }
}
