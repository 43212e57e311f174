//! Statistics: numbers in, numbers out. This room knows no game.
//!
//! Intervals are for a number of trials that was fixed before the first one was played; looking at them while
//! trials run, and stopping at a look, breaks their promise. Everything is folded in the order of the trials.

mod estimate;
mod mean;
mod rate;

pub use estimate::{Confidence, Estimate, Method};
pub use mean::{Moments, mean_interval, pair_score_interval};
pub use rate::wilson;
