//! The trials of the rows of a log.

use super::chunk::{game_record, number};
use super::finder::Finder;
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
    finder: Finder<'p>,
    /// The current trial: its name, itself, its place, the number of its games so far.
    current: Option<(TrialId, Option<Trial>, u64, usize)>,
}

impl<'p> Index<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self { plan, finder: Finder::new(plan), current: None }
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

    fn find(&self, id: TrialId, instance: u64, fields: &[&[u8]; COLUMNS]) -> Option<Trial> {
        self.finder.find(self.finder.guess([fields[0], fields[4], fields[5]]), instance, id)
    }
}
