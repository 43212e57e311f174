//! All trials, on many threads, into sinks.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc;

use super::{Plan, Record, play};

/// How the names of the threads begin on which trials are played.
pub const PLAYER_THREAD: &str = "shikou-player-";

/// Something that is told of trials as they finish, in no particular order.
pub trait Sink {
    /// Called once for each finished trial.
    ///
    /// # Errors
    /// An error ends the run; no further trial is started.
    fn record(&mut self, record: &Record) -> io::Result<()>;
}

/// Plays every trial of a plan on `threads` threads of a pool of its own, and tells the sinks.
///
/// The sinks run on the calling thread. Which thread plays what, and when it is done, changes no record but for
/// its times.
///
/// # Errors
/// The first error of a sink.
pub fn run(plan: &Plan<'_>, threads: usize, sinks: &mut [&mut dyn Sink]) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("{PLAYER_THREAD}{index}"))
        .build()
        .map_err(io::Error::other)?;
    let schedule = Mutex::new(plan.schedule());
    // A few records a thread may wait; then the players wait for the sinks, and memory stays bounded.
    let (sender, receiver) = mpsc::sync_channel::<Record>(64 * threads);
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, schedule) = (sender.clone(), &schedule);
            scope.spawn(move |_| {
                loop {
                    let trial = schedule.lock().expect("no player holds the schedule while it panics").next();
                    let Some(trial) = trial else { return };
                    if sender.send(play(plan, trial)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let tell = |record: Record| sinks.iter_mut().try_for_each(|sink| sink.record(&record));
        // The receiver moves in, so that an error hangs up on the players.
        receiver.into_iter().try_for_each(tell)
    })
}
