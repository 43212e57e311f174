//! A batch in blocks of playouts, with their words in a few registers: the same source on every path.

use super::super::super::orders::{Orders, Packed};
use super::words::{
    LANES, Register, add_numbers, add_words, addresses, all, all_numbers, look_up, mix, numbers_of, unpack,
    worth_of, zero,
};
use crate::game::{Batch, Tally};
use crate::rng::mixing::GAMMA;

/// Registers of words.
pub(super) const WIDTH: usize = 4;

/// Playouts in a block.
pub(super) const GAMES: u64 = LANES * WIDTH as u64;

/// A word for each playout of a block.
pub(super) type Words = [Register; WIDTH];

/// The number of an order for each playout of a block, in no particular order.
pub(super) type Numbers = [Register; WIDTH / 2];

for_this_path! {
    pub(in super::super) fn playouts(orders: &Orders, batch: Batch) -> Tally {
        let worth = worth_of(orders);
        let (ends, count, nothing) = (orders.ends, orders.count, orders.nothing());
        let mut tally = Tally { playouts: batch.count, ..Tally::default() };
        let mut addresses = addresses(batch.key.address(batch.first));
        let mut numbers = all_numbers(nothing);
        let mut left = batch.count;
        // A step looks up a block and mixes the next one, which is empty in the last step.
        let mut steps = batch.count.div_ceil(GAMES) + 1;
        while steps > 0 {
            let now = steps.min(Packed::MOST / numbers.len() as u64);
            let mut sum = zero();
            for _ in 0..now {
                let words;
                (words, sum) = step(ends, worth, addresses, numbers, sum);
                numbers = numbers_of(words, count, left, nothing);
                addresses = add_words(addresses, all(GAMMA.wrapping_mul(GAMES)));
                left = left.saturating_sub(GAMES);
            }
            unpack(sum, &mut tally);
            steps -= now;
        }
        tally
    }

    /// Looks up and adds the results of one block, and mixes the words of the next: independent work.
    fn step(
        ends: &[u8],
        worth: Register,
        addresses: Register,
        numbers: Numbers,
        sum: Register,
    ) -> (Words, Register) {
        let sum = add_numbers(sum, look_up(ends, worth, numbers[0]));
        let sum = add_numbers(sum, look_up(ends, worth, numbers[1]));
        let mut words = [addresses; WIDTH];
        for (i, word) in words.iter_mut().enumerate() {
            *word = add_words(*word, all(GAMMA.wrapping_mul(LANES * i as u64)));
        }
        // The keys of the playouts, and the first word under each.
        let mut words = mix(words);
        for word in &mut words {
            *word = add_words(*word, all(GAMMA));
        }
        (mix(words), sum)
    }
}
