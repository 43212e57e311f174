//! The clairvoyant bound: whether a deal can be won if the order of the stock is known.
//!
//! No player knows it, so nothing here is a searcher. The result is an upper bound on every player's rate of success.
//!
//! The key decision: two alternating searches. Nested rollouts, which learn the pile for each card, find wins. A
//! breadth-first search, card by card, in which each layer keeps the most promising positions, proves that there is none:
//! if no layer was cut, it has examined everything. Rejected: depth-first search, which spends its time on the last cards
//! of a beginning that is lost already.
//!
//! | file | holds |
//! |---|---|
//! | `solver` | the two searches |
//! | `rollouts` | nested rollouts on the known order |
//! | `layer` | the positions after one more card |
//! | `promise` | the disorder of the piles |

mod layer;
mod promise;
mod rollouts;
mod solver;

pub(super) use promise::disorder;
pub use solver::{Clairvoyant, Solution, Verdict};
