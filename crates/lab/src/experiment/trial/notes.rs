//! Decisions that are kept while a trial is played, so that an interrupted trial can resume.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::run::Finished;
use crate::experiment::plan::cell::Trial;
use crate::players::Table;
use crate::search::Spent;

/// A place in a trial: the number of the game, counted from 1, and the hash of the moves so far.
pub type Place = (usize, u64);

/// The decisions of one trial.
pub trait Notes {
    /// Makes the move that was decided at this place in an earlier run. Returns the work and the nanoseconds that the
    /// decision took; `None` if it is not known.
    fn recall(&mut self, place: Place, table: &mut dyn Table) -> Option<(Spent, u64)>;

    /// Keeps the last decision if it took long. `work` is its work and its nanoseconds; `wall` is the time until it was
    /// made, in lock-step with what other games took of it; `cpu` is the processor time of the trial so far. Returns
    /// whether it is kept.
    fn note(
        &mut self,
        place: Place,
        table: &dyn Table,
        work: (Spent, u64),
        wall: Duration,
        cpu: &dyn Fn() -> Duration,
    ) -> bool;

    /// Whether to stop the trial here, because the run stops and a decision was kept in it.
    fn leaves_off(&self) -> bool;

    /// Keeps what it knows of a trial that is left off, to be resumed.
    fn left_off(&mut self);

    /// The processor time in nanoseconds of the decisions that were recalled.
    fn spared_cpu_ns(&self) -> u64;
}

/// The kept decisions of all trials of a run.
pub trait Resume: Sync {
    /// The notes of a trial that is about to be played. `None` if it cannot be resumed.
    fn notes<'r>(&'r self, trial: Trial, stop: &'r AtomicBool) -> Option<Box<dyn Notes + 'r>>;

    /// Drops the decisions of finished trials. Called when every sink has the trials.
    ///
    /// # Errors
    /// If a decision could not be kept.
    fn finished(&self, finished: &Finished) -> io::Result<()>;

    /// The error of a decision that could not be kept, if any. It stops the run.
    fn error(&self) -> Option<io::Error>;
}
