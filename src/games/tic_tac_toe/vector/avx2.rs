//! Sixteen playouts at a time: their words in four registers, the numbers of their orders in two.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_add_epi64, _mm256_blendv_epi8, _mm256_castps_si256,
    _mm256_castsi256_ps, _mm256_cmpgt_epi64, _mm256_i32gather_epi32, _mm256_mul_epu32,
    _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi32,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_shuffle_ps, _mm256_slli_epi64,
    _mm256_srli_epi64, _mm256_storeu_si256, _mm256_xor_si256,
};

use super::super::orders::{Orders, Packed};
use crate::game::{Batch, Tally};
use crate::rng::mixing::{FACTORS, GAMMA, SHIFTS};

/// Registers of words.
const WIDTH: usize = 4;

/// Playouts in them: a block.
const GAMES: u64 = 4 * WIDTH as u64;

/// A word for each playout of a block.
type Words = [__m256i; WIDTH];

/// The number of an order for each playout of a block, in some order.
type Numbers = [__m256i; WIDTH / 2];

/// Functions compiled for the instructions of this path.
macro_rules! for_avx2 {
    ($($function:item)*) => {$(
        #[target_feature(enable = "avx2")]
        #[inline]
        $function
    )*};
}

for_avx2! {
    /// Plays a batch.
    pub(super) fn playouts(orders: &Orders, batch: Batch) -> Tally {
        let [a, b, c, d, e, f, g, h] = orders.worth().map(|worth| worth.0 as i32);
        let worth = _mm256_setr_epi32(a, b, c, d, e, f, g, h);
        let (ends, count, nothing) = (orders.ends(), orders.count(), orders.nothing());
        let mut tally = Tally { playouts: batch.count, ..Tally::default() };
        let mut addresses = addresses(batch.key.address(batch.first));
        let mut numbers = [_mm256_set1_epi32(nothing as i32); WIDTH / 2];
        let mut left = batch.count;
        // A step looks a block up and mixes the next one, of which there is none at the last.
        let mut steps = batch.count.div_ceil(GAMES) + 1;
        while steps > 0 {
            let now = steps.min(Packed::MOST / numbers.len() as u64);
            let mut sum = _mm256_setzero_si256();
            for _ in 0..now {
                let words;
                (words, sum) = step(ends, worth, addresses, numbers, sum);
                numbers = numbers_of(words, count, left, nothing);
                addresses = _mm256_add_epi64(addresses, all(GAMMA.wrapping_mul(GAMES)));
                left = left.saturating_sub(GAMES);
            }
            unpack(sum, &mut tally);
            steps -= now;
        }
        tally
    }

    /// Looks up what the orders of one block are worth, adds it, and mixes the words of the next: neither waits for the
    /// other.
    fn step(
        ends: &[u8],
        worth: __m256i,
        addresses: __m256i,
        numbers: Numbers,
        sum: __m256i,
    ) -> (Words, __m256i) {
        let sum = _mm256_add_epi32(sum, look_up(ends, worth, numbers[0]));
        let sum = _mm256_add_epi32(sum, look_up(ends, worth, numbers[1]));
        let mut words = [addresses; WIDTH];
        for (i, word) in words.iter_mut().enumerate() {
            *word = _mm256_add_epi64(*word, all(GAMMA.wrapping_mul(4 * i as u64)));
        }
        let words = times(shifted::<{ SHIFTS[0] as i32 }>(words), FACTORS[0]);
        let words = times(shifted::<{ SHIFTS[1] as i32 }>(words), FACTORS[1]);
        let mut words = shifted::<{ SHIFTS[2] as i32 }>(words);
        for word in &mut words {
            *word = _mm256_add_epi64(*word, all(GAMMA));
        }
        let words = times(shifted::<{ SHIFTS[0] as i32 }>(words), FACTORS[0]);
        let words = times(shifted::<{ SHIFTS[1] as i32 }>(words), FACTORS[1]);
        (shifted::<{ SHIFTS[2] as i32 }>(words), sum)
    }

    /// What eight orders are worth.
    fn look_up(ends: &[u8], worth: __m256i, numbers: __m256i) -> __m256i {
        #[expect(unsafe_code, reason = "reads through pointers")]
        // SAFETY: a number is that of an order or `nothing`, and behind the end of either stand three more.
        let found = unsafe { _mm256_i32gather_epi32::<1>(ends.as_ptr().cast(), numbers) };
        // The lowest three bits count.
        _mm256_permutevar8x32_epi32(worth, found)
    }

    /// The numbers of the orders that the words of a block stand for. Where fewer playouts are left, the other lanes get
    /// no order.
    fn numbers_of(words: Words, count: u64, left: u64, nothing: usize) -> Numbers {
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
    fn high_halves(a: __m256i, b: __m256i) -> __m256i {
        _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)))
    }

    /// The same word in all lanes.
    fn all(word: u64) -> __m256i {
        _mm256_set1_epi64x(word as i64)
    }

    /// What the keys of four playouts are mixed from, the first one from `first`.
    fn addresses(first: u64) -> __m256i {
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

    /// A product of 64 bits out of three of halves.
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

    fn unpack(sum: __m256i, tally: &mut Tally) {
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
