//! Thirty-two playouts at a time: their words in four registers, the numbers of their orders in two.

use std::arch::x86_64::{
    __m512i, _mm256_setr_epi32, _mm512_add_epi32, _mm512_add_epi64, _mm512_broadcast_i64x4,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_i32gather_epi32, _mm512_mask_set1_epi64,
    _mm512_maskz_shuffle_epi32, _mm512_mul_epu32, _mm512_mullo_epi64, _mm512_permutexvar_epi32,
    _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_shuffle_epi32,
    _mm512_shuffle_ps, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_xor_si512,
};

use super::super::orders::{Orders, Packed};
use crate::game::{Batch, Tally};
use crate::rng::mixing::{FACTORS, GAMMA, SHIFTS};

/// Registers of words.
const WIDTH: usize = 4;

/// Playouts in them: a block.
const GAMES: u64 = 8 * WIDTH as u64;

/// A word for each playout of a block.
type Words = [__m512i; WIDTH];

/// The number of an order for each playout of a block, in some order.
type Numbers = [__m512i; WIDTH / 2];

/// Functions compiled for the instructions of this path.
macro_rules! for_avx512 {
    ($($function:item)*) => {$(
        #[target_feature(enable = "avx512f,avx512dq")]
        #[inline]
        $function
    )*};
}

for_avx512! {
    /// Plays a batch.
    pub(super) fn playouts(orders: &Orders, batch: Batch) -> Tally {
        let [a, b, c, d, e, f, g, h] = orders.worth().map(|worth| worth.0 as i32);
        let worth = _mm512_broadcast_i64x4(_mm256_setr_epi32(a, b, c, d, e, f, g, h));
        let (ends, count, nothing) = (orders.ends(), orders.count(), orders.nothing());
        let mut tally = Tally { playouts: batch.count, ..Tally::default() };
        let mut addresses = addresses(batch.key.address(batch.first));
        let mut numbers = [_mm512_set1_epi32(nothing as i32); WIDTH / 2];
        let mut left = batch.count;
        // A step looks a block up and mixes the next one, of which there is none at the last.
        let mut steps = batch.count.div_ceil(GAMES) + 1;
        while steps > 0 {
            let now = steps.min(Packed::MOST / numbers.len() as u64);
            let mut sum = _mm512_setzero_si512();
            for _ in 0..now {
                let words;
                (words, sum) = step(ends, worth, addresses, numbers, sum);
                numbers = numbers_of(words, count, left, nothing);
                addresses = _mm512_add_epi64(addresses, all(GAMMA.wrapping_mul(GAMES)));
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
        worth: __m512i,
        addresses: __m512i,
        numbers: Numbers,
        sum: __m512i,
    ) -> (Words, __m512i) {
        let sum = _mm512_add_epi32(sum, look_up(ends, worth, numbers[0]));
        let sum = _mm512_add_epi32(sum, look_up(ends, worth, numbers[1]));
        let mut words = [addresses; WIDTH];
        for (i, word) in words.iter_mut().enumerate() {
            *word = _mm512_add_epi64(*word, all(GAMMA.wrapping_mul(8 * i as u64)));
        }
        let words = times(shifted::<{ SHIFTS[0] }>(words), FACTORS[0]);
        let words = times(shifted::<{ SHIFTS[1] }>(words), FACTORS[1]);
        let mut words = shifted::<{ SHIFTS[2] }>(words);
        for word in &mut words {
            *word = _mm512_add_epi64(*word, all(GAMMA));
        }
        let words = times(shifted::<{ SHIFTS[0] }>(words), FACTORS[0]);
        let words = times(shifted::<{ SHIFTS[1] }>(words), FACTORS[1]);
        (shifted::<{ SHIFTS[2] }>(words), sum)
    }

    /// What sixteen orders are worth.
    fn look_up(ends: &[u8], worth: __m512i, numbers: __m512i) -> __m512i {
        #[expect(unsafe_code, reason = "reads through pointers")]
        // SAFETY: a number is that of an order or `nothing`, and behind the end of either stand three more.
        let found = unsafe { _mm512_i32gather_epi32::<1>(numbers, ends.as_ptr().cast()) };
        // The lowest four bits count: the end is below 8.
        _mm512_permutexvar_epi32(found, worth)
    }

    /// The numbers of the orders that the words of a block stand for. Where fewer playouts are left, the other lanes get
    /// no order.
    fn numbers_of(words: Words, count: u64, left: u64, nothing: usize) -> Numbers {
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

    /// `(word · count) >> 64` for a count below 2³², in the high half of each lane.
    fn scaled(mut words: Words, count: u64) -> Words {
        for word in &mut words {
            let high = _mm512_mul_epu32(_mm512_shuffle_epi32::<0b11_11_01_01>(*word), all(count));
            let low = _mm512_mul_epu32(*word, all(count));
            *word = _mm512_add_epi64(high, _mm512_maskz_shuffle_epi32::<0b11_11_01_01>(0x5555, low));
        }
        words
    }

    /// The high halves of two registers' lanes.
    fn high_halves(a: __m512i, b: __m512i) -> __m512i {
        _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b)))
    }

    /// The same word in all lanes.
    fn all(word: u64) -> __m512i {
        _mm512_set1_epi64(word as i64)
    }

    /// What the keys of eight playouts are mixed from, the first one from `first`.
    fn addresses(first: u64) -> __m512i {
        let numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        _mm512_add_epi64(all(first), _mm512_mullo_epi64(numbers, all(GAMMA)))
    }

    /// Each word exclusive-or itself shifted down.
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

    fn unpack(sum: __m512i, tally: &mut Tally) {
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
