//! Optimisations: the runs of a method, their log, and what they found.

pub(crate) mod again;
pub(crate) mod derived;
pub(crate) mod error;
mod jobs;
pub(crate) mod key;
pub(crate) mod log;
pub(crate) mod optimised;
pub(crate) mod outcome;
pub(crate) mod outline;
mod queue;
mod race;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod stage;
