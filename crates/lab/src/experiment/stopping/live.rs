//! A run in progress: standings, decisions, remaining trials.
//!
//! A shard sees its own trials only, and a stopping rule reads the instances of all, in order. So the decision of several shards
//! is read from their logs in the shared folder. It is the decision of the merge: the instances before it are all in these logs.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Standings;
use crate::experiment::plan::{Plan, Shard, Trial};
use crate::experiment::store::{Log, LogError, Results};
use crate::experiment::trial::{Finished, Record, Sink};

/// A set of experiments, one bit each; experiments beyond the last bit share it.
type Needed = u128;

#[derive(Default)]
struct Counts {
    /// The number left to play when the run started.
    missing: u64,
    played: u64,
}

fn only(experiment: usize) -> Needed {
    1 << experiment.min(Needed::BITS as usize - 1)
}

/// The experiments that need a trial: its own, and those that share it.
fn needed(plan: &Plan, trial: Trial) -> Needed {
    plan.same_as(trial).fold(only(trial.experiment), |needed, other| needed | only(other.experiment))
}

/// A run in progress. It is the sink that feeds the stopping rules, and it passes their decisions to the playing
/// threads.
pub struct Live {
    plan: Plan,
    share: Shard,
    standings: Vec<Standings>,
    decided: Arc<[AtomicBool]>,
    /// The trials to be played and those played, by the experiments that need them.
    counts: BTreeMap<Needed, Counts>,
    /// The number of failed trials in this run.
    pub failed: u64,
    /// The number of trials in this run with a game that an engine lost without finishing it.
    pub forfeited: u64,
}

impl Live {
    /// A run of a shard of the plan that continues the log.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn new(plan: &Plan, share: Shard, log: &Log) -> Result<Self, LogError> {
        let experiments = 0..plan.experiments().len();
        let mut live = Self {
            plan: plan.clone(),
            share,
            standings: experiments.clone().map(|index| Standings::new(plan, index, share)).collect(),
            decided: experiments.clone().map(|_| AtomicBool::new(false)).collect(),
            counts: BTreeMap::new(),
            failed: 0,
            forfeited: 0,
        };
        for experiment in experiments {
            for record in log.records(experiment) {
                // The log already answers for trials of the same content.
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

    /// Whether to play a trial: it is in the shard, not in the log and not redundant, and an experiment that needs it
    /// is undecided.
    pub fn wanted(&self, log: &Log) -> impl Fn(&Trial) -> bool + Sync + use<> {
        let (plan, share, decided) = (self.plan.clone(), self.share, Arc::clone(&self.decided));
        // A copy of the current log, because each trial is checked once.
        let log = log.clone();
        move |trial: &Trial| {
            let is_open = |experiment: usize| !decided[experiment].load(Ordering::Relaxed);
            share.holds(trial)
                && (is_open(trial.experiment) || plan.same_as(*trial).any(|other| is_open(other.experiment)))
                && !log.holds(trial)
                && !plan.is_repeated(trial)
        }
    }

    /// A check to repeat. It reads the logs of `shards` shards, whose folders begin with `base`, and stops the experiments that these
    /// decide together. It returns whether nothing is left to decide.
    pub fn decider(&self, base: PathBuf, shards: u64) -> impl Fn() -> bool + Send + use<> {
        let (plan, decided) = (self.plan.clone(), Arc::clone(&self.decided));
        move || {
            take_over(&decided, &decided_by_shards(&plan, &base, shards));
            !may_stop(&plan, &decided)
        }
    }

    /// Takes over which experiments all shards together have decided.
    pub fn decide(&self, decided: &[bool]) {
        take_over(&self.decided, decided);
    }

    fn fold(&mut self, trial: Trial, record: &Record) {
        let standings = &mut self.standings[trial.experiment];
        standings.take(trial, record);
        if standings.decision().is_some() {
            self.decided[trial.experiment].store(true, Ordering::Relaxed);
        }
    }

    /// The standings of an experiment.
    pub fn standings(&self, experiment: usize) -> &Standings {
        &self.standings[experiment]
    }

    /// The number of trials played in this run.
    pub fn played(&self) -> u64 {
        self.counts.values().map(|counts| counts.played).sum()
    }

    /// The number of trials left; an upper bound if a stopping rule may decide.
    pub fn left(&self) -> u64 {
        let open = self.decided.iter().enumerate().filter(|(_, decided)| !decided.load(Ordering::Relaxed));
        let open = open.fold(0, |all, (experiment, _)| all | only(experiment));
        let counts = self.counts.iter().filter(|(needed, _)| *needed & open != 0);
        counts.map(|(_, counts)| counts.missing.saturating_sub(counts.played)).sum()
    }

    /// Whether a stopping rule may still decide something.
    pub fn may_stop(&self) -> bool {
        may_stop(&self.plan, &self.decided)
    }
}

impl Sink for Live {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        for record in &finished.records {
            self.counts.entry(needed(&self.plan, record.trial)).or_default().played += 1;
            self.failed += u64::from(record.has_failed());
            self.forfeited += u64::from(record.is_forfeited());
            self.fold(record.trial, record);
            let others: Vec<Trial> = self.plan.same_as(record.trial).collect();
            for other in others {
                self.fold(other, record);
            }
        }
        Ok(())
    }
}

fn take_over(flags: &[AtomicBool], decided: &[bool]) {
    for (flag, _) in flags.iter().zip(decided).filter(|(_, decided)| **decided) {
        flag.store(true, Ordering::Relaxed);
    }
}

fn may_stop(plan: &Plan, decided: &[AtomicBool]) -> bool {
    let mut experiments = plan.experiments().zip(decided);
    experiments.any(|(of, decided)| of.stopping.is_some() && !decided.load(Ordering::Relaxed))
}

/// The experiments that the logs of these shards decide. A log that is not there, or cannot be read, has no trials.
///
/// # Cost
/// A pass over all logs.
pub fn decided_by_shards(plan: &Plan, base: &Path, shards: u64) -> Vec<bool> {
    let experiments = 0..plan.experiments().len();
    let has_rule = |index: usize| plan.experiment(index).stopping.is_some();
    let mut standings: Vec<Standings> =
        experiments.clone().map(|index| Standings::new(plan, index, Shard::WHOLE)).collect();
    let mut seen = BTreeSet::new();
    for results in Shard::all(shards).filter_map(|shard| Results::open(&shard.folder(base)).ok()) {
        let Ok(log) = Log::read(&results.log(), plan) else { continue };
        for index in experiments.clone().filter(|&index| has_rule(index)) {
            for record in log.records(index).map_while(Result::ok) {
                if seen.insert((index, record.trial.instance, record.trial.cell)) {
                    standings[index].take(record.trial, &record);
                }
            }
        }
    }
    standings.iter().map(|of| of.decision().is_some()).collect()
}
