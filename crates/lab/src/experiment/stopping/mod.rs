//! Stopping rules, and the standings of players while trials are played.
//!
//! | file | holds |
//! |---|---|
//! | `standings` | players while trials are played, with anytime-valid intervals |
//! | `stopper` | running stopping rules, and their verdicts |
//! | `live` | a run in progress: standings, decisions, remaining trials |
//! | `shards` | what the shards of a run decide together |

pub(crate) mod live;
pub(crate) mod shards;
pub(crate) mod standings;
pub(crate) mod stopper;
