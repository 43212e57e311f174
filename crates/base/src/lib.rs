//! Named random streams, and words of messages.

pub mod rng;
pub mod words;
