//! A pilot: a few trials of every cell, to estimate the total run time.

use std::io;
use std::sync::Mutex;
use std::time::Duration;

use super::play::play;
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::search::Clock;

/// No cell plays more trials in a pilot.
const MOST_TRIALS: u64 = 100;

/// The measurements of a pilot.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// The number of threads.
    pub threads: usize,
    /// For each experiment its cells.
    pub cells: Vec<Vec<CellTime>>,
}

/// The time that the trials of a cell took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellTime {
    /// The number of trials played.
    pub trials: u64,
    /// Their total time, each on one thread.
    pub wall: Duration,
}

impl CellTime {
    /// The mean time of a trial. `None` if none was played.
    pub fn mean(&self) -> Option<Duration> {
        (self.trials > 0).then(|| self.wall.div_f64(self.trials as f64))
    }
}

impl Pilot {
    /// Plays trials on `threads` threads, the first instance of every cell, then the second, and so on. None is
    /// begun after `within`; a trial in progress is played to its end, so a pilot of long trials takes longer, and
    /// some cells may get none.
    ///
    /// The trials are those that a run will play; they are not kept.
    ///
    /// # Errors
    /// If the system does not start the threads.
    pub fn play(plan: &Plan, threads: usize, within: Duration) -> io::Result<Self> {
        let cells = (0..plan.experiments().len()).map(|index| plan.cells(index).len());
        let times: Vec<Vec<CellTime>> = cells.map(|cells| vec![CellTime::default(); cells]).collect();
        let (schedule, times) = (Mutex::new(schedule(plan)), Mutex::new(times));
        let clock = Clock::start();
        std::thread::scope(|scope| {
            (0..threads).try_for_each(|index| {
                let player = || {
                    while clock.elapsed() < within {
                        let next = schedule.lock().expect("no player panics with the schedule").next();
                        let Some(trial) = next else { return };
                        let begun = Clock::start();
                        play(plan, trial);
                        let mut times = times.lock().expect("no player panics with the times");
                        let time = &mut times[trial.experiment][trial.cell];
                        time.trials += 1;
                        time.wall += begun.elapsed();
                    }
                };
                let thread = std::thread::Builder::new().name(format!("pilot-{index}"));
                thread.spawn_scoped(scope, player).map(drop)
            })
        })?;
        let cells = times.into_inner().expect("no player panics with the times");
        Ok(Self { threads, cells })
    }

    /// The number of trials played.
    pub fn trials(&self) -> u64 {
        self.cells.iter().flatten().map(|cell| cell.trials).sum()
    }

    /// The number of cells without a trial, so that their time is not known.
    pub fn unmeasured(&self) -> usize {
        self.cells.iter().flatten().filter(|cell| cell.trials == 0).count()
    }

    /// The time that all trials of the plan will take on as many threads; without the cells that were not measured.
    pub fn whole(&self, plan: &Plan) -> Duration {
        let of_experiment = |(index, cells): (usize, &Vec<CellTime>)| -> f64 {
            let trials = plan.experiment(index).trials as f64;
            cells.iter().filter_map(CellTime::mean).map(|mean| mean.as_secs_f64() * trials).sum()
        };
        let seconds: f64 = self.cells.iter().enumerate().map(of_experiment).sum();
        Duration::try_from_secs_f64(seconds / self.threads as f64).unwrap_or(Duration::MAX)
    }
}

/// Instance by instance, all cells of all experiments.
fn schedule(plan: &Plan) -> impl Iterator<Item = Trial> + use<'_> {
    let experiments = plan.experiments().enumerate();
    let cells = experiments.flat_map(|(index, experiment)| {
        let trial = move |cell| Trial { experiment: index, instance: 0, cell };
        (0..plan.cells(index).len()).map(move |cell| (experiment.trials, trial(cell)))
    });
    let cells: Vec<(u64, Trial)> = cells.collect();
    (0..MOST_TRIALS).flat_map(move |instance| {
        let open = cells.clone().into_iter().filter(move |(trials, _)| instance < *trials);
        open.map(move |(_, trial)| Trial { instance, ..trial })
    })
}
