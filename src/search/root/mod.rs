//! Bandits at the root: the playouts of one decision are shared out among the moves by what they have shown so far.
//!
//! The key decision: *which move gets the next playouts* is a [`Sharing`], and everything else, that is playing
//! them, counting, stopping, is one loop. Playout *j* of move *i* is the same whatever the rule, and the same as
//! in [`FlatMonteCarlo`](super::FlatMonteCarlo): two rules differ by what they ask for, not by their luck.
//!
//! | file | holds |
//! |---|---|
//! | `arms` | the moves with their playouts so far |
//! | `allocation` | what a rule is: the next pull, and the choice at the end |
//! | `ucb1` | flat UCB1 |
//! | `halving` | sequential halving |
//! | `anytime_halving` | the same without a budget known beforehand |
//! | `thompson` | Thompson sampling |
//! | `gumbel` | Gumbel noise on a prior, then halving |
//! | `sampling` | random numbers of the beta and the Gumbel distribution |
//! | `searcher` | the loop |

mod allocation;
mod anytime_halving;
mod arms;
mod gumbel;
mod halving;
mod sampling;
mod searcher;
mod thompson;
mod ucb1;

pub use allocation::Sharing;
pub use gumbel::Gumbel;
pub use searcher::RootBandit;
