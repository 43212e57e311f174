//! What the shards of a run decide together, before they are merged.
//!
//! A shard sees its own trials only, and a stopping rule reads the instances of all, in order. So the decision is read from the
//! logs of all shards in the shared folder. It is the decision of the merge: the instances before it are all in these logs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::standings::Standings;
use crate::experiment::plan::Plan;
use crate::experiment::plan::shard::Shard;
use crate::experiment::store::log::Log;
use crate::experiment::store::results::Results;

/// Stops the experiments of a run that all shards together have decided.
pub struct Decider {
    pub(super) plan: Plan,
    pub(super) decided: Arc<[AtomicBool]>,
}

impl Decider {
    /// Reads the logs of these shards, whose folders begin with `base`. Returns whether nothing is left to decide.
    pub fn read(&self, base: &Path, shards: u64) -> bool {
        for (flag, decided) in self.decided.iter().zip(decided_by_shards(&self.plan, base, shards)) {
            if decided {
                flag.store(true, Ordering::Relaxed);
            }
        }
        let mut experiments = self.plan.experiments().zip(self.decided.iter());
        experiments.all(|(of, decided)| of.stopping.is_none() || decided.load(Ordering::Relaxed))
    }
}

/// The experiments that the logs of these shards decide. A log that is not there, or cannot be read, has no trials.
///
/// # Cost
/// One pass over all logs.
pub fn decided_by_shards(plan: &Plan, base: &Path, shards: u64) -> Vec<bool> {
    let experiments = 0..plan.experiments().len();
    let has_rule = |index: usize| plan.experiment(index).stopping.is_some();
    let mut standings: Vec<Standings> =
        experiments.clone().map(|index| Standings::new(plan, index, Shard::WHOLE)).collect();
    let logs = Shard::all(shards).filter_map(|shard| Results::open(&shard.folder(base)).ok());
    let logs: Vec<PathBuf> = logs.map(|results| results.log()).collect();
    let mut seen = BTreeSet::new();
    for log in logs {
        let Ok(log) = Log::read(&log, plan) else { continue };
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
