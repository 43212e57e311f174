//! Sixty-four games per register. Masks have their own registers.

#![expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]

/// Functions compiled for the instructions of this path.
macro_rules! for_this_path {
    ($($function:item)*) => {$(
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,bmi2,popcnt"
        )]
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
