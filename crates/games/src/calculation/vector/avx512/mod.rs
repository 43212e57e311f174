//! Sixty-four games per register. Masks have their own registers.

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
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../draws.rs"]
mod draws;
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../group.rs"]
mod group;
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../piles.rs"]
mod piles;
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../play.rs"]
mod play;
#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../rules.rs"]
mod rules;
mod words;

pub(super) use play::play;
