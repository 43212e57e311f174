//! Bandits at the root: they divide the playouts of one decision among the moves by the results so far.
//!
//! The key decision: *which move gets the next playouts* is a [`Sharing`]; asking, counting and stopping are the same for
//! all. Playout *j* of move *i* is the same under every rule, and the same as in
//! [`FlatMonteCarlo`](super::FlatMonteCarlo). So two rules differ in their requests, not in their luck.
//!
//! | file | holds |
//! |---|---|
//! | `arms` | the moves and their playouts so far |
//! | `allocation` | the rules: the next pull, and the choice at the end |
//! | `ucb1` | flat UCB1 |
//! | `halving` | sequential halving |
//! | `anytime_halving` | the same without a budget known in advance |
//! | `thompson` | Thompson sampling |
//! | `gumbel` | Gumbel noise on a prior, then halving |
//! | `sampling` | random numbers of the beta and the Gumbel distribution |
//! | `bandit` | the searcher |

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
