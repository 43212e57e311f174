//! The trials of the rows of a log.

use std::collections::BTreeMap;

use super::chunk::{game_record, number};
use super::rows::{COLUMNS, with_fields};
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::plan::identity::TrialId;

/// The kind of a row of a log.
pub(super) enum Row {
    /// The last one of a trial, which begins at this place.
    Complete(Trial, u64),
    /// One of a trial that is not complete by it.
    Part,
    /// One of a trial that is not of the plan.
    Other,
}

/// Finds the trials of rows.
pub(super) struct Index<'p> {
    plan: &'p Plan,
    /// The experiment and cell that a row's names suggest: experiment, first and second player. The names may have
    /// changed since.
    by_names: BTreeMap<Vec<u8>, (usize, usize)>,
    names: Vec<u8>,
    /// The current trial: its name, itself, its place, the number of its games so far.
    current: Option<(TrialId, Option<Trial>, u64, usize)>,
}

impl<'p> Index<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let mut by_names = BTreeMap::new();
        for (index, experiment) in plan.experiments().enumerate() {
            for (number, cell) in plan.cells(index).iter().enumerate() {
                let name = |seat: usize| {
                    cell.players.get(seat).map_or("", |&player| &*experiment.players[player].name)
                };
                let key = [&*experiment.name, name(0), name(1)].join("\n");
                by_names.insert(key.into_bytes(), (index, number));
            }
        }
        Self { plan, by_names, names: Vec::new(), current: None }
    }

    /// The kind of the row at this place, or why it is damaged.
    pub(super) fn row(&mut self, row: &[u8], place: u64) -> Result<Row, &'static str> {
        let read = with_fields(row, |fields| Some(self.fields(fields, place)));
        read.ok_or("it has other columns than the first line")?
    }

    fn fields(&mut self, fields: &[&[u8]; COLUMNS], place: u64) -> Result<Row, &'static str> {
        let id = TrialId::from_digits(fields[2]).ok_or("it names no trial")?;
        let unreadable = "a field cannot be read";
        let number_of_game = number(fields[3]).ok_or(unreadable)? as usize;
        let (trial, begin, games) = match self.current.take() {
            Some((current, trial, begin, games)) if current == id && number_of_game == games + 1 => {
                (trial, begin, number_of_game)
            }
            _ => {
                let instance = number(fields[1]).ok_or(unreadable)?;
                (self.find(id, instance, fields), place, if number_of_game == 1 { 1 } else { usize::MAX - 1 })
            }
        };
        let Some(known) = trial else {
            self.current = Some((id, None, begin, games));
            return Ok(Row::Other);
        };
        let seatings = self.plan.cells(known.experiment)[known.cell].seatings();
        let seating = seatings.get(number_of_game.wrapping_sub(1));
        // A row with a right check that is no game of its trial is not damaged. Its trial is played again.
        if seating.and_then(|seating| game_record(seating, fields)).is_none() {
            return Ok(Row::Other);
        }
        if games == seatings.len() {
            return Ok(Row::Complete(known, begin));
        }
        self.current = Some((id, trial, begin, games));
        Ok(Row::Part)
    }

    fn find(&mut self, id: TrialId, instance: u64, fields: &[&[u8]; COLUMNS]) -> Option<Trial> {
        self.names.clear();
        for (name, end) in [(fields[0], "\n"), (fields[4], "\n"), (fields[5], "")] {
            self.names.extend(name);
            self.names.extend(end.bytes());
        }
        let guess =
            self.by_names.get(&self.names).map(|&(experiment, cell)| Trial { experiment, instance, cell });
        let guess = guess.filter(|trial| instance < self.plan.experiment(trial.experiment).trials);
        guess.filter(|trial| self.plan.id(trial) == id).or_else(|| self.plan.trial_named(id, instance))
    }
}
