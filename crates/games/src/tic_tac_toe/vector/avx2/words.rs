//! The operations on a block: a word for each playout, and the number of its order.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_add_epi64, _mm256_blendv_epi8, _mm256_castps_si256,
    _mm256_castsi256_ps, _mm256_cmpgt_epi64, _mm256_i32gather_epi32, _mm256_mul_epu32,
    _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi32,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_shuffle_ps, _mm256_slli_epi64,
    _mm256_srli_epi64, _mm256_storeu_si256, _mm256_xor_si256,
};

use super::super::super::orders::{Orders, Packed};
use super::block::{GAMES, Numbers, WIDTH, Words};
use crate::game::Tally;
use crate::rng::mixing::{FACTORS, GAMMA, SHIFTS};

/// Words per register.
pub(super) const LANES: u64 = 4;

/// A register, of words or of numbers.
pub(super) type Register = __m256i;

for_this_path! {
    /// The results of the ends of orders, by their numbers.
    pub(super) fn worth_of(orders: &Orders) -> Register {
        let [a, b, c, d, e, f, g, h] = orders.worth.map(|worth| worth.0 as i32);
        _mm256_setr_epi32(a, b, c, d, e, f, g, h)
    }

    /// The same number for all playouts of a block.
    pub(super) fn all_numbers(number: usize) -> Numbers {
        [_mm256_set1_epi32(number as i32); WIDTH / 2]
    }

    pub(super) fn zero() -> Register {
        _mm256_setzero_si256()
    }

    pub(super) fn add_words(a: Register, b: Register) -> Register {
        _mm256_add_epi64(a, b)
    }

    pub(super) fn add_numbers(a: Register, b: Register) -> Register {
        _mm256_add_epi32(a, b)
    }

    /// The output function of the counter generator.
    pub(super) fn mix(words: Words) -> Words {
        let words = times(shifted::<{ SHIFTS[0] as i32 }>(words), FACTORS[0]);
        let words = times(shifted::<{ SHIFTS[1] as i32 }>(words), FACTORS[1]);
        shifted::<{ SHIFTS[2] as i32 }>(words)
    }

    /// The results of eight orders.
    pub(super) fn look_up(ends: &[u8], worth: Register, numbers: Register) -> Register {
        #[expect(unsafe_code, reason = "reads through pointers")]
        // SAFETY: a number is that of an order or `nothing`, and three more ends follow either.
        let found = unsafe { _mm256_i32gather_epi32::<1>(ends.as_ptr().cast(), numbers) };
        // The lowest three bits count.
        _mm256_permutevar8x32_epi32(worth, found)
    }

    /// The numbers of the orders of a block's words. If fewer playouts are left, the other lanes get no order.
    pub(super) fn numbers_of(words: Words, count: u64, left: u64, nothing: usize) -> Numbers {
        let mut scaled = scaled(words, count);
        if left < GAMES {
            for (i, word) in scaled.iter_mut().enumerate() {
                let lanes = _mm256_add_epi64(_mm256_setr_epi64x(0, 1, 2, 3), all(4 * i as u64));
                let used = _mm256_cmpgt_epi64(all(left), lanes);
                *word = _mm256_blendv_epi8(all((nothing as u64) << 32), *word, used);
            }
        }
        [high_halves(scaled[0], scaled[1]), high_halves(scaled[2], scaled[3])]
    }

    /// `(word · count) >> 64` for a count below 2³², in the high half of each lane.
    fn scaled(mut words: Words, count: u64) -> Words {
        for word in &mut words {
            let high = _mm256_mul_epu32(_mm256_srli_epi64::<32>(*word), all(count));
            let low = _mm256_mul_epu32(*word, all(count));
            *word = _mm256_add_epi64(high, _mm256_srli_epi64::<32>(low));
        }
        words
    }

    /// The high halves of two registers' lanes.
    fn high_halves(a: Register, b: Register) -> Register {
        _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)))
    }

    /// The same word in all lanes.
    pub(super) fn all(word: u64) -> Register {
        _mm256_set1_epi64x(word as i64)
    }

    /// The inputs of the mix for the keys of four playouts, the first one `first`.
    pub(super) fn addresses(first: u64) -> Register {
        let [b, c, d] = [1, 2, 3].map(|number: u64| GAMMA.wrapping_mul(number) as i64);
        _mm256_add_epi64(all(first), _mm256_setr_epi64x(0, b, c, d))
    }

    /// Each word exclusive-or itself shifted down.
    fn shifted<const BY: i32>(mut words: Words) -> Words {
        for word in &mut words {
            *word = _mm256_xor_si256(*word, _mm256_srli_epi64::<BY>(*word));
        }
        words
    }

    /// A 64-bit product from three products of halves.
    fn times(mut words: Words, factor: u64) -> Words {
        for word in &mut words {
            let low = _mm256_mul_epu32(*word, all(factor));
            let swapped = _mm256_shuffle_epi32::<0b10_11_00_01>(*word);
            let high = _mm256_add_epi64(
                _mm256_mul_epu32(swapped, all(factor)),
                _mm256_mul_epu32(*word, all(factor >> 32)),
            );
            *word = _mm256_add_epi64(low, _mm256_slli_epi64::<32>(high));
        }
        words
    }

    pub(super) fn unpack(sum: Register, tally: &mut Tally) {
        let mut lanes = [Packed(0); 8];
        #[expect(unsafe_code, reason = "writes through a pointer")]
        // SAFETY: eight words are the 32 bytes that are written, which need not be aligned.
        unsafe {
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum);
        }
        for packed in lanes {
            packed.unpack(tally);
        }
    }
}
