//! Bandits at the root: they divide the playouts of one decision among the moves by the results so far.
//!
//! The key decision: *which move gets the next playouts* is a [`Sharing`]; asking, counting and stopping are the same for
//! all, and know the moves by their numbers. Playout *j* of move *i* is the same under every rule. So two rules differ in their
//! requests, not in their random numbers.

mod allocation;
mod bandit;
mod flat;
mod gumbel;
mod rules;
mod sampling;
mod thompson;

pub(super) use allocation::{Allocation, Arms};
pub use bandit::{RootBandit, Sharing};
pub use flat::FlatMonteCarlo;
pub use gumbel::Gumbel;
pub(super) use gumbel::GumbelState;
pub use rules::RoundLength;
pub(super) use rules::{AnytimeHalving, Halving};
