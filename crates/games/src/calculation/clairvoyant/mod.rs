//! The clairvoyant bound: whether a deal can be won with the order of the stock known.
//!
//! No player knows it, so nothing here is a searcher. The result is an upper bound on every player's rate of success.
//!
//! The key decision: two alternating searches. Nested rollouts, which learn the pile for each card, find wins. A
//! breadth-first search, card by card, keeps the most promising positions of each layer. If it cut no layer and found
//! no win, it examined everything and proves that there is none. Rejected: depth-first search, which spends its time on
//! the last cards of lines that are already lost.

mod layer;
mod relaxed;
mod rollouts;
mod solver;

pub use solver::{Clairvoyant, Solution, Verdict};
