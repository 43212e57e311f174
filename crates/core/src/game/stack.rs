//! Recursion along the lines of a game, as deep as they are.
//!
//! The key decision: the stack grows on the heap, and the depth has a limit in plies, which every search checks. So whether
//! a search ends does not depend on the thread that runs it, nor on the build. Rejected: threads with large stacks, which a
//! caller of the library would have to start.

/// The most plies below its root that a recursive search looks. No game of the crate is longer.
pub const DEEPEST: u32 = 10_000;

/// How many plies share a look at the stack, and the bytes that they have for certain.
const STRIDE: u32 = 16;
const LEAST: usize = 512 << 10;
/// The bytes by which the stack grows.
const MORE: usize = 4 << 20;

/// Takes a step of a recursion, this many plies from where it began or will end, with enough stack for the next.
#[inline(always)]
pub fn with_stack<T>(ply: u32, step: impl FnOnce() -> T) -> T {
    if ply % STRIDE == STRIDE - 1 { stacker::maybe_grow(LEAST, MORE, step) } else { step() }
}
