//! The counter generator of playouts: `SplitMix64`, addressed by position instead of stepped.
//!
//! Word *j* under a key *k* is `mix(k + (j + 1)·γ)` with `SplitMix64`'s constants (Steele, Lea, Flood 2014,
//! "Fast splittable pseudorandom number generators"; the mix is Stafford's variant 13). Draws `2j` and
//! `2j + 1` are the high and the low half of word *j*. A pick among *n* is `(draw · n) >> 32`. A game that is short
//! may instead let its picks share whole words: see [`Draws::share`].
//!
//! Why this one: it needs only 64-bit addition, shifts, exclusive-or and multiplication, so that scalar
//! code, AVX2 and AVX-512 compute the same words (two multiplications serve two plies), and there are
//! published vectors. Rejected: Philox 2×32 with 7 rounds (as sound, but about twice the vector operations
//! a ply, and seven dependent multiplications in scalar code), and any generator with a carried state,
//! which would tie a draw to the lane that made it.

use mixing::{GAMMA, mix};

/// The numbers of the generator, for code that computes its words in vector lanes.
pub(crate) mod mixing {
    /// The golden gamma of `SplitMix64`: 2⁶⁴ divided by the golden ratio, made odd.
    pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

    /// What Stafford's mix 13 multiplies by.
    pub(crate) const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

    /// By how much it shifts before each multiplication and after the last.
    pub(crate) const SHIFTS: [u32; 3] = [30, 27, 31];

    /// Stafford's mix 13, the output function of `SplitMix64`.
    #[inline(always)]
    pub(crate) const fn mix(mut z: u64) -> u64 {
        z = (z ^ (z >> SHIFTS[0])).wrapping_mul(FACTORS[0]);
        z = (z ^ (z >> SHIFTS[1])).wrapping_mul(FACTORS[1]);
        z ^ (z >> SHIFTS[2])
    }
}

/// What word `index` under `key` is mixed from.
#[inline(always)]
const fn address(key: u64, index: u64) -> u64 {
    key.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA))
}

/// Word `index` under `key`.
#[inline(always)]
const fn word(key: u64, index: u64) -> u64 {
    mix(address(key, index))
}

/// A key of the counter generator: a node in a tree of which every child is a key again.
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
    pub const fn playout(self, index: u64) -> Draws {
        Draws { counter: self.counter(index), low: 0, odd: false, rest: 0, served: 0 }
    }

    /// What the key of playout `index` is mixed from; that of each later playout, from [`GAMMA`] more.
    #[inline(always)]
    pub(crate) const fn address(self, index: u64) -> u64 {
        address(self.0, index)
    }

    /// What the first word of the draws of playout `index` is mixed from; each later one, from [`GAMMA`] more.
    #[inline(always)]
    pub(crate) const fn counter(self, index: u64) -> u64 {
        word(self.0, index).wrapping_add(GAMMA)
    }
}

/// The draws of one playout, in order: draw *i* is a function of the playout's key and *i* alone.
///
/// Words are used in order, by whoever needs a fresh one: a draw of 32 bits takes one for itself and the draw after
/// it, and a pick that shares takes one for itself and the picks that share it. The two never use the same word.
///
/// # Laws
/// A uniform playout takes exactly one pick at each turn, a player's or chance's, also where there is only one
/// move: a draw of its own ([`below`](Self::below)) or, in the few games that say so, one that shares a word
/// ([`share`](Self::share)). A policy says how many it takes. So, but for those games, draw *i* belongs to ply
/// *i* of a uniform playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws {
    /// What the next word is mixed from.
    counter: u64,
    /// The low half of the word that the last draw took.
    low: u32,
    /// Whether that half is still to be drawn.
    odd: bool,
    /// What is left of the word that picks share, as a fraction of 2⁶⁴.
    rest: u64,
    /// The product of the numbers among which it has picked; 0 while there is no such word.
    served: u32,
}

/// So far may a word be shared: the product of the numbers among which it picks. All orders of nine things, 9!, are
/// below it.
const SHARED: u64 = 1 << 20;

impl Draws {
    /// A fresh word.
    #[inline(always)]
    fn word(&mut self) -> u64 {
        let word = mix(self.counter);
        self.counter = self.counter.wrapping_add(GAMMA);
        word
    }

    /// The next 32 random bits.
    ///
    /// # Cost
    /// Every other time a mix, about ten integer operations that depend on nothing but the count. Taking turns is
    /// foretold where draws are; mixing each time instead, without a branch, was up to 11 % slower in playouts.
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
    /// No pick's probability differs from `1/n` by more than 2⁻³²; relative to `1/n` that is `n · 2⁻³²`, under
    /// 2⁻²⁶ for the at most 33 moves of an Othello position.
    ///
    /// # Panics
    /// Never; for `n = 0` it returns 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// A pick among `n`, in `0..n`, from what is left of a word that picks share.
    ///
    /// What is left is a fraction of 1. Times `n`, its whole part is the pick, and its fraction is what is left for the
    /// next pick: the picks are the digits of the word, read as a fraction, to the mixed radix of the numbers *n*. A
    /// fresh word begins where there is none yet, or where the product of all the numbers that a word has served would
    /// come to more than 2²⁰. So all nine plies of a game of tic-tac-toe share one word, and the whole game is the
    /// number `(word · 9!) >> 64`.
    ///
    /// Of the picks that share a word, no combination's probability differs by more than 2⁻⁶⁴ from that of equally
    /// likely ones, relative to it by no more than 2⁻⁴⁴. A pick among more than 2²⁰ has a word of its own, and a
    /// relative error below 2⁻³².
    ///
    /// # Panics
    /// Never; for `n = 0` it returns 0, and the next pick begins a fresh word.
    ///
    /// # Cost
    /// Two multiplications, and where a word begins a mix.
    ///
    /// # Example: the order of nine things from one word
    /// ```
    /// use shikou::rng::PlayoutKey;
    /// let mut draws = PlayoutKey::new(7).playout(0);
    /// let mut things: Vec<u32> = (1..=9).collect();
    /// let order: Vec<u32> = (1..=9).rev().map(|n| things.remove(draws.share(n) as usize)).collect();
    /// assert_eq!(order.iter().sum::<u32>(), 45);
    /// ```
    #[inline(always)]
    pub fn share(&mut self, n: u32) -> u32 {
        let mut served = u64::from(self.served) * u64::from(n);
        // 0, where there is no word, is the largest number here.
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

#[cfg(test)]
mod tests;
