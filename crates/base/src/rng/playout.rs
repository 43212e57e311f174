//! The counter generator of playouts: `SplitMix64`, addressed by position instead of stepped.
//!
//! Word *j* under a key *k* is `mix(k + (j + 1)·γ)` with `SplitMix64`'s constants (Steele, Lea, Flood 2014,
//! "Fast splittable pseudorandom number generators"; the mix is Stafford's variant 13). Draws `2j` and
//! `2j + 1` are the high and the low half of word *j*. A pick among *n* is `(draw · n) >> 32`. A short game may
//! instead let its picks share whole words: see [`PlayoutRng::digit`].
//!
//! Reasons: it needs only 64-bit addition, shifts, exclusive-or and multiplication, so that scalar code, AVX2 and AVX-512
//! compute the same words (two multiplications serve two plies), and test vectors are published. Rejected: Philox 2×32
//! with 7 rounds (the same quality, but about twice the vector operations per ply, and seven dependent multiplications
//! in scalar code), and any generator with a carried state, which would tie a draw to its lane.

use std::convert::Infallible;

use rand_xoshiro::rand_core::TryRng;

use mixing::{GAMMA, mix};

/// The constants of the generator, for code that computes its words in vector lanes.
pub mod mixing {
    /// The golden gamma of `SplitMix64`: 2⁶⁴ divided by the golden ratio, made odd.
    pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The factors of Stafford's mix 13.
    pub const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

    /// The shifts before each multiplication and after the last.
    pub const SHIFTS: [u32; 3] = [30, 27, 31];

    /// Stafford's mix 13, the output function of `SplitMix64`.
    #[inline(always)]
    pub const fn mix(mut z: u64) -> u64 {
        z = (z ^ (z >> SHIFTS[0])).wrapping_mul(FACTORS[0]);
        z = (z ^ (z >> SHIFTS[1])).wrapping_mul(FACTORS[1]);
        z ^ (z >> SHIFTS[2])
    }
}

/// The input of the mix for word `index` under `key`.
#[inline(always)]
const fn address(key: u64, index: u64) -> u64 {
    key.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA))
}

/// Word `index` under `key`.
#[inline(always)]
const fn word(key: u64, index: u64) -> u64 {
    mix(address(key, index))
}

/// A key of the counter generator: a node of a tree whose children are keys.
///
/// A trial's player has a key; move *m* of the player is `key.child(m)`; a searcher hands each of its batches
/// a child of that; playout *p* of a batch draws from [`PlayoutKey::playout`]`(p)`.
///
/// # Cost
/// Eight bytes; a child costs one mix (about two nanoseconds).
///
/// # Example: the same address, the same draws
/// ```
/// use shikou::rng::PlayoutKey;
/// let key = PlayoutKey::new(7).child(3);
/// let mut a = key.playout(1_000_000);
/// let mut b = key.playout(1_000_000);
/// assert_eq!(a.next_u32(), b.next_u32());
/// assert!((0..100).all(|_| a.below(6) < 6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayoutKey(u64);

impl PlayoutKey {
    /// The key with this number. Equal numbers give equal draws.
    #[inline]
    pub const fn new(key: u64) -> Self {
        Self(key)
    }

    /// The number of this key: `PlayoutKey::new(key.to_u64()) == key`.
    #[inline]
    pub const fn to_u64(self) -> u64 {
        self.0
    }

    /// The key below this one with the given index: word `index` under this key.
    #[inline]
    #[must_use]
    pub const fn child(self, index: u64) -> Self {
        Self(word(self.0, index))
    }

    /// The draws of playout `index` under this key. The playout's own key is [`PlayoutKey::child`]`(index)`.
    #[inline]
    pub const fn playout(self, index: u64) -> PlayoutRng {
        PlayoutRng { counter: self.counter(index), low: 0, odd: false, rest: 0, served: 0 }
    }

    /// The input of the mix for the key of playout `index`; each later playout adds [`GAMMA`].
    #[inline(always)]
    pub const fn address(self, index: u64) -> u64 {
        address(self.0, index)
    }

    /// The input of the mix for the first word of playout `index`; each later word adds [`GAMMA`].
    #[inline(always)]
    pub const fn counter(self, index: u64) -> u64 {
        word(self.0, index).wrapping_add(GAMMA)
    }
}

/// The draws of one playout, in order: draw *i* is a function of the playout's key and *i* alone.
///
/// Words are used in order. A 32-bit draw takes a word for itself and the next draw; a shared pick takes a word for
/// itself and the picks that share it. Draws and shared picks never use the same word.
///
/// # Laws
/// A uniform playout takes exactly one pick at each turn, of a player or of chance, also if there is only one move: a draw
/// of its own ([`below`](Self::below)) or, in the few games that say so, a pick that shares a word
/// ([`digit`](Self::digit)). A policy documents how many it takes. So, except in those games, draw *i* belongs to ply *i*
/// of a uniform playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutRng {
    /// The input of the mix for the next word.
    counter: u64,
    /// The low half of the word of the last draw.
    low: u32,
    /// Whether that half is the next draw.
    odd: bool,
    /// The remainder of the word that picks share, as a fraction of 2⁶⁴.
    rest: u64,
    /// The product of the numbers *n* that the word has served; 0 if there is no such word.
    served: u32,
}

/// The largest product of the numbers *n* that a word serves. It exceeds 9!, the number of orders of nine things.
const SHARED: u64 = 1 << 20;

impl PlayoutRng {
    /// A new word.
    #[inline(always)]
    fn word(&mut self) -> u64 {
        let word = mix(self.counter);
        self.counter = self.counter.wrapping_add(GAMMA);
        word
    }

    /// The next 32 random bits.
    ///
    /// # Cost
    /// Every second call mixes a word: about ten integer operations that depend on the counter only. The processor
    /// predicts the alternation; mixing in every call, without a branch, was up to 11 % slower in playouts.
    #[inline(always)]
    pub fn next_u32(&mut self) -> u32 {
        if self.odd {
            self.odd = false;
            return self.low;
        }
        let word = self.word();
        self.low = word as u32;
        self.odd = true;
        (word >> 32) as u32
    }

    /// A pick among `n`: `(draw · n) >> 32`, in `0..n`. One draw.
    ///
    /// The probability of a pick differs from `1/n` by at most 2⁻³²; relative to `1/n` by `n · 2⁻³²`, which is under 2⁻²⁶
    /// for the at most 33 moves of an Othello position.
    ///
    /// # Panics
    /// Never; for `n = 0` it returns 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// A pick among `n`, in `0..n`: the next digit of a word that picks share.
    ///
    /// The word is a fraction of 1. The integer part of `n` times the fraction is the pick, and the fractional part serves
    /// the next pick: the picks are the digits of the word in the mixed radix of the numbers *n*. A new word begins if
    /// there is none yet, or if the product of the numbers that a word has served would exceed 2²⁰. So all nine plies of a
    /// game of tic-tac-toe share one word, and the whole game is the number `(word · 9!) >> 64`.
    ///
    /// The probability of any combination of the picks that share a word differs from uniform by at most 2⁻⁶⁴, in relative
    /// terms by at most 2⁻⁴⁴. A pick among more than 2²⁰ has a word of its own, and a relative error below 2⁻³².
    ///
    /// # Panics
    /// Never; for `n = 0` it returns 0, and the next pick begins a new word.
    ///
    /// # Cost
    /// Two multiplications, and a mix for a new word.
    ///
    /// # Example: the order of nine things from one word
    /// ```
    /// use shikou::rng::PlayoutKey;
    /// let mut draws = PlayoutKey::new(7).playout(0);
    /// let mut things: Vec<u32> = (1..=9).collect();
    /// let order: Vec<u32> = (1..=9).rev().map(|n| things.remove(draws.digit(n) as usize)).collect();
    /// assert_eq!(order.iter().sum::<u32>(), 45);
    /// ```
    #[inline(always)]
    pub fn digit(&mut self, n: u32) -> u32 {
        let mut served = u64::from(self.served) * u64::from(n);
        // 0 (no word) wraps to the largest number here.
        if served.wrapping_sub(1) >= SHARED {
            self.rest = self.word();
            served = u64::from(n);
        }
        self.served = served as u32;
        let product = u128::from(self.rest) * u128::from(n);
        self.rest = product as u64;
        (product >> 64) as u32
    }
}

/// The traits of `rand`: words of 32 bits are draws, one after the other; a word of 64 bits is two of them, the high half
/// first. The warning at [`Rng`](super::Rng) holds here too.
impl TryRng for PlayoutRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let high = u64::from(self.next_u32());
        Ok(high << 32 | u64::from(self.next_u32()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(4) {
            chunk.copy_from_slice(&self.next_u32().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
