//! The ground of every crate of Shikou: random streams with names, and words of messages. It knows no game.
//!
//! | room | holds |
//! |---|---|
//! | [`rng`] | a [`Stream`](rng::Stream) for each purpose, found by its name; the generator of playouts, which numbers them |
//! | [`words`] | numbers, lists and nouns that agree, as messages need them |

pub mod rng;
pub mod words;
