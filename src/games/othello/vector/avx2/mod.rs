//! Four games a register, two registers side by side, four such groups taking turns.
//!
//! There is no rotation, no operation of three operands, no count of leading zeros and no product of bit matrices
//! here: moves are found by the fill of Kogge and Stone but for one direction, lines come from a table, and the
//! choice is scalar.

/// Functions compiled for the instructions of this path.
macro_rules! for_avx2 {
    ($($function:item)*) => {$(
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        #[inline]
        $function
    )*};
}

mod group;
mod lines;
mod parts;
#[cfg(test)]
mod probe;
mod words;

use std::array::from_fn;

use super::work::{Lanes, Work};
use group::{begin, end, nothing, ply};
pub(super) use parts::run_part;
#[cfg(test)]
pub(super) use probe::{choose, make};
use words::GAMES;

/// How many groups take turns.
const GROUPS: usize = 4;

for_avx2! {
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
