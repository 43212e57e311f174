//! An experiment as it goes: how the players stand, what was decided, how much is left.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Finished, Log, LogError, Plan, Record, Share, Sink, Standings, Trial};

/// A set of experiments, a bit for each; those beyond the last bit are one.
type Needed = u128;

/// Some trials of a run.
#[derive(Default)]
struct Counts {
    /// How many were to be played when it began.
    missing: u64,
    played: u64,
}

/// The set of one experiment.
fn only(experiment: usize) -> Needed {
    1 << experiment.min(Needed::BITS as usize - 1)
}

/// The experiments that need a trial: its own, and those that share it.
fn needed(plan: &Plan<'_>, trial: Trial) -> Needed {
    plan.same_as(trial).fold(only(trial.experiment), |needed, twin| needed | only(twin.experiment))
}

/// Follows a run from where it begins. It is the sink that stopping rules need: what they have decided is known to the
/// threads that play.
pub struct Live<'p> {
    plan: &'p Plan<'p>,
    share: Share,
    standings: Vec<Standings<'p>>,
    decided: Arc<[AtomicBool]>,
    /// How many trials were to be played when the run began and how many were, by the experiments that need them.
    counts: BTreeMap<Needed, Counts>,
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
            counts: BTreeMap::new(),
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
            live.counts.entry(needed(plan, trial)).or_default().missing += 1;
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
        self.counts.values().map(|counts| counts.played).sum()
    }

    /// How many trials with a failure were played since the run began.
    pub const fn failed(&self) -> u64 {
        self.failed
    }

    /// How many trials are left: at most so many, where a stopping rule may decide.
    pub fn left(&self) -> u64 {
        let open = self.decided.iter().enumerate().filter(|(_, decided)| !decided.load(Ordering::Relaxed));
        let open = open.fold(0, |all, (experiment, _)| all | only(experiment));
        let counts = self.counts.iter().filter(|(needed, _)| *needed & open != 0);
        counts.map(|(_, counts)| counts.missing.saturating_sub(counts.played)).sum()
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
            self.counts.entry(needed(self.plan, record.trial)).or_default().played += 1;
            self.failed += u64::from(record.games.iter().any(|game| game.result.is_err()));
            self.fold(record.trial, record);
            for twin in self.plan.same_as(record.trial) {
                self.fold(twin, record);
            }
        }
        Ok(())
    }
}
