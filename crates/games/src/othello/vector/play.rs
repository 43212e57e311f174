//! All work, in groups of games that take turns, and registers in memory: the same source on every path.

use std::array::from_fn;

use super::super::work::{Lanes, Work};
use super::GROUPS;
use super::group::{begin, end, nothing, ply};
use super::words::{GAMES, Words, load, store};

/// Words in memory, aligned so that no load or store of a register crosses a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Memory(pub(super) [u64; GAMES]);

for_this_path! {
    pub(super) fn load_all(words: &[u64; GAMES]) -> Words {
        Words(from_fn(|i| load(&words.as_chunks().0[i])))
    }

    pub(super) fn store_all(words: &mut [u64; GAMES], registers: Words) {
        for (words, register) in words.as_chunks_mut().0.iter_mut().zip(registers.0) {
            store(words, register);
        }
    }

    pub(in super::super) fn play<W: Work>(playable: u64, work: &mut W) {
        let mut groups = from_fn::<_, GROUPS, _>(|_| nothing());
        let mut tickets = [None; GROUPS];
        let mut lanes = Lanes::<GAMES>::EMPTY;
        let mut playing = 0;
        for (group, ticket) in groups.iter_mut().zip(&mut tickets) {
            if !work.is_done() {
                *ticket = Some(work.take(&mut lanes));
                begin(group, &lanes);
                playing += 1;
            }
        }
        while playing > 0 {
            for (group, ticket) in groups.iter_mut().zip(&mut tickets) {
                let Some(of) = *ticket else { continue };
                if ply(group, playable) {
                    continue;
                }
                end(group, &mut lanes);
                work.give(&lanes, of);
                if work.is_done() {
                    *ticket = None;
                    playing -= 1;
                } else {
                    *ticket = Some(work.take(&mut lanes));
                    begin(group, &lanes);
                }
            }
        }
    }
}
