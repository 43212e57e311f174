//! Standings of players while trials are played, folded by instance.

use std::collections::BTreeMap;

use super::{InstanceResults, Standing, Stopper, StoppingPoint};
use crate::experiment::plan::{Cell, Plan, Shard, Trial};
use crate::experiment::trial::Record;
use crate::stats::Estimate;

/// The standings of an experiment's players after some instances.
pub struct Standings {
    cells: Vec<Cell>,
    players: Vec<Standing>,
    stopper: Option<Stopper>,
    /// The next instance to fold, and the distance to the one after it.
    next: u64,
    step: u64,
    waiting: BTreeMap<u64, Waiting>,
}

/// An instance that is incomplete, or waits for an earlier one.
struct Waiting {
    /// The number of its missing trials.
    missing: usize,
    /// The results of the others, by cell.
    results: Vec<Option<(f64, f64)>>,
}

impl Standings {
    /// The standings of an experiment before its first trial, for a run that plays one shard.
    pub fn new(plan: &Plan, experiment: usize, share: Shard) -> Self {
        let of = plan.experiment(experiment);
        let standing = |_| Standing::new(of.facts());
        Self {
            cells: plan.cells(experiment).to_vec(),
            players: (0..of.players.len()).map(standing).collect(),
            // A shard does not see the trials of other shards, and decides nothing.
            stopper: if share == Shard::WHOLE { Stopper::new(plan, experiment) } else { None },
            next: share.first(),
            step: share.step(),
            waiting: BTreeMap::new(),
        }
    }

    /// Takes a trial, in any order. It counts when all earlier ones have arrived, but not after the stopping rule has
    /// decided.
    ///
    /// The trial is the record's own, or one of the same content.
    pub fn take(&mut self, trial: Trial, record: &Record) {
        let Trial { instance, cell, .. } = trial;
        if instance < self.next || self.decision().is_some() {
            return;
        }
        let cells = self.cells.len();
        if cells == 1 && instance == self.next {
            self.fold(vec![record.result_of_first()]);
        } else {
            let new = || Waiting { missing: cells, results: vec![None; cells] };
            let waiting = self.waiting.entry(instance).or_insert_with(new);
            waiting.missing -= 1;
            waiting.results[cell] = record.result_of_first();
        }
        while let Some(entry) = self.waiting.first_entry()
            && *entry.key() == self.next
            && entry.get().missing == 0
        {
            let results = entry.remove().results;
            self.fold(results);
        }
    }

    fn fold(&mut self, results: Vec<Option<(f64, f64)>>) {
        self.next += self.step;
        let results = InstanceResults { cells: &self.cells, results };
        if let Some(stopper) = &mut self.stopper {
            if stopper.decision().is_some() {
                return;
            }
            stopper.push(&results);
        }
        for (player, standing) in self.players.iter_mut().enumerate() {
            results.of_player(player).into_iter().for_each(|result| standing.push(result));
        }
    }

    /// The decision of the stopping rule, if there is one.
    pub fn decision(&self) -> Option<&StoppingPoint> {
        self.stopper.as_ref()?.decision()
    }

    /// The expected number of instances until a sequential test decides, if the rule is one and has results that vary.
    pub fn expected_left(&self) -> Option<u64> {
        Some(self.stopper.as_ref()?.expected_left()?.ceil() as u64)
    }

    /// The standing of a player: its success rate, points per game or mean score, with the anytime-valid 95 % interval, and the
    /// number of instances.
    ///
    /// # Cost
    /// Passes over up to a few tens of thousands of values.
    pub fn of_player(&self, player: usize) -> (Estimate, u64) {
        (self.players[player].interval(), self.players[player].trials())
    }
}
