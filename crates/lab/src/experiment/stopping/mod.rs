//! Stopping rules, and the standings of players while trials are played.

mod live;
mod standing;
mod standings;
mod stopper;

pub use self::live::{Live, decided_by_shards};
use self::standing::BoundedMean;
pub use self::standing::InstanceResults;
pub(crate) use self::standing::Standing;
pub use self::standings::Standings;
pub use self::stopper::{Stopper, StoppingPoint, StoppingSummary, TestSummary};
