//! Four games per register, two registers side by side, four such groups taking turns.
//!
//! AVX2 has no rotation, no operation of three operands, no count of leading zeros and no product of bit matrices. So
//! the fill of Kogge and Stone finds moves in all directions but one, lines come from a table, and the choice is
//! scalar.

/// Functions compiled for the instructions of this path.
macro_rules! for_this_path {
    ($($function:item)*) => {$(
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        #[inline]
        $function
    )*};
}

mod group;
mod lines;
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../play.rs"]
mod play;
#[cfg(test)]
mod probe;
mod words;

pub(super) use play::play;
#[cfg(test)]
pub(super) use probe::{choose, make};

/// The number of groups that take turns.
const GROUPS: usize = 4;
