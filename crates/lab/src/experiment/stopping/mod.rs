//! Stopping rules, and the standings of players while trials are played.

mod live;
mod standings;
mod stopper;

pub use self::live::{Decider, Live, decided_by_shards};
pub(crate) use self::standings::{BoundedMean, Standing};
pub use self::standings::{InstanceResults, Standings};
pub use self::stopper::{Stopper, StoppingPoint, StoppingSummary, TestSummary};
