//! Loading and storing registers: the same source on every path.

use std::array::from_fn;

use super::words::{GAMES, Words, load, store};

/// Words in memory, aligned so that no load or store of a register crosses a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Memory(pub(super) [u64; GAMES]);

for_this_path! {
    /// Loads all registers of a group.
    pub(super) fn load_all(words: &[u64; GAMES]) -> Words {
        Words(from_fn(|i| load(&words.as_chunks().0[i])))
    }

    /// Stores all registers of a group.
    pub(super) fn store_all(words: &mut [u64; GAMES], registers: Words) {
        for (words, register) in words.as_chunks_mut().0.iter_mut().zip(registers.0) {
            store(words, register);
        }
    }
}
