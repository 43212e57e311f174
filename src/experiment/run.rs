//! All trials, on many threads, into sinks.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use super::{Plan, Record, Trial, play};

/// Something that is told of trials as they finish, in no particular order.
pub trait Sink {
    /// Called once for each finished trial.
    ///
    /// # Errors
    /// An error ends the run; no further trial is started.
    fn record(&mut self, record: &Record) -> io::Result<()>;
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every wanted trial was played.
    Complete,
    /// It was told to stop before.
    Stopped,
}

/// Plays the wanted trials of a plan on `threads` threads of a pool of its own, and tells the sinks. Once `stop` is
/// set no further trial is started, and those that are being played are finished.
///
/// The sinks run on the calling thread. Which thread plays what, and when it is done, changes no record but for
/// its times.
///
/// # Errors
/// The first error of a sink.
pub fn run(
    plan: &Plan<'_>,
    threads: usize,
    wanted: &(dyn Fn(&Trial) -> bool + Sync),
    stop: &AtomicBool,
    sinks: &mut [&mut dyn Sink],
) -> io::Result<Ended> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("player-{index}"))
        .build()
        .map_err(io::Error::other)?;
    let schedule = Mutex::new(plan.schedule().filter(wanted));
    // A few records a thread may wait; then the players wait for the sinks, and memory stays bounded.
    let (sender, receiver) = mpsc::sync_channel::<Record>(64 * threads);
    let next = || {
        let mut schedule = schedule.lock().expect("no player holds the schedule while it panics");
        if stop.load(Ordering::Relaxed) { None } else { schedule.next() }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move |_| {
                while let Some(trial) = next() {
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
    })?;
    let left = schedule.into_inner().expect("the players are gone").next().is_some();
    Ok(if left { Ended::Stopped } else { Ended::Complete })
}
