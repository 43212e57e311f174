//! Optimisations: the runs of a method, their log, and what they found.
//!
//! | file | holds |
//! |---|---|
//! | `jobs`, `stage` | the jobs of a generation that do not depend on each other; with their players |
//! | `race` | candidates that leave their generation early |
//! | `search` | a run in progress: what was asked, what comes next |
//! | `run`, `queue` | all runs of an optimisation, on many threads; the work that waits for one |
//! | `error` | why one cannot go on |
//! | `log`, `key` | the log: a row for each job, and its name |
//! | `outcome` | what a run found |
//! | `again` | rows of a log, or a game of a candidate, played again |
//! | `outline` | an optimisation in numbers |
//! | `derived` | the files that follow from the log |
//! | `optimised` | a manifest with these results filled in |

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
