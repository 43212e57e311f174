//! The counter generator of playouts: `SplitMix64`, addressed by position instead of stepped.
//!
//! Word *j* under a key *k* is `mix(k + (j + 1)·γ)` with `SplitMix64`'s constants (Steele, Lea, Flood 2014,
//! "Fast splittable pseudorandom number generators"; the mix is Stafford's variant 13). Draws `2j` and
//! `2j + 1` are the high and the low half of word *j*. A pick among *n* is `(draw · n) >> 32`.
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

/// Word `index` under `key`.
#[inline(always)]
const fn word(key: u64, index: u64) -> u64 {
    mix(key.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA)))
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
        Draws { counter: self.counter(index), low: 0, odd: false }
    }

    /// What the first word of the draws of playout `index` is mixed from; each later one, from [`GAMMA`] more.
    #[inline(always)]
    pub(crate) const fn counter(self, index: u64) -> u64 {
        word(self.0, index).wrapping_add(GAMMA)
    }
}

/// The draws of one playout, in order: draw *i* is a function of the playout's key and *i* alone.
///
/// # Laws
/// A uniform playout takes exactly one draw at each turn, a player's or chance's, also where there is only
/// one move; a policy says how many it takes. So draw *i* belongs to ply *i* of a uniform playout.
#[derive(Clone, Debug)]
pub struct Draws {
    /// What the next word is mixed from.
    counter: u64,
    /// The low half of the word before it.
    low: u32,
    /// Whether that half is still to be drawn.
    odd: bool,
}

impl Draws {
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
        let word = mix(self.counter);
        self.counter = self.counter.wrapping_add(GAMMA);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

    /// The published vector of `SplitMix64` for the seed 1234567.
    #[test]
    fn words_are_the_published_ones() {
        let expected = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        for (j, &value) in expected.iter().enumerate() {
            assert_eq!(word(1234567, j as u64), value);
        }
    }

    #[test]
    fn words_agree_with_an_independent_implementation() {
        for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let mut reference = SplitMix64::seed_from_u64(key);
            for j in 0..1000 {
                assert_eq!(word(key, j), reference.next_u64(), "key {key}, word {j}");
            }
        }
    }

    #[test]
    fn draws_are_the_halves_of_words_high_first() {
        let playout = PlayoutKey::new(42).child(5);
        let mut draws = PlayoutKey::new(42).playout(5);
        for j in 0..50 {
            let word = word(playout.to_u64(), j);
            assert_eq!(draws.next_u32(), (word >> 32) as u32);
            assert_eq!(draws.next_u32(), word as u32);
        }
    }

    /// Frozen for ever: a change here changes every committed result. Computed apart, in Python.
    #[test]
    fn reference_vector_of_the_key_tree() {
        let mut draws = PlayoutKey::new(1).child(2).playout(3);
        let first: Vec<u32> = (0..4).map(|_| draws.next_u32()).collect();
        assert_eq!(first, [3283056247, 119773889, 816492378, 3343638041]);
    }

    /// χ² of a table of counts against equal expectations.
    fn chi_square(counts: &[u64]) -> f64 {
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum()
    }

    /// A bound that a χ² with `df` degrees of freedom passes less than once in 10⁶ (Wilson–Hilferty, z = 4.9).
    fn bound(df: f64) -> f64 {
        df * (1.0 - 2.0 / (9.0 * df) + 4.9 * (2.0 / (9.0 * df)).sqrt()).powi(3)
    }

    #[test]
    fn picks_are_uniform_for_every_number_of_moves() {
        for n in 2..=52_u32 {
            let mut counts = vec![0; n as usize];
            for p in 0..5_000 {
                let mut draws = PlayoutKey::new(u64::from(n)).playout(p);
                for _ in 0..60 {
                    counts[draws.below(n) as usize] += 1;
                }
            }
            assert!(chi_square(&counts) < bound(f64::from(n - 1)), "n = {n}: {}", chi_square(&counts));
        }
    }

    /// Neighbouring plies, neighbouring playouts and neighbouring batches must be independent.
    #[test]
    fn neighbours_are_independent() {
        type Pair = fn(u64) -> (u32, u32);
        let pairs: [(&str, Pair); 4] = [
            ("plies", |p| {
                let mut d = PlayoutKey::new(9).playout(p);
                (d.below(16), d.below(16))
            }),
            ("plies in two words", |p| {
                let mut d = PlayoutKey::new(9).playout(p);
                let _ = d.next_u32();
                (d.below(16), d.below(16))
            }),
            ("playouts", |p| {
                let key = PlayoutKey::new(9);
                (key.playout(2 * p).below(16), key.playout(2 * p + 1).below(16))
            }),
            ("batches", |p| {
                let key = PlayoutKey::new(9);
                (key.child(2 * p).playout(0).below(16), key.child(2 * p + 1).playout(0).below(16))
            }),
        ];
        for (name, pair) in pairs {
            let mut counts = vec![0; 256];
            for p in 0..200_000 {
                let (a, b) = pair(p);
                counts[(a * 16 + b) as usize] += 1;
            }
            assert!(chi_square(&counts) < bound(255.0), "{name}: {}", chi_square(&counts));
        }
    }

    /// Every bit of a draw is set half the time, and flipping any bit of the key flips half of them.
    #[test]
    fn bits_are_balanced_and_keys_avalanche() {
        let n = 20_000_u32;
        let mut ones = [0_u32; 32];
        let mut flips = [0_u32; 64];
        for p in 0..u64::from(n) {
            let draw = PlayoutKey::new(0x4d).playout(p).next_u32();
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += draw >> bit & 1;
            }
            for (bit, count) in flips.iter_mut().enumerate() {
                let other = PlayoutKey::new(0x4d ^ 1 << bit).playout(p).next_u32();
                *count += (draw ^ other).count_ones();
            }
        }
        // z = 5.6 for 96 looks: fails by chance once in about 5·10⁵ (keys are fixed: it cannot flake).
        let near = |count: u32, n: f64| (f64::from(count) - n / 2.0).abs() < 5.6 * (n / 4.0).sqrt();
        assert!(ones.iter().all(|&c| near(c, f64::from(n))), "{ones:?}");
        assert!(flips.iter().all(|&c| near(c, f64::from(n) * 32.0)), "{flips:?}");
    }
}
