//! Eight games a register: two registers side by side, three such groups taking turns.
//!
//! What limits it is not the latency of a ply, which other games could hide, but that the processor looks for
//! work among about the next hundred waiting instructions only: so two registers are written interleaved,
//! operation by operation ([`Words`](words::Words)). The other groups fill the time in which the chosen moves of
//! one come back from the scalar unit.

/// Functions compiled for the instructions of this path.
macro_rules! for_avx512 {
    ($($function:item)*) => {$(
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,bmi2,popcnt"
        )]
        #[inline]
        $function
    )*};
}

mod children;
mod group;
mod lines;
mod parts;
#[cfg(test)]
mod probe;
mod single;
mod words;

use std::array::from_fn;

use super::work::{Lanes, Work};
pub(super) use children::moves_behind;
use group::{begin, end, nothing, ply};
pub(super) use parts::run_part;
#[cfg(test)]
pub(super) use probe::{choose, make, make_single};
pub(super) use single::play_one;
use words::GAMES;

/// How many groups take turns.
const GROUPS: usize = 3;

for_avx512! {
    /// Plays all the work.
    pub(super) fn play<W: Work>(playable: u64, work: &mut W) {
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
