//! Eight games per register: two registers side by side, three such groups taking turns.
//!
//! The limit is not the latency of a ply, which other games could hide. The processor looks for work only among about
//! the next hundred waiting instructions, so the operations on two registers are interleaved ([`Words`](words::Words)).
//! The other groups fill the time until the chosen moves of one return from the scalar unit.

/// Functions compiled for the instructions of this path.
macro_rules! for_this_path {
    ($($function:item)*) => {$(
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt"
        )]
        #[inline]
        $function
    )*};
}

mod board;
mod estimate;
mod group;
mod lines;
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../play.rs"]
mod play;
#[cfg(test)]
mod probe;
mod single;
mod words;

pub(super) use board::{flips, moves_of, search_tail};
pub(super) use estimate::estimates;
pub(super) use group::make;
pub(super) use play::play;
#[cfg(test)]
pub(super) use probe::{choose, make as make_boards, make_single};
pub(super) use single::play_one;

/// The number of groups that take turns.
const GROUPS: usize = 3;
