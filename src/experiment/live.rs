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
    /// For each experiment and cell how many trials were to be played when the run began, and how many were.
    missing: Vec<Vec<u64>>,
    played: Vec<Vec<u64>>,
    failed: u64,
}

impl<'p> Live<'p> {
    /// A run of a share of the plan that begins with what is in the log.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn new(plan: &'p Plan<'p>, share: Share, log: &Log<'p>) -> Result<Self, LogError> {
        let experiments = 0..plan.manifest.experiments.len();
        let none: Vec<Vec<u64>> = plan.cells.iter().map(|cells| vec![0; cells.len()]).collect();
        let mut live = Self {
            plan,
            share,
            standings: experiments.clone().map(|index| Standings::new(plan, index, share)).collect(),
            decided: experiments.clone().map(|_| AtomicBool::new(false)).collect(),
            missing: none.clone(),
            played: none,
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
            live.missing[trial.experiment][trial.cell] += 1;
        }
        Ok(live)
    }

    /// Whether a trial is to be played: it is in the share, not in the log, not another's twin, and its experiment, or
    /// one of those that share it, is not decided by then.
    pub fn wanted(&self, log: &Log<'p>) -> impl Fn(&Trial) -> bool + Sync + use<'p> {
        let (plan, share, decided) = (self.plan, self.share, Arc::clone(&self.decided));
        // As it is now: nobody asks twice about a trial.
        let log = log.clone();
        move |trial: &Trial| {
            let is_open = |experiment: usize| !decided[experiment].load(Ordering::Relaxed);
            share.holds(trial)
                && (is_open(trial.experiment) || plan.same_as(*trial).any(|twin| is_open(twin.experiment)))
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
        self.played.iter().flatten().sum()
    }

    /// How many trials with a failure were played since the run began.
    pub const fn failed(&self) -> u64 {
        self.failed
    }

    /// How many trials are left: at most so many, where a stopping rule may decide.
    pub fn left(&self) -> u64 {
        let is_open = |experiment: usize| !self.decided[experiment].load(Ordering::Relaxed);
        let left_of = |experiment: usize| {
            let cells = self.missing[experiment].iter().zip(&self.played[experiment]).enumerate();
            let open = cells.filter(move |&(cell, _)| {
                is_open(experiment) || self.plan.sharers(experiment, cell).any(is_open)
            });
            open.map(|(_, (missing, played))| missing.saturating_sub(*played)).sum::<u64>()
        };
        (0..self.missing.len()).map(left_of).sum()
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
            self.played[record.trial.experiment][record.trial.cell] += 1;
            self.failed += u64::from(record.games.iter().any(|game| game.result.is_err()));
            self.fold(record.trial, record);
            for twin in self.plan.same_as(record.trial) {
                self.fold(twin, record);
            }
        }
        Ok(())
    }
}
