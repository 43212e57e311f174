//! The supply of trials for the threads that play.

use std::collections::BTreeMap;

use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::{Cell, Trial};
use crate::experiment::plan::planned::Planned;

/// Trials that one thread plays next.
pub(crate) enum TrialBatch {
    /// One after the other.
    InTurn(Vec<Trial>),
    /// Of one cell, in lock-step.
    InLockStep(Vec<Trial>),
}

/// The trials left to play, handed out in chunks.
pub(crate) struct Supply<I> {
    schedule: I,
    /// The number of trials of a cell in lock-step; 1 plays each alone.
    together: usize,
    /// For each experiment and cell, whether it can be played in lock-step.
    suits: Vec<Vec<bool>>,
    /// For each experiment and cell the trials that wait for others of their cell.
    waiting: BTreeMap<(usize, usize), Vec<Trial>>,
    /// The trials that are next to be played in turn.
    in_turn: Vec<Trial>,
}

impl<I: Iterator<Item = Trial>> Supply<I> {
    /// The trials of a schedule, `together` of a cell at a time if the cell can be played in lock-step.
    pub(crate) fn new(plan: &Plan, schedule: I, together: usize) -> Self {
        let of_experiment = |index: usize| {
            let Planned { cells, tables, .. } = plan.planned(index);
            let suits =
                |cell: &Cell| together > 1 && cell.seatings().iter().any(|seats| tables.ask_and_tell(seats));
            cells.iter().map(suits).collect()
        };
        let suits = (0..plan.experiments().len()).map(of_experiment).collect();
        Self { schedule, together, suits, waiting: BTreeMap::new(), in_turn: Vec::new() }
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
            let waiting = self.waiting.entry((trial.experiment, trial.cell)).or_default();
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

    /// Whether nothing is left.
    pub(crate) fn is_done(&mut self) -> bool {
        self.in_turn.is_empty() && self.waiting.values().all(Vec::is_empty) && self.schedule.next().is_none()
    }
}
