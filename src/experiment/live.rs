//! An experiment as it goes: how the players stand, what was decided, how much is left.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Finished, Log, LogError, Plan, Record, Share, Sink, Standings, Trial};

/// Follows a run from where it begins. It is the sink that stopping rules need: what they have decided is known to the
/// threads that play.
pub struct Live<'p> {
    plan: &'p Plan<'p>,
    share: Share,
    standings: Vec<Standings<'p>>,
    decided: Arc<[AtomicBool]>,
    /// For each experiment how many trials were to be played when the run began, and how many were.
    missing: Vec<u64>,
    played: Vec<u64>,
    failed: u64,
}

impl<'p> Live<'p> {
    /// A run of a share of the plan that begins with what is in the log.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn new(plan: &'p Plan<'p>, share: Share, log: &Log<'p>) -> Result<Self, LogError> {
        let experiments = 0..plan.manifest.experiments.len();
        let mut live = Self {
            plan,
            share,
            standings: experiments.clone().map(|index| Standings::new(plan, index, share)).collect(),
            decided: experiments.clone().map(|_| AtomicBool::new(false)).collect(),
            missing: vec![0; plan.cells.len()],
            played: vec![0; plan.cells.len()],
            failed: 0,
        };
        for experiment in experiments {
            for record in log.records(experiment) {
                // Trials of the same content are in the log's answers already.
                let record = record?;
                live.fold(record.trial, &record);
            }
        }
        let wanted = live.wanted(log);
        for trial in plan.schedule().filter(&wanted) {
            live.missing[trial.experiment] += 1;
        }
        Ok(live)
    }

    /// Whether a trial is to be played: it is in the share, not in the log, not another's twin, and its experiment is
    /// not decided by then.
    pub fn wanted(&self, log: &Log<'p>) -> impl Fn(&Trial) -> bool + Sync + use<'p> {
        let (plan, share, decided) = (self.plan, self.share, Arc::clone(&self.decided));
        // As it is now: nobody asks twice about a trial.
        let log = log.clone();
        move |trial: &Trial| {
            share.holds(trial)
                && !decided[trial.experiment].load(Ordering::Relaxed)
                && !log.holds(trial)
                && !plan.is_repeated(trial)
        }
    }

    fn fold(&mut self, trial: Trial, record: &Record) {
        let standings = &mut self.standings[trial.experiment];
        standings.take(trial, record);
        if standings.decision().is_some() {
            self.decided[trial.experiment].store(true, Ordering::Relaxed);
        }
    }

    /// How the players of an experiment stand.
    pub fn standings(&self, experiment: usize) -> &Standings<'p> {
        &self.standings[experiment]
    }

    /// How many trials were played since the run began.
    pub fn played(&self) -> u64 {
        self.played.iter().sum()
    }

    /// How many trials with a failure were played since the run began.
    pub const fn failed(&self) -> u64 {
        self.failed
    }

    /// How many trials are left: at most so many, where a stopping rule may decide.
    pub fn left(&self) -> u64 {
        let undecided = (0..self.missing.len()).filter(|&index| !self.decided[index].load(Ordering::Relaxed));
        undecided.map(|index| self.missing[index].saturating_sub(self.played[index])).sum()
    }

    /// Whether a stopping rule may still decide something.
    pub fn may_stop(&self) -> bool {
        let experiments = self.plan.manifest.experiments.iter().zip(self.decided.iter());
        experiments.clone().any(|(of, decided)| of.stopping.is_some() && !decided.load(Ordering::Relaxed))
    }
}

impl Sink for Live<'_> {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        for record in &finished.records {
            self.played[record.trial.experiment] += 1;
            self.failed += u64::from(record.games.iter().any(|game| game.result.is_err()));
            self.fold(record.trial, record);
            for twin in self.plan.same_as(record.trial) {
                self.fold(twin, record);
            }
        }
        Ok(())
    }
}
