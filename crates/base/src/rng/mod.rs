//! Randomness: named streams, and the counter generator of playouts. **Stable across versions.**
//!
//! Two generators, each with one job:
//!
//! - [`Stream`] is a path in a tree of streams, `seed / "deal" / 17`; [`Stream::rng`] opens it as a xoshiro256++ generator
//!   ([`Rng`]). It is used for everything random except playouts.
//! - [`PlayoutKey`] and [`PlayoutRng`] make the randomness of playouts: draw *i* of playout *p* is a function of
//!   the key, *p* and *i* only, so that a result never depends on the vector lane, batch, thread or processor.
//!
//! The functions return the same values for the same arguments in every version: a result committed today must
//! reproduce in ten years. The reference vectors in the tests of each file check this.
//!
//! Both implement the traits of `rand`, for distributions and samplers of other crates; the promise does not cover
//! these, because their values may change with their version.
//!
//! Shikou has no other generator, and never reads the operating system's entropy.

mod playout;
mod stream;

pub use playout::mixing;
pub use playout::{PlayoutKey, PlayoutRng};
pub use stream::{Prefix, Rng, Stream};
