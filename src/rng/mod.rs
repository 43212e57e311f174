//! Randomness: named streams, and the counter generator of playouts. **Stable for ever.**
//!
//! Two generators, each with one job:
//!
//! - [`Stream`] names a place in a tree of streams, `seed / "deal" / 17`; [`Stream::rng`] opens it as a
//!   xoshiro256++ generator ([`Rng`]). Everything random that is not a playout comes from here.
//! - [`PlayoutKey`] and [`Draws`] make the randomness of playouts: draw *i* of playout *p* is a function of
//!   the key, *p* and *i* and of nothing else, so a result never depends on which vector lane, batch, thread
//!   or processor played it.
//!
//! What these functions return for given arguments never changes, in any version: a committed result of
//! today must come out again in ten years. The reference vectors in the tests of each file hold it.
//!
//! Nothing else in Shikou makes a generator, and nothing here reads the operating system's entropy.

mod playout;
mod stream;

pub(crate) use playout::mixing;
pub use playout::{Draws, PlayoutKey};
pub use stream::{Rng, Stream};
