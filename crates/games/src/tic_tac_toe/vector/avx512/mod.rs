//! Thirty-two playouts at a time: their words in four registers, the numbers of their orders in two.

/// Functions compiled for the instructions of this path.
macro_rules! for_this_path {
    ($($function:item)*) => {$(
        #[target_feature(enable = "avx512f,avx512dq")]
        #[inline]
        $function
    )*};
}

#[expect(clippy::duplicate_mod, reason = "the same source for the operations of each path")]
#[path = "../block.rs"]
mod block;
mod words;

pub(super) use block::playouts;
