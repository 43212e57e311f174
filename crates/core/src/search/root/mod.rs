//! Bandits at the root: they divide the playouts of one decision among the moves by the results so far.
//!
//! The key decision: *which move gets the next playouts* is a [`Sharing`]; asking, counting and stopping are the same for
//! all. Playout *j* of move *i* is the same under every rule, and the same as in
//! [`FlatMonteCarlo`](super::FlatMonteCarlo). So two rules differ in their requests, not in their luck.

mod allocation;
mod anytime_halving;
mod arms;
mod bandit;
mod gumbel;
mod halving;
mod sampling;
mod thompson;
mod ucb1;

pub use allocation::Sharing;
pub use bandit::RootBandit;
pub use gumbel::Gumbel;
