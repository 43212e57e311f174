//! All trials, on many threads, into sinks.
//!
//! Threads take trials in batches, and hand over finished ones in batches, about every five milliseconds. Otherwise
//! trials of a few microseconds would spend their time in the queue. A long trial is its own chunk. In lock-step a
//! chunk holds trials of one cell, which are played together.
//!
//! Reading the processor time of a thread takes a tenth of such a trial. So it is read once for a few of them, and each
//! gets its part by the wall time of its moves.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SendError, SyncSender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Record, Unfinished, Watch, play_in_lock_step, play_noting};
use crate::experiment::plan::{Cell, Plan, Trial};
use crate::manifest::Experiment;
use crate::players::PlayError;
use crate::search::{Clock, ThreadClock};

/// How long finished trials may wait on the thread that played them.
const PATIENCE: Duration = Duration::from_millis(5);

/// The largest number of trials that a thread takes at once.
const MOST_AT_ONCE: usize = 512;

/// Trials are short if a thread takes as many at once: then each takes some tens of microseconds at most.
const SHORT: usize = 64;

/// The number of short trials that share a reading of the clocks.
const FEW: usize = 16;

/// The time and the memory of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// The index of the experiment.
    pub experiment: usize,
    /// The index of the player in it.
    pub player: usize,
    /// Wall time in nanoseconds.
    pub ns: u64,
    /// The bytes that the search reserved.
    pub bytes: u64,
}

/// Trials that one thread finished.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The records.
    pub records: Vec<Record>,
    /// The records as the [encoder](Sink::encoder) of a sink writes them; empty without one.
    pub encoded: Encoded,
    /// The time of each of their moves.
    pub move_times: Vec<MoveTime>,
}

/// Records as bytes.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// For each record the part of the bytes that holds it.
    pub places: Vec<Range<u64>>,
}

/// Writes records as bytes. It is called on the threads that play.
pub type Encoder = Arc<dyn Fn(&[Record]) -> Encoded + Send + Sync>;

/// A receiver of trials as they finish, in no particular order.
pub trait Sink {
    /// The encoder of its records, if it has one. At most one sink of a run has an encoder.
    fn encoder(&self) -> Option<Encoder> {
        None
    }

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
    /// The run was stopped early.
    Stopped,
}

/// How trials share the machine. It affects nothing in a record except times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The number of threads.
    pub threads: usize,
    /// The number of trials of a cell that each thread plays in lock-step, so that their requests share batches; 1
    /// plays each alone. A cell is played alone if no player asks for batches, or all players have a time limit.
    pub lock_step: usize,
}

impl From<usize> for Pace {
    /// A number of threads; each plays one trial at a time.
    fn from(threads: usize) -> Self {
        Self { threads, lock_step: 1 }
    }
}

/// Plays the wanted trials of a plan on its own pool of threads, and passes them to the sinks. Once `stop` is set, no
/// further trial starts; those in progress are finished.
///
/// The sinks run on the calling thread. The assignment of trials to threads affects nothing in a record except times.
/// Whether a trial is wanted is checked when its turn comes.
///
/// With `resume`, trials are resumable: long decisions are kept, and those kept by an earlier run are not repeated.
/// Once `stop` is set, trials in which a decision was kept stop after the current move; in lock-step all those that are
/// played together.
///
/// # Errors
/// The first error of a sink, of keeping a decision, or of the system in a trial, which is then left unplayed; each sets
/// `stop`.
pub fn run(
    plan: &Plan,
    pace: impl Into<Pace>,
    wanted: &(dyn Fn(&Trial) -> bool + Sync),
    stop: &AtomicBool,
    resume: Option<&Unfinished>,
    sinks: &mut [&mut dyn Sink],
) -> io::Result<Ended> {
    let Pace { threads, lock_step } = pace.into();
    let mut encoders = sinks.iter().filter_map(|sink| sink.encoder());
    let encoder = encoders.next();
    assert!(encoders.next().is_none(), "at most one sink of a run has an encoder");
    drop(encoders);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("player-{index}"))
        .build()
        .map_err(|error| io::Error::new(io::ErrorKind::WouldBlock, error))?;
    let supply = Mutex::new(Supply::new(plan, plan.schedule().filter(wanted), lock_step));
    let (given_up, failure) = (AtomicU64::new(0), Mutex::new(None));
    let threads_of =
        |experiment: &Experiment| experiment.players.iter().map(|player| player.searcher.threads()).collect();
    let searching: Vec<Vec<u64>> = plan.experiments().map(threads_of).collect();
    // A few chunks per thread may wait. Then the players wait for the sinks, so that memory stays bounded.
    let (sender, receiver) = mpsc::sync_channel::<Finished>(4 * threads);
    let next = |count: usize| -> Option<TrialBatch> {
        let mut supply = supply.lock().expect("no player holds the supply while it panics");
        if stop.load(Ordering::Relaxed) { None } else { supply.next(count) }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let mut thread = PlayingThread {
                plan,
                stop,
                resume,
                encoder: encoder.as_ref(),
                given_up: &given_up,
                failure: &failure,
                sender: sender.clone(),
                threads: &searching,
            };
            let next = &next;
            scope.spawn(move |_| {
                let mut count = 1;
                loop {
                    let Some(chunk) = next(count) else { return };
                    let clock = Clock::start();
                    let handed_over = match chunk {
                        TrialBatch::InTurn(trials) => thread.play_in_turn(&trials),
                        TrialBatch::InLockStep(trials) => thread.play_in_lock_step(&trials),
                    };
                    if handed_over.is_err() {
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
        let tell = |finished: Finished| {
            let taken = sinks.iter_mut().try_for_each(|sink| sink.take(&finished));
            taken.inspect(|()| resume.into_iter().for_each(|resume| resume.finished(&finished.records)))
        };
        // The receiver moves in, so that an error hangs up on the players. Trials of hours need not be played to their end.
        receiver.into_iter().try_for_each(tell).inspect_err(|_| stop.store(true, Ordering::Relaxed))
    })?;
    let failure = failure.into_inner().expect("no player panics with it");
    if let Some(error) = failure.or_else(|| resume.and_then(Unfinished::error)) {
        return Err(error);
    }
    let more = !supply.into_inner().expect("the players are gone").is_done();
    let left = more || given_up.into_inner() > 0;
    Ok(if left { Ended::Stopped } else { Ended::Complete })
}

struct PlayingThread<'r> {
    plan: &'r Plan,
    stop: &'r AtomicBool,
    resume: Option<&'r Unfinished>,
    encoder: Option<&'r Encoder>,
    /// The number of trials that were taken but not started.
    given_up: &'r AtomicU64,
    /// The first error of the system in a trial.
    failure: &'r Mutex<Option<io::Error>>,
    sender: SyncSender<Finished>,
    /// For each experiment the threads of each player's search.
    threads: &'r [Vec<u64>],
}

impl PlayingThread<'_> {
    fn play_in_lock_step(&mut self, trials: &[Trial]) -> Result<(), SendError<Finished>> {
        let mut finished = Finished::default();
        let experiment = trials.first().map_or(0, |trial| trial.experiment);
        let mut moved =
            |player, ns, bytes| finished.move_times.push(MoveTime { experiment, player, ns, bytes });
        match play_in_lock_step(self.plan, trials, self.stop, self.resume, &mut moved) {
            Ok(records) => self.hand_over(Finished { records, ..finished }),
            Err(error) => {
                self.note(&error);
                self.given_up.fetch_add(trials.len() as u64, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    /// Stops the run if trials were left unplayed by an error of the system.
    fn note(&self, error: &PlayError) {
        if let Some(error) = error.of_system() {
            self.failure.lock().expect("no player panics with it").get_or_insert(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn play_in_turn(&mut self, chunk: &[Trial]) -> Result<(), SendError<Finished>> {
        // A list that grows is moved.
        let mut finished = Finished { records: Vec::with_capacity(chunk.len()), ..Finished::default() };
        let (mut clock, mut waiting) = (ThreadClock::start(), Clock::start());
        let mut left = chunk.len() as u64;
        for trials in chunk.chunks(if chunk.len() < SHORT { 1 } else { FEW }) {
            let first = finished.records.len();
            for &trial in trials {
                let Some(record) = self.play_one(trial, &clock, &mut finished.move_times) else { break };
                finished.records.push(record);
            }
            let played = &mut finished.records[first..];
            share_out(clock.lap(), played, self.threads);
            left -= played.len() as u64;
            if played.len() < trials.len() {
                break;
            }
            if waiting.elapsed() > PATIENCE {
                self.hand_over(std::mem::take(&mut finished))?;
                clock.lap();
                waiting.lap();
            }
        }
        self.given_up.fetch_add(left, Ordering::Relaxed);
        self.hand_over(finished)
    }

    /// Plays a trial and adds the times of its moves. `None` if the run stops.
    fn play_one(&self, trial: Trial, clock: &ThreadClock, moves: &mut Vec<MoveTime>) -> Option<Record> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let before = moves.len();
        let notes = self.resume.and_then(|resume| resume.notes(trial, self.stop));
        let mut times = MoveTimer { experiment: trial.experiment, moves };
        let record = play_noting(self.plan, trial, clock, &mut times, notes, &|| false);
        if let Err(error) = &record {
            self.note(error);
            moves.truncate(before);
        }
        record.ok()
    }

    fn hand_over(&self, mut finished: Finished) -> Result<(), SendError<Finished>> {
        if let Some(encode) = self.encoder.filter(|_| !finished.records.is_empty()) {
            finished.encoded = encode(&finished.records);
        }
        self.sender.send(finished)
    }
}

/// Divides processor time among trials by the wall time of their moves, times the threads of the search: those of each player in
/// each experiment. The parts add up to the whole.
fn share_out(cpu: Duration, records: &mut [Record], threads: &[Vec<u64>]) {
    let weight = |record: &Record| {
        let threads = &threads[record.trial.experiment];
        let seats = record.games.iter().flat_map(|game| &game.seats);
        seats.map(|seat| u128::from(seat.wall_ns * threads[seat.player])).sum::<u128>() + 1
    };
    let (mut left, mut weights) = (cpu.as_nanos(), records.iter().map(weight).sum::<u128>());
    for record in records {
        let part = left * weight(record) / weights;
        record.cpu_ns += part as u64;
        (left, weights) = (left - part, weights - weight(record));
    }
}

struct MoveTimer<'f> {
    experiment: usize,
    moves: &'f mut Vec<MoveTime>,
}

impl Watch for MoveTimer<'_> {
    fn moved(&mut self, player: usize, ns: u64, bytes: u64) {
        self.moves.push(MoveTime { experiment: self.experiment, player, ns, bytes });
    }
}

pub(crate) enum TrialBatch {
    /// Played one after the other.
    InTurn(Vec<Trial>),
    /// Of one cell, in lock-step.
    InLockStep(Vec<Trial>),
}

pub(crate) struct Supply<'p, I> {
    plan: &'p Plan,
    schedule: I,
    /// The number of trials of a cell in lock-step; 1 plays each alone.
    together: usize,
    /// For each experiment and cell, whether it can be played in lock-step.
    suits: Vec<Vec<bool>>,
    /// For each experiment, cell and game the trials that wait for others of theirs.
    waiting: BTreeMap<(usize, usize, usize), Vec<Trial>>,
    /// The trials that are next to be played in turn.
    in_turn: Vec<Trial>,
}

impl<'p, I: Iterator<Item = Trial>> Supply<'p, I> {
    /// The trials of a schedule, `together` of a cell at a time if the cell can be played in lock-step.
    pub(crate) fn new(plan: &'p Plan, schedule: I, together: usize) -> Self {
        let of_experiment = |index: usize| {
            let planned = plan.planned(index);
            let asks = |seats: &Vec<usize>| planned.any_tables(|tables| tables.ask_and_tell(seats));
            let suits = |cell: &Cell| together > 1 && cell.seatings().iter().any(asks);
            planned.cells.iter().map(suits).collect()
        };
        let suits = (0..plan.experiments().len()).map(of_experiment).collect();
        Self { plan, schedule, together, suits, waiting: BTreeMap::new(), in_turn: Vec::new() }
    }

    /// The next trials: at most `count` to play in turn, or a group to play in lock-step. `None`: there are no more.
    ///
    /// Trials in lock-step wait for others of their cell; the last of a cell go in smaller companies.
    pub(crate) fn next(&mut self, count: usize) -> Option<TrialBatch> {
        while self.in_turn.len() < count
            && let Some(trial) = self.schedule.next()
        {
            if !self.suits[trial.experiment][trial.cell] {
                self.in_turn.push(trial);
                continue;
            }
            let game = self.plan.experiment(trial.experiment).game_number(trial.instance);
            let waiting = self.waiting.entry((trial.experiment, trial.cell, game)).or_default();
            waiting.push(trial);
            if waiting.len() == self.together {
                return Some(TrialBatch::InLockStep(std::mem::take(waiting)));
            }
        }
        if !self.in_turn.is_empty() {
            return Some(TrialBatch::InTurn(std::mem::take(&mut self.in_turn)));
        }
        let largest = self.waiting.values_mut().max_by_key(|waiting| waiting.len())?;
        Some(std::mem::take(largest)).filter(|company| !company.is_empty()).map(TrialBatch::InLockStep)
    }

    pub(crate) fn is_done(&mut self) -> bool {
        self.in_turn.is_empty() && self.waiting.values().all(Vec::is_empty) && self.schedule.next().is_none()
    }
}
