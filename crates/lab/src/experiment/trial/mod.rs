//! Playing: a trial in, a record out; and all trials of a plan, on many threads.

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
