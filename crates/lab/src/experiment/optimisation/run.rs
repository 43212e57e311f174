//! All runs of an optimisation, on many threads.
//!
//! Work is a queue of jobs and of parts of jobs. The thread that finishes the last job of a stage asks the run for its
//! next stage. While there are more runs than threads, a stage is one piece of work; otherwise it is divided. The division
//! affects no result, because results are sums.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::{EvaluationLog, KnownRuns, OptimisationError, Outcome, Run, Search, Stage, Stretch, log_row};
use crate::experiment::trial::Tally;
use crate::manifest::{Length, Optimisation, OptimisationRun};
use crate::rng::{Rng, Stream};
use crate::search::{Clock, ThreadClock};

/// How the runs of an optimisation share the machine. It affects no result.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// The number of threads.
    pub threads: usize,
    /// A seed that shuffles the order in which work is taken, for tests; none takes the newest first.
    pub shuffle: Option<u64>,
}

impl From<usize> for Workers {
    fn from(threads: usize) -> Self {
        Self { threads, shuffle: None }
    }
}

/// The state of an optimisation while it runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptimisationProgress {
    /// The games played so far, those of the log included.
    pub games: u64,
    /// The share of the whole that is done, in `[0, 1]`: of generations or of games.
    pub done: f64,
    /// The runs that have ended.
    pub ended: usize,
}

struct Shared<'s> {
    optimisation: &'s Optimisation,
    ids: Vec<u32>,
    searches: Vec<Mutex<Option<Search>>>,
    queue: Mutex<Queue>,
    more: Condvar,
    stop: &'s AtomicBool,
    threads: usize,
    clock: Clock,
    /// The times of generations, each with its run, until the log takes them.
    stretches: Mutex<Vec<(u32, Stretch)>>,
}

/// Plays what is missing of all runs, and writes it to the log. Once `stop` is set no further unit is started.
///
/// Returns the runs in the order of the manifest; those that were stopped are not whole.
///
/// # Errors
/// If a game fails, the log does not belong to a run, or the system fails.
pub fn optimise(
    optimisation: &Optimisation,
    (log, known): (&mut EvaluationLog, KnownRuns),
    workers: Workers,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(OptimisationProgress),
) -> Result<Vec<Run>, OptimisationError> {
    let shared = Shared::new(optimisation, known, workers, stop);
    let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(4 * workers.threads);
    let written = std::thread::scope(|scope| {
        for number in 0..workers.threads {
            let (sender, shared) = (sender.clone(), &shared);
            let thread = std::thread::Builder::new().name(format!("player-{number}"));
            let spawned = thread.spawn_scoped(scope, move || shared.work(&sender));
            if let (Err(error), 0) = (spawned, number) {
                return Err(error);
            }
        }
        drop(sender);
        let mut shown = Duration::ZERO;
        let written = receiver.into_iter().try_for_each(|rows| {
            log.append(&rows)?;
            if shared.clock.elapsed() > shown + Duration::from_millis(200) {
                shown = shared.clock.elapsed();
                progress(shared.progress());
                shared.take_times(log);
                log.1.write_at_intervals()?;
            }
            Ok(())
        });
        if written.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        written
    });
    // The time of a stopped generation so far counts too.
    (0..shared.ids.len()).for_each(|run| shared.keep_time(run));
    shared.take_times(log);
    written.and_then(|()| log.1.write())?;
    shared.finish()
}

/// The findings in the rows of a log, without playing.
///
/// # Errors
/// If the log does not belong to a run.
pub fn replay(optimisation: &Optimisation, mut known: KnownRuns) -> Result<Vec<Run>, OptimisationError> {
    let replayed = optimisation.runs.iter().map(|run| {
        let mut search = Search::new(run, known.remove(&run.id()).unwrap_or_default());
        search.advance()?;
        Ok(search.into_run())
    });
    replayed.collect()
}

impl<'s> Shared<'s> {
    fn new(
        optimisation: &'s Optimisation,
        mut known: KnownRuns,
        workers: Workers,
        stop: &'s AtomicBool,
    ) -> Self {
        let ids: Vec<u32> = optimisation.runs.iter().map(|run| run.id()).collect();
        let search = |(run, id): (&Arc<OptimisationRun>, &u32)| {
            Mutex::new(Some(Search::new(run, known.remove(id).unwrap_or_default())))
        };
        let searches: Vec<_> = optimisation.runs.iter().zip(&ids).map(search).collect();
        let queue = Mutex::new(Queue::new(searches.len(), workers.shuffle));
        let (clock, stretches, threads) = (Clock::start(), Mutex::default(), workers.threads);
        Self { optimisation, ids, searches, queue, more: Condvar::new(), stop, threads, clock, stretches }
    }

    fn work(&self, sender: &SyncSender<Vec<u8>>) {
        while let Some(work) = self.take() {
            if let Err(error) = self.play(work, sender) {
                self.queue().error.get_or_insert(error);
                self.stop.store(true, Ordering::Relaxed);
            }
            self.more.notify_all();
        }
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Work> {
        const PATIENCE: Duration = Duration::from_millis(100);
        let mut queue = self.queue();
        loop {
            if self.stop.load(Ordering::Relaxed) || queue.live == 0 {
                return None;
            }
            if let Some(work) = queue.take() {
                return Some(work);
            }
            // A signal sets `stop` without a word.
            queue = self.more.wait_timeout(queue, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn play(&self, work: Work, sender: &SyncSender<Vec<u8>>) -> Result<(), OptimisationError> {
        match work {
            Work::Begin(run) => self.go_on(run),
            Work::Jobs(run, stage, jobs) => {
                let mut rows = Vec::new();
                let clock = Clock::start();
                let mut sent = Duration::ZERO;
                for (job, units) in jobs {
                    if !self.play_units(run, &stage, job, units, &mut rows)? {
                        break;
                    }
                    if clock.elapsed() > sent + Duration::from_millis(5) {
                        sent = clock.elapsed();
                        let _ = sender.send(std::mem::take(&mut rows));
                    }
                }
                let _ = sender.send(rows);
                self.go_on_if_settled(run)
            }
        }
    }

    /// Plays units of a job and adds their sums to its run. Returns whether it was not stopped.
    fn play_units(
        &self,
        run: usize,
        stage: &Stage,
        job: usize,
        units: Range<u64>,
        rows: &mut Vec<u8>,
    ) -> Result<bool, OptimisationError> {
        let count = units.end - units.start;
        let key = stage.jobs[job].key;
        let (from, cpu) = (self.clock.elapsed(), ThreadClock::start());
        let (mut sum, mut is_whole) = (Tally::default(), true);
        for unit in units {
            is_whole = !self.stop.load(Ordering::Relaxed);
            if !is_whole {
                break;
            }
            sum += match stage.play(job, unit..unit + 1) {
                Ok(tally) => tally,
                Err(error) if error.is_stop() => {
                    self.stop.store(true, Ordering::Relaxed);
                    is_whole = false;
                    break;
                }
                Err(error) => {
                    return Err(OptimisationError::of_game(&self.optimisation.runs[run], key, error));
                }
            };
        }
        let to = self.clock.elapsed();
        let stretch =
            Stretch { generation: key.generation, from, to, cpu: cpu.elapsed(), games: sum.games() };
        let added = self.with(run, |search| {
            search.spend(stretch);
            if is_whole { search.add(job, sum, count) } else { None }
        });
        if let Some((key, genes, tally)) = added {
            log_row(self.ids[run], key, genes, &tally, rows);
        }
        Ok(is_whole)
    }

    fn with<T>(&self, run: usize, act: impl FnOnce(&mut Search) -> T) -> T {
        let mut search = self.searches[run].lock().unwrap_or_else(PoisonError::into_inner);
        act(search.as_mut().expect("it is taken out at the end only"))
    }

    fn go_on_if_settled(&self, run: usize) -> Result<(), OptimisationError> {
        let settled =
            self.with(run, |search| search.is_settled() && !search.is_moving.swap(true, Ordering::Relaxed));
        if !settled {
            return Ok(());
        }
        self.keep_time(run);
        self.go_on(run)
    }

    /// Keeps the time of the games of a run since the last call.
    fn keep_time(&self, run: usize) {
        let stretch = self.with(run, |search| search.stretch.take());
        let mut stretches = self.stretches.lock().unwrap_or_else(PoisonError::into_inner);
        stretches.extend(stretch.map(|stretch| (self.ids[run], stretch)));
    }

    fn take_times(&self, log: &mut EvaluationLog) {
        let mut stretches = self.stretches.lock().unwrap_or_else(PoisonError::into_inner);
        stretches.drain(..).for_each(|(run, stretch)| log.1.add(run, stretch.generation, stretch.took()));
    }

    /// Asks a run for its next stage, and queues it.
    fn go_on(&self, run: usize) -> Result<(), OptimisationError> {
        let (from, cpu) = (self.clock.elapsed(), ThreadClock::start());
        let next = self.with(run, |search| {
            let next = search.next();
            if let Ok(Some((stage, _))) = &next {
                // New candidates are part of what a generation takes, and of short games the larger one.
                let (generation, to) = (stage.jobs[0].key.generation, self.clock.elapsed());
                search.spend(Stretch { generation, from, to, cpu: cpu.elapsed(), games: 0 });
            }
            // A run that has ended stays so.
            let goes_on = matches!(next, Ok(Some(_)));
            search.is_moving.store(!goes_on, Ordering::Relaxed);
            next
        });
        let next = next?;
        let mut queue = self.queue();
        match next {
            None => queue.live -= 1,
            Some((stage, jobs)) => queue.put(run, &stage, &jobs, self.threads),
        }
        Ok(())
    }

    fn progress(&self) -> OptimisationProgress {
        let mut progress = OptimisationProgress::default();
        let runs = self.searches.len() as f64;
        for search in &self.searches {
            // A run that asks for its next stage is passed over.
            let Ok(search) = search.try_lock() else { continue };
            let Some(search) = search.as_ref() else { continue };
            let Outcome { games, generations, ended, .. } = &search.outcome;
            progress.games += games;
            progress.ended += usize::from(ended.is_some());
            let share = match search.run.length {
                Length::Generations(all) => generations.len() as f64 / all as f64,
                Length::Games(all) => *games as f64 / all as f64,
            };
            progress.done += share.min(1.0) / runs;
        }
        progress
    }

    fn finish(self) -> Result<Vec<Run>, OptimisationError> {
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = queue.error {
            return Err(error);
        }
        let searches = self.searches.into_iter();
        let searches =
            searches.filter_map(|search| search.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(searches.map(Search::into_run).collect())
    }
}

pub(super) enum Work {
    /// A run begins.
    Begin(usize),
    /// Jobs of a stage of a run, and which units of each.
    Jobs(usize, Arc<Stage>, Vec<(usize, Range<u64>)>),
}

pub(super) struct Queue {
    work: VecDeque<Work>,
    /// The runs that have not ended.
    pub(super) live: usize,
    pub(super) error: Option<OptimisationError>,
    draws: Option<Rng>,
}

impl Queue {
    /// The beginning of all runs. A seed shuffles the order in which work is taken.
    pub(super) fn new(runs: usize, shuffle: Option<u64>) -> Self {
        let draws = shuffle.map(|seed| Stream::new(seed).rng());
        Self { work: (0..runs).map(Work::Begin).collect(), live: runs, error: None, draws }
    }

    /// The newest piece of work, or a random one.
    pub(super) fn take(&mut self) -> Option<Work> {
        let waiting = self.work.len() as u64;
        let draws = self.draws.as_mut().filter(|_| waiting > 0);
        let place = draws.map_or(0, |draws| draws.below(waiting) as usize);
        self.work.remove(place)
    }

    /// Adds jobs of a stage of a run. While there are more runs than threads, they are one piece; otherwise they are divided.
    pub(super) fn put(&mut self, run: usize, stage: &Arc<Stage>, jobs: &[usize], threads: usize) {
        let live = self.live;
        let wanted = if live >= 2 * threads { 1 } else { (4 * threads).div_ceil(live.max(1)) };
        // With fewer jobs than wanted pieces, each job is divided too.
        let parts = wanted.div_ceil(jobs.len()) as u64;
        let divided = jobs.iter().flat_map(|&job| {
            let units = stage.jobs[job].unit_count();
            let size = units.div_ceil(parts).max(1);
            let starts = (0..units).step_by(size as usize);
            starts.map(move |start| (job, start..(start + size).min(units)))
        });
        let divided: Vec<_> = divided.collect();
        let size = if parts > 1 { 1 } else { divided.len().div_ceil(wanted).max(1) };
        for piece in divided.chunks(size) {
            self.work.push_front(Work::Jobs(run, Arc::clone(stage), piece.to_vec()));
        }
    }
}
