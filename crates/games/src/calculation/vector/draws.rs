//! The draws of games that are not in step: each game has taken its own number of draws.
//!
//! A turn of the wheel (see `group`) takes zero, one or two draws per game. So each game keeps the word of its next
//! draw and the word after it, and a mask tells which games have taken the high half of the first. Every turn makes a
//! word for every game, because nearly all games need it.

use super::bytes::{Bytes, Mask, all_if, both, but_not, differ, either, from_bits, to_bytes};
use super::words::{
    WORDS, Words, add_to_words, choose_words, even_bytes, high_quarters, interleave, join, load_words,
    low_quarters, mix, odd_bytes, scale, store_words, swap, to_high, to_low, words_of,
};
use crate::rng::mixing;

/// A word for each game: register `b` has those of the games at byte `b` of each eight.
#[repr(align(64))]
pub(super) struct WordsOfGames([[u64; WORDS]; 8]);

/// The place of each game among its draws.
pub(super) struct PlayoutRng {
    /// The words of the next draws.
    words: [Words; 8],
    /// The words after those.
    next: [Words; 8],
    /// The inputs of the mix for the words after those, less one step.
    counters: [Words; 8],
    /// The games whose next draw is a low half.
    odd: Mask,
}

/// A draw for each game: in register `b` the games at byte `b` of each eight as low halves, and those at byte `b + 4`
/// as high ones.
pub(super) type Halves = [Words; 4];

for_this_path! {
    pub(super) fn no_draws() -> PlayoutRng {
        let zero = load_words(&[0; WORDS]);
        PlayoutRng { words: [zero; 8], next: [zero; 8], counters: [zero; 8], odd: all_if(false) }
    }

    /// The inputs of the mix for the games' next words, to be set for games that begin.
    pub(super) fn counters(draws: &PlayoutRng) -> WordsOfGames {
        let mut counters = WordsOfGames([[0; WORDS]; 8]);
        for (words, &register) in counters.0.iter_mut().zip(&draws.counters) {
            store_words(words, register);
        }
        counters
    }

    /// Starts the games with these bits, whose counters have been set.
    pub(super) fn begin(draws: &mut PlayoutRng, bits: u64, counters: &WordsOfGames) {
        let games = from_bits(bits);
        let games_as_bytes = to_bytes(games);
        for byte in 0..8 {
            let games = words_of(games_as_bytes, byte);
            let counter = load_words(&counters.0[byte]);
            let first = mix(counter);
            draws.words[byte] = choose_words(games, first, draws.words[byte]);
            let counter = add_to_words(games, counter, mixing::GAMMA);
            draws.counters[byte] = counter;
            draws.next[byte] = mix(counter);
        }
        draws.odd = but_not(draws.odd, games);
    }

    /// The next draw of each game, and the draw after it for the games of the mask.
    pub(super) fn peek(draws: &PlayoutRng, second: Mask) -> (Halves, Halves) {
        let (odd, second) = (to_bytes(draws.odd), to_bytes(second));
        let (mut firsts, mut thens) = ([draws.words[0]; 4], [draws.words[0]; 4]);
        for low in 0..4 {
            let high = low + 4;
            let (odd_low, odd_high) = (words_of(odd, low), words_of(odd, high));
            let (word_low, word_high) = (draws.words[low], draws.words[high]);
            let first_low = choose_words(odd_low, word_low, swap(word_low));
            let first_high = choose_words(odd_high, swap(word_high), word_high);
            // The second half is the low half of the first word, unless it has been taken.
            let second_low = to_low(choose_words(odd_low, draws.next[low], first_low));
            let second_high = choose_words(odd_high, draws.next[high], to_high(first_high));
            let then_low = choose_words(words_of(second, low), second_low, first_low);
            let then_high = choose_words(words_of(second, high), second_high, first_high);
            firsts[low] = join(first_low, first_high);
            thens[low] = join(then_low, then_high);
        }
        (firsts, thens)
    }

    /// Takes a draw of the games of each mask.
    pub(super) fn take(draws: &mut PlayoutRng, one: Mask, another: Mask, mut meanwhile: impl FnMut(usize)) {
        let used_up = either(both(one, another), both(draws.odd, either(one, another)));
        draws.odd = differ(draws.odd, differ(one, another));
        let used_up = to_bytes(used_up);
        for byte in 0..8 {
            let used_up = words_of(used_up, byte);
            draws.words[byte] = choose_words(used_up, draws.next[byte], draws.words[byte]);
            draws.counters[byte] = add_to_words(used_up, draws.counters[byte], mixing::GAMMA);
            draws.next[byte] = mix(draws.counters[byte]);
            meanwhile(byte);
        }
    }

    /// A pick among at most 255 by a draw, like [`crate::rng::PlayoutRng::below`].
    pub(super) fn below(draws: &Halves, counts: Bytes) -> Bytes {
        let [a, b, c, d] = *draws;
        let even = scale(high_quarters(a, c), low_quarters(a, c), even_bytes(counts));
        let odd = scale(high_quarters(b, d), low_quarters(b, d), odd_bytes(counts));
        interleave(even, odd)
    }
}

impl WordsOfGames {
    pub(super) fn of(&mut self, game: usize) -> &mut u64 {
        &mut self.0[game % 8][game / 8]
    }
}
