//! Stopping rules, and the standings of players while trials are played.

pub(crate) mod live;
pub(crate) mod shards;
pub(crate) mod standings;
pub(crate) mod stopper;
