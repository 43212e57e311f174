//! SHA-256 of a text that begins with one that is known.
//!
//! Streams and names of trials are hashes of short texts. The library's hasher copies a text into a buffer piece by piece,
//! which for one block takes longer than the block. So the last blocks are put together here, and the library compresses them.

use sha2::block_api::compress256;

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
    /// What comes after the whole blocks, and its length.
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
    use sha2::{Digest, Sha256};

    use super::*;

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
