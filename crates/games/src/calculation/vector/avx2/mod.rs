//! Thirty-two games per register. A mask is a register with all ones in the bytes of its games.

#![expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]

/// Functions compiled for the instructions of this path.
macro_rules! for_this_path {
    ($($function:item)*) => {$(
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        #[inline]
        $function
    )*};
}

mod bytes;
#[path = "../draws.rs"]
mod draws;
#[path = "../group.rs"]
mod group;
#[path = "../piles.rs"]
mod piles;
#[path = "../play.rs"]
mod play;
#[path = "../rules.rs"]
mod rules;
mod words;

pub(super) use play::play;
