//! The clairvoyant bound: whether a deal can be won at all by one who knows the order of the stock.
//!
//! No player can know it, so nothing here is a searcher, and none of it can sit down at a table. What it gives is
//! an upper bound of every player's rate of success.
//!
//! The key decision: two searches by turns. Nested rollouts, which learn which card goes onto which pile, find wins; a
//! breadth-first search, card by card, of which each layer keeps the most promising positions, finds that there is none:
//! where no layer had to be cut it has looked at everything. Rejected: depth-first search, which spends itself on the
//! last cards of a beginning that was lost long before.
//!
//! | file | holds |
//! |---|---|
//! | `solver` | both by turns |
//! | `rollouts` | nested rollouts on the known order |
//! | `layer` | the positions after one more card |
//! | `promise` | how much lies in the wrong order in the piles |

mod layer;
mod promise;
mod rollouts;
mod solver;

pub(super) use promise::disorder;
pub use solver::{Clairvoyant, Solution, Verdict};
