//! Where the threads that play get their trials.

use std::collections::BTreeMap;

use super::plan::CellTables;
use super::{Plan, Trial};

/// Trials that one thread plays next.
pub(super) enum Chunk {
    /// One after the other.
    InTurn(Vec<Trial>),
    /// Of one cell, in lock-step.
    InLockStep(Vec<Trial>),
}

/// The trials that are still to be played, handed out in chunks.
pub(super) struct Supply<I> {
    schedule: I,
    /// How many trials of a cell are played in lock-step; 1 where each is played alone.
    together: usize,
    /// For each experiment and cell whether lock-step serves it.
    suits: Vec<Vec<bool>>,
    /// For each experiment and cell the trials that wait for others of their cell.
    waiting: BTreeMap<(usize, usize), Vec<Trial>>,
    /// The trials that are next to be played in turn.
    in_turn: Vec<Trial>,
}

impl<I: Iterator<Item = Trial>> Supply<I> {
    /// The trials of a schedule, so many of a cell at a time where that serves it.
    pub(super) fn new(plan: &Plan<'_>, schedule: I, together: usize) -> Self {
        let of_cell =
            |tables: &CellTables<'_>| together > 1 && tables.iter().any(|tables| tables.hold_conversations());
        let suits = plan.tables.iter().map(|cells| cells.iter().map(of_cell).collect()).collect();
        Self { schedule, together, suits, waiting: BTreeMap::new(), in_turn: Vec::new() }
    }

    /// The next trials: at most `count` to be played in turn, or as many as go together. `None`: there are no more.
    ///
    /// Trials in lock-step wait for others of their cell; the last of a cell go in smaller companies.
    pub(super) fn next(&mut self, count: usize) -> Option<Chunk> {
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
                return Some(Chunk::InLockStep(std::mem::take(waiting)));
            }
        }
        if !self.in_turn.is_empty() {
            return Some(Chunk::InTurn(std::mem::take(&mut self.in_turn)));
        }
        let largest = self.waiting.values_mut().max_by_key(|waiting| waiting.len())?;
        Some(std::mem::take(largest)).filter(|company| !company.is_empty()).map(Chunk::InLockStep)
    }

    /// Whether nothing is left.
    pub(super) fn is_done(&mut self) -> bool {
        self.in_turn.is_empty() && self.waiting.values().all(Vec::is_empty) && self.schedule.next().is_none()
    }
}
