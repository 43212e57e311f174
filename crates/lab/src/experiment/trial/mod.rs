//! Playing: a trial in, a record out; and all trials of a plan, on many threads.
//!
//! | file | holds |
//! |---|---|
//! | `run` | all trials, on many threads, into sinks |
//! | `supply` | the trials for the threads that play |
//! | `play` | one trial: a record comes out |
//! | `trial_game` | a game of a trial in progress: its turns, its randomness and its record |
//! | `openings` | the opening of an instance, played on a table |
//! | `record` | the record of a finished trial |
//! | `unfinished` | the decisions that took long, of trials that are not over |
//! | `lock_step` | trials of one cell in lock-step |
//! | `watched` | a trial played again, with every position and every decision |
//! | `pilot` | a few trials of every cell, to estimate the total run time |
//! | `unit`, `tally` | the games of a unit; the results of one candidate, as sums |

pub(crate) mod lock_step;
pub(crate) mod openings;
pub(crate) mod pilot;
pub(crate) mod play;
pub(crate) mod record;
pub(crate) mod run;
mod supply;
pub(crate) mod tally;
pub(crate) mod trial_game;
pub(crate) mod unfinished;
pub(crate) mod unit;
pub(crate) mod watched;
