//! A pilot: a few trials of every cell, to estimate the total run time.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::play;
use crate::experiment::plan::{Plan, Trial};
use crate::game::Counts;
use crate::search::Clock;
use crate::stats::Moments;

/// No cell plays more trials in a pilot.
const MOST_TRIALS: u64 = 100;

/// The measurements of a pilot.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// The number of threads.
    pub threads: usize,
    /// For each experiment its cells.
    pub cells: Vec<Vec<CellTime>>,
    /// Of each experiment in which the score counts, the scores by cell and instance.
    scores: Scores,
}

type Scores = Vec<Vec<BTreeMap<u64, f64>>>;

/// The time that the trials of a cell took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellTime {
    /// The number of trials played.
    pub trials: u64,
    /// The total time, each on one thread.
    pub wall: Duration,
    /// The time of the longest trial that was abandoned.
    pub abandoned: Option<Duration>,
}

impl CellTime {
    /// The mean time of a trial, at least. `None` if none was played or abandoned.
    pub fn mean(&self) -> Option<Duration> {
        let mean = (self.trials > 0).then(|| self.wall.div_f64(self.trials as f64));
        mean.max(self.abandoned)
    }
}

struct Playing {
    schedule: Vec<(u64, Trial)>,
    /// The place of the next trial in the schedule.
    next: AtomicUsize,
    stop: AtomicBool,
    times: Mutex<Vec<Vec<CellTime>>>,
    scores: Mutex<Scores>,
    /// The trial of each thread, and when it was begun.
    now: Mutex<Vec<Option<(Trial, Clock)>>>,
}

impl Playing {
    /// Plays trials on one thread until the pilot stops.
    fn play(&self, plan: &Plan, thread: usize) {
        while !self.stop.load(Ordering::Relaxed)
            && let Some(trial) = self.next_trial()
        {
            let begun = Clock::start();
            unpoisoned(&self.now)[thread] = Some((trial, begun));
            let result = play(plan, trial).result_of_first();
            unpoisoned(&self.now)[thread] = None;
            let time = &mut unpoisoned(&self.times)[trial.experiment][trial.cell];
            time.trials += 1;
            time.wall += begun.elapsed();
            if let (Some((_, score)), Counts::Score) =
                (result, plan.experiment(trial.experiment).facts().counts)
            {
                unpoisoned(&self.scores)[trial.experiment][trial.cell].insert(trial.instance, score);
            }
        }
    }

    /// Instance by instance, all cells of all experiments.
    fn next_trial(&self) -> Option<Trial> {
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let instance = place.checked_div(self.schedule.len())? as u64;
            let (trials, trial) = self.schedule[place % self.schedule.len()];
            match instance {
                MOST_TRIALS.. => return None,
                _ if instance < trials => return Some(Trial { instance, ..trial }),
                _ => {}
            }
        }
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pilot {
    /// Plays trials on `threads` threads, the first instance of every cell, then the second, and so on. None is
    /// begun after `within`, and none is waited for after twice that time: the threads of such trials go on until the
    /// process ends. So some cells may get no trial, and of others only a lower bound of the time is known.
    ///
    /// The trials are those that a run will play; they are not kept.
    ///
    /// # Errors
    /// If the system does not start the threads.
    pub fn play(plan: &Plan, threads: usize, within: Duration) -> io::Result<Self> {
        let cells = || (0..plan.experiments().len()).map(|index| plan.cells(index).len());
        let playing = Arc::new(Playing {
            schedule: schedule(plan),
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            times: Mutex::new(cells().map(|cells| vec![CellTime::default(); cells]).collect()),
            scores: Mutex::new(cells().map(|cells| vec![BTreeMap::new(); cells]).collect()),
            now: Mutex::new(vec![None; threads]),
        });
        let (done, all_done) = mpsc::channel::<()>();
        let clock = Clock::start();
        for thread in 0..threads {
            let (plan, of_thread, done) = (plan.clone(), Arc::clone(&playing), done.clone());
            let work = move || {
                of_thread.play(&plan, thread);
                drop(done);
            };
            let spawned = std::thread::Builder::new().name(format!("pilot-{thread}")).spawn(work);
            spawned.inspect_err(|_| playing.stop.store(true, Ordering::Relaxed))?;
        }
        drop(done);
        // Nothing is sent; the threads hang up as they end.
        if all_done.recv_timeout(within) == Err(RecvTimeoutError::Timeout) {
            playing.stop.store(true, Ordering::Relaxed);
            let _ = all_done.recv_timeout((2 * within).saturating_sub(clock.elapsed()));
        }
        let mut cells = unpoisoned(&playing.times).clone();
        for (trial, begun) in unpoisoned(&playing.now).iter().flatten() {
            let abandoned = &mut cells[trial.experiment][trial.cell].abandoned;
            *abandoned = (*abandoned).max(Some(begun.elapsed()));
        }
        Ok(Self { threads, cells, scores: unpoisoned(&playing.scores).clone() })
    }

    /// The largest standard deviation of the difference of two players' scores on an instance, over the pairs with at least ten
    /// instances in common; in the unit of the score. `None` if there is no such pair, or the score does not count.
    pub fn deviation(&self, experiment: usize) -> Option<f64> {
        const FEW: u64 = 10;
        let of = &self.scores[experiment];
        let pairs = (0..of.len()).flat_map(|a| (a + 1..of.len()).map(move |b| (&of[a], &of[b])));
        let moments = pairs.map(|(first, second)| -> Moments {
            first.iter().filter_map(|(instance, score)| Some(score - second.get(instance)?)).collect()
        });
        moments.filter(|of| of.count() >= FEW).map(|of| of.variance().sqrt()).reduce(f64::max)
    }

    /// The number of trials played.
    pub fn trials(&self) -> u64 {
        self.cells.iter().flatten().map(|cell| cell.trials).sum()
    }

    /// The number of cells of whose time nothing is known.
    pub fn unmeasured(&self) -> usize {
        self.cells.iter().flatten().filter(|cell| cell.mean().is_none()).count()
    }

    /// The number of cells of whose time only a lower bound is known.
    pub fn abandoned(&self) -> usize {
        self.cells.iter().flatten().filter(|cell| cell.abandoned.is_some()).count()
    }

    /// The time that all trials of the plan will take on as many threads, at least; without the cells of whose time
    /// nothing is known.
    pub fn whole(&self, plan: &Plan) -> Duration {
        let of_experiment = |(index, cells): (usize, &Vec<CellTime>)| -> f64 {
            let trials = plan.experiment(index).trials as f64;
            cells.iter().filter_map(CellTime::mean).map(|mean| mean.as_secs_f64() * trials).sum()
        };
        let seconds: f64 = self.cells.iter().enumerate().map(of_experiment).sum();
        Duration::try_from_secs_f64(seconds / self.threads as f64).unwrap_or(Duration::MAX)
    }
}

/// The first trial of each cell, with the number of its trials.
fn schedule(plan: &Plan) -> Vec<(u64, Trial)> {
    let experiments = plan.experiments().enumerate();
    let cells = experiments.flat_map(|(index, experiment)| {
        let trial = move |cell| Trial { experiment: index, instance: 0, cell };
        (0..plan.cells(index).len()).map(move |cell| (experiment.trials, trial(cell)))
    });
    // A pilot starts no engines.
    cells.filter(|(_, trial)| !plan.has_engine(trial)).collect()
}
