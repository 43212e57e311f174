//! Named, splittable streams on xoshiro256++.
//!
//! A stream is a path, and its state is the SHA-256 of the path: `H(0, "shikou", seed)` at the root, then
//! `H(1, parent, name)` for a name and `H(2, parent, index)` for a number. The 32 bytes seed xoshiro256++
//! (Blackman, Vigna 2019). Rejected: the generator's jump function, which numbers streams in the order of use, so an
//! additional player would change the random numbers of all others.
//!
//! Streams and names of trials are hashes of short texts. The library's hasher copies a text into a buffer piece by piece,
//! which for one block takes longer than the block. So the last blocks are put together here, and the library compresses them.

use std::convert::Infallible;
use std::ops::Div;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng, TryRng};
use sha2::block_api::compress256;
use sha2::{Digest, Sha256};

use super::PlayoutKey;

/// A named place in the tree of random streams: `Stream::new(seed) / "deal" / 17`.
///
/// Streams with different paths are independent; using one changes no other.
///
/// # Cost
/// Each step hashes a block of 64 bytes, or more for a long name. Nothing is allocated.
///
/// # Example: a stream is its path
/// ```
/// use shikou::rng::Stream;
/// let deal = Stream::new(2026) / "deal" / 17;
/// let again = Stream::new(2026) / "deal" / 17;
/// assert_eq!(deal.rng().next_u64(), again.rng().next_u64());
/// assert_ne!(deal, Stream::new(2026) / "deal" / 18);
/// assert_ne!(deal, Stream::new(2026) / "deal" / "17");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stream([u8; 32]);

impl Stream {
    /// The root of all streams with this seed.
    pub fn new(seed: u64) -> Self {
        Self::hash(0, b"shikou", &seed.to_le_bytes())
    }

    /// The stream opened: a generator at its beginning.
    pub fn rng(&self) -> Rng {
        Rng(Xoshiro256PlusPlus::from_seed(self.0))
    }

    /// A key of the counter generator, from the first eight bytes (little endian) of this stream's state.
    pub fn playout_key(&self) -> PlayoutKey {
        let (first, _) = self.0.split_first_chunk().expect("a state has 32 bytes");
        PlayoutKey::new(u64::from_le_bytes(*first))
    }

    #[inline]
    fn hash(kind: u8, parent: &[u8], label: &[u8]) -> Self {
        if 1 + parent.len() + label.len() <= Prefix::MOST {
            return Self(Prefix::EMPTY.hash(&[&[kind], parent, label]));
        }
        let digest = Sha256::new().chain_update([kind]).chain_update(parent).chain_update(label).finalize();
        Self(digest.into())
    }
}

impl Div<&str> for Stream {
    type Output = Self;

    /// The stream below this one with the given name.
    fn div(self, name: &str) -> Self {
        Self::hash(1, &self.0, name.as_bytes())
    }
}

impl Div<u64> for Stream {
    type Output = Self;

    /// The stream below this one with the given number.
    fn div(self, index: u64) -> Self {
        Self::hash(2, &self.0, &index.to_le_bytes())
    }
}

/// An open stream: xoshiro256++, and the few conversions that results may depend on.
///
/// The conversions of [`Rng::below`] and [`Rng::unit`] are frozen, because a committed result depends on them. `Rng` also
/// implements the traits of `rand` 0.10 (`TryRng`, and through it `Rng` and `RngExt`), so that every distribution, shuffle
/// or sampler works on a named stream. **Their values may change with the version of `rand` or `rand_distr`**: pin it
/// exactly if a result depends on one.
///
/// # Example: a shuffle by `rand`
/// ```
/// use rand::RngExt;
/// use rand::seq::SliceRandom;
/// use shikou::rng::Stream;
/// let mut rng = (Stream::new(1) / "deck").rng();
/// let mut deck: Vec<u8> = (1..=52).collect();
/// deck.shuffle(&mut rng);
/// assert_eq!(deck.iter().map(|&card| u32::from(card)).sum::<u32>(), 52 * 53 / 2);
/// assert!((1..=6).contains(&rng.random_range(1..=6)));
/// ```
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator for one move of one player: seeded by the four `SplitMix64` words that follow the key.
    pub fn from_key(key: PlayoutKey) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(key.to_u64()))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, exactly uniform (Lemire 2019, "Fast random integer generation in an interval").
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "`below(0)` has no result");
        let mut wide = u128::from(self.next_u64()) * u128::from(n);
        if (wide as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (wide as u64) < threshold {
                wide = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }

    /// A number in `[0, 1)`, a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// The state before the first block: FIPS 180-4, 5.3.3.
const INITIAL: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

const BLOCK: usize = 64;

/// The bytes at the end of the last block: a mark, and the length of the text in bits.
const END: usize = 9;

/// A text, of which the whole blocks are hashed.
#[derive(Clone, Debug)]
pub struct Prefix {
    state: [u32; 8],
    /// The text after the whole blocks, and its length.
    rest: [u8; BLOCK],
    length_of_rest: usize,
    /// The length of the whole blocks in bytes.
    length: usize,
}

impl Prefix {
    /// The most bytes that may follow.
    pub(crate) const MOST: usize = 2 * BLOCK - END - (BLOCK - 1);

    /// The empty text.
    pub(crate) const EMPTY: Self = Self { state: INITIAL, rest: [0; BLOCK], length_of_rest: 0, length: 0 };

    /// A text.
    pub fn new(text: &[u8]) -> Self {
        let (blocks, end) = text.as_chunks::<BLOCK>();
        let (mut state, mut rest) = (INITIAL, [0; BLOCK]);
        compress256(&mut state, blocks);
        rest[..end.len()].copy_from_slice(end);
        Self { state, rest, length_of_rest: end.len(), length: BLOCK * blocks.len() }
    }

    /// The SHA-256 of the text and what follows, together at most `MOST` bytes.
    ///
    /// # Panics
    /// If more follows.
    #[inline]
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut blocks = [[0; BLOCK]; 2];
        let bytes = blocks.as_flattened_mut();
        bytes[..BLOCK].copy_from_slice(&self.rest);
        let mut at = self.length_of_rest;
        for part in parts {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        let bits = 8 * (self.length + at) as u64;
        let count = if at + END <= BLOCK { 1 } else { 2 };
        bytes[at] = 0x80;
        bytes[BLOCK * count - 8..BLOCK * count].copy_from_slice(&bits.to_be_bytes());
        let mut state = self.state;
        compress256(&mut state, &blocks[..count]);
        let mut hash = [0; 32];
        for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// The published vector of xoshiro256++ for the state {1, 2, 3, 4}.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut state = [0; 32];
        for (i, chunk) in state.chunks_exact_mut(8).enumerate() {
            chunk.copy_from_slice(&(i as u64 + 1).to_le_bytes());
        }
        let mut rng = Stream(state).rng();
        let first: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    /// Frozen. Each state can be computed with any SHA-256: `printf '\0shikou\7\0\0\0\0\0\0\0'`.
    #[test]
    fn reference_vector_of_the_stream_tree() {
        let hex = |stream: Stream| stream.0.map(|b| format!("{b:02x}")).concat();
        let root = Stream::new(7);
        assert_eq!(hex(root), "ce7f261d64a3f9a57acbfae0fb6e431386c9ab0128021344685c38a8d21e7cfc");
        assert_eq!(hex(root / "deal"), "70cb30617559a3c873bc767a45d452551378f1baa6cf1ac4a436901ff8d34ef5");
        assert_eq!(
            hex(root / "deal" / 17),
            "ee960762938ee3d29766d72cb41a3c9f8f3a98fdd99b96f3560867d4aa567afd"
        );
        assert_eq!((root / "deal" / 17).rng().next_u64(), 8214220349193045472);
    }

    /// Frozen; computed independently in Python.
    #[test]
    fn reference_vectors_of_what_a_generator_gives() {
        let mut rng = Rng::from_key(PlayoutKey::new(12345));
        assert_eq!([rng.next_u64(), rng.next_u64()], [10201931350592234856, 3780764549115216544]);
        let stream = Stream::new(7) / "vectors";
        assert_eq!(stream.playout_key().to_u64(), 12109135554688877069);
        let mut rng = stream.rng();
        let picks: Vec<u64> = (0..6).map(|_| rng.below(52)).collect();
        assert_eq!(picks, [41, 15, 48, 29, 17, 45]);
        assert_eq!([rng.unit(), rng.unit()], [0.7849229540281849, 0.8909217793392644]);
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = (Stream::new(1) / "below").rng();
        for n in [1_u64, 2, 3, 7, 52] {
            let mut counts = vec![0_u32; n as usize];
            for _ in 0..20_000 * n {
                counts[rng.below(n) as usize] += 1;
            }
            // Each count is near 20 000 with a standard deviation of at most 141; the bound is 5.6 of them.
            assert!(counts.iter().all(|&c| c.abs_diff(20_000) < 800), "{n}: {counts:?}");
        }
        assert!((0..1000).all(|_| rng.below(u64::MAX) < u64::MAX));
    }

    #[test]
    fn unit_lies_in_the_half_open_interval() {
        let mut rng = (Stream::new(1) / "unit").rng();
        let mean =
            (0..100_000).map(|_| rng.unit()).inspect(|u| assert!((0.0..1.0).contains(u))).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }

    /// The traits of `rand` draw from the same sequence.
    #[test]
    fn the_traits_of_rand_give_the_same_words() {
        let stream = Stream::new(7) / "rand";
        let (mut ours, mut theirs) = (stream.rng(), stream.rng());
        for _ in 0..10 {
            assert_eq!(rand::Rng::next_u64(&mut theirs), ours.next_u64());
        }
        let mut bytes = [0; 8];
        rand::Rng::fill_bytes(&mut theirs, &mut bytes);
        assert_eq!(u64::from_le_bytes(bytes), ours.next_u64());
    }

    #[test]
    fn the_hash_is_that_of_the_library() {
        let text: Vec<u8> = (0..300).map(|index| (7 * index + 3) as u8).collect();
        for known in 0..200 {
            let prefix = Prefix::new(&text[..known]);
            for more in 0..=Prefix::MOST {
                let (first, second) = text[known..known + more].split_at(more / 3);
                let expected: [u8; 32] = Sha256::digest(&text[..known + more]).into();
                assert_eq!(prefix.hash(&[first, second]), expected, "{known} + {more}");
            }
        }
        assert_eq!(Prefix::EMPTY.hash(&[b"abc"]), <[u8; 32]>::from(Sha256::digest(b"abc")));
    }
}
