//! All trials, on many threads, into sinks.
//!
//! Players take trials in chunks, and hand over what is finished in chunks, about every five milliseconds: trials of
//! some microseconds would else spend their time in the queue. A long trial is a chunk of its own.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::time::Duration;

use super::rows::push_log_rows;
use super::{Plan, Record, Trial, Watch, play_watched};
use crate::players::Table;
use crate::search::{Clock, ThreadClock};

/// How long finished trials may wait on the thread that played them.
const PATIENCE: Duration = Duration::from_millis(5);

/// The largest number of trials that a thread takes at once.
const MOST_AT_ONCE: usize = 512;

/// How long a move took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// The index of the experiment.
    pub experiment: usize,
    /// The index of the player in it.
    pub player: usize,
    /// Wall time in nanoseconds.
    pub ns: u64,
}

/// Trials that one thread finished.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// What is known of them.
    pub records: Vec<Record>,
    /// Their rows of the log, one after the other.
    pub rows: Vec<u8>,
    /// For each record where its rows end.
    pub row_ends: Vec<usize>,
    /// How long each of their moves took.
    pub move_times: Vec<MoveTime>,
}

/// Something that is told of trials as they finish, in no particular order.
pub trait Sink {
    /// Called for every finished trial once, many at a time.
    ///
    /// # Errors
    /// An error ends the run; no further trial is started.
    fn take(&mut self, finished: &Finished) -> io::Result<()>;
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
/// its times. Whether a trial is wanted is asked when its turn comes.
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
    let given_up = AtomicU64::new(0);
    // A few chunks a thread may wait; then the players wait for the sinks, and memory stays bounded.
    let (sender, receiver) = mpsc::sync_channel::<Finished>(4 * threads);
    let next = |count: usize| -> Vec<Trial> {
        let mut schedule = schedule.lock().expect("no player holds the schedule while it panics");
        if stop.load(Ordering::Relaxed) { Vec::new() } else { schedule.by_ref().take(count).collect() }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let mut thread = PlayingThread { plan, stop, given_up: &given_up, sender: sender.clone() };
            let next = &next;
            scope.spawn(move |_| {
                let mut count = 1;
                loop {
                    let chunk = next(count);
                    let clock = Clock::start();
                    if chunk.is_empty() || thread.play(&chunk).is_err() {
                        return;
                    }
                    count = match clock.elapsed() {
                        time if time < PATIENCE / 4 => (2 * count).min(MOST_AT_ONCE),
                        time if time > PATIENCE => (count / 2).max(1),
                        _ => count,
                    };
                }
            });
        }
        drop(sender);
        let tell = |finished: Finished| sinks.iter_mut().try_for_each(|sink| sink.take(&finished));
        // The receiver moves in, so that an error hangs up on the players.
        receiver.into_iter().try_for_each(tell)
    })?;
    let more = schedule.into_inner().expect("the players are gone").next().is_some();
    let left = more || given_up.into_inner() > 0;
    Ok(if left { Ended::Stopped } else { Ended::Complete })
}

/// A thread that plays.
struct PlayingThread<'r, 'm> {
    plan: &'r Plan<'m>,
    stop: &'r AtomicBool,
    /// How many trials were taken and not begun.
    given_up: &'r AtomicU64,
    sender: SyncSender<Finished>,
}

/// The sinks are gone: there is nobody to play for.
struct HungUp;

impl PlayingThread<'_, '_> {
    /// Plays some trials, and hands them over as they finish.
    fn play(&mut self, chunk: &[Trial]) -> Result<(), HungUp> {
        let mut finished = Finished::default();
        let (mut clock, mut waiting) = (ThreadClock::start(), Clock::start());
        for (index, &trial) in chunk.iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) {
                self.given_up.fetch_add((chunk.len() - index) as u64, Ordering::Relaxed);
                break;
            }
            let mut times = Times { experiment: trial.experiment, moves: &mut finished.move_times };
            finished.records.push(play_watched(self.plan, trial, &mut clock, &mut times));
            if waiting.elapsed() > PATIENCE {
                self.hand_over(std::mem::take(&mut finished))?;
                clock.lap();
                waiting.lap();
            }
        }
        self.hand_over(finished)
    }

    fn hand_over(&self, mut finished: Finished) -> Result<(), HungUp> {
        for record in &finished.records {
            push_log_rows(self.plan, record, &mut finished.rows);
            finished.row_ends.push(finished.rows.len());
        }
        self.sender.send(finished).map_err(|_| HungUp)
    }
}

/// Notes the times of moves.
struct Times<'f> {
    experiment: usize,
    moves: &'f mut Vec<MoveTime>,
}

impl Watch for Times<'_> {
    fn position(&mut self, _table: &dyn Table, _seating: &[usize]) {}

    fn moved(&mut self, player: usize, ns: u64) {
        self.moves.push(MoveTime { experiment: self.experiment, player, ns });
    }
}
