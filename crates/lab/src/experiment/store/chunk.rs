//! Trials read from the lines of a log.

use arrayvec::ArrayVec;

use super::line::CHECK;
use super::rows::{COLUMNS, DETERMINISTIC, Rows, split, with_fields};
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::trial::record::{GameRecord, Record, SeatRecord};
use crate::game::Outcome;
use crate::search::Spent;

/// The index of the first column of times.
const TIMES_AT: usize = DETERMINISTIC.len();

/// Consecutive trials of an experiment in canonical order, read from a log.
#[derive(Clone, Debug, Default)]
pub struct LogChunk {
    /// Their records.
    pub records: Vec<Record>,
    /// Their rows of the canonical log, one after the other.
    pub rows: Vec<u8>,
    /// For each record the end of its rows.
    pub row_ends: Vec<usize>,
}

impl LogChunk {
    /// Consecutive trials with their rows.
    pub(super) fn of(rows: &Rows, records: Vec<Record>) -> Self {
        let mut chunk = Self { rows: Vec::with_capacity(200 * records.len()), ..Self::default() };
        for record in &records {
            rows.push_canonical(record, &mut chunk.rows);
            chunk.row_ends.push(chunk.rows.len());
        }
        Self { records, ..chunk }
    }

    /// Keeps the first trials.
    pub(crate) fn truncate(&mut self, trials: usize) {
        self.records.truncate(trials);
        self.row_ends.truncate(trials);
        self.rows.truncate(self.row_ends.last().copied().unwrap_or(0));
    }
}

/// Adds a trial to a chunk, from its lines. `None` if they are not lines of this trial.
pub(super) fn read_trial(
    plan: &Plan,
    rows: &Rows,
    trial: Trial,
    lines: &[u8],
    chunk: &mut LogChunk,
) -> Option<()> {
    let seatings = plan.cells(trial.experiment)[trial.cell].seatings();
    let mut record = Record { trial, games: ArrayVec::new(), cpu_ns: 0 };
    let mut lines = lines.split(|&byte| byte == b'\n');
    let begin = chunk.rows.len();
    let (mut as_written, is_canonical) = (true, !plan.has_engine(&trial));
    for (index, seating) in seatings.iter().enumerate() {
        let line = lines.next()?;
        let row = line.get(..line.len().checked_sub(CHECK)?)?;
        with_fields(row, |fields| {
            record.games.push(game_record(seating, fields)?);
            record.cpu_ns += number(fields[TIMES_AT + 4]).unwrap_or(0);
            Some(())
        })?;
        // The deterministic columns can be copied, unless a name has changed or is in quotes.
        let Some((fields, deterministic)) = split(row) else {
            as_written = false;
            continue;
        };
        if !is_canonical {
            continue;
        }
        let start = chunk.rows.len();
        rows.push_names(&trial, fields[2], index + 1, seating.iter().copied(), &mut chunk.rows);
        as_written &= row.starts_with(&chunk.rows[start..]);
        chunk.rows.truncate(start);
        chunk.rows.extend(deterministic);
        chunk.rows.push(b'\n');
    }
    if !as_written {
        chunk.rows.truncate(begin);
        rows.push_canonical(&record, &mut chunk.rows);
    }
    chunk.row_ends.push(chunk.rows.len());
    chunk.records.push(record);
    Some(())
}

/// The game of a row.
pub(super) fn game_record(seating: &[usize], fields: &[&[u8]; COLUMNS]) -> Option<GameRecord> {
    let text = |field: &[u8]| std::str::from_utf8(field).ok().map(ToString::to_string);
    let result = match fields[6] {
        b"" => Err(text(fields[16])?),
        outcome => {
            let outcome = Outcome::from_bytes(outcome)?;
            Ok((outcome, std::str::from_utf8(fields[7]).ok()?.parse().ok()?))
        }
    };
    let seat = |(seat, &player): (usize, &usize)| {
        let spent = Spent {
            playouts: number(fields[10 + 3 * seat])?,
            plies: number(fields[11 + 3 * seat])?,
            nodes: number(fields[12 + 3 * seat])?,
        };
        let moves = number(fields[TIMES_AT + seat])? as u32;
        Some(SeatRecord { player, moves, spent, wall_ns: number(fields[TIMES_AT + 2 + seat])? })
    };
    let forfeit = if result.is_ok() && !fields[16].is_empty() { Some(text(fields[16])?) } else { None };
    Some(GameRecord {
        result,
        forfeit,
        plies: number(fields[8])? as u32,
        game_hash: hexadecimal(fields[9])?,
        seats: seating.iter().enumerate().map(seat).collect::<Option<_>>()?,
    })
}

/// A whole number in decimal digits.
pub(super) fn number(field: &[u8]) -> Option<u64> {
    let digit = |number: u64, &byte: &u8| {
        number.checked_mul(10)?.checked_add(u64::from(byte.checked_sub(b'0').filter(|&digit| digit < 10)?))
    };
    if field.is_empty() { None } else { field.iter().try_fold(0, digit) }
}

/// A number in sixteen hexadecimal digits.
fn hexadecimal(field: &[u8]) -> Option<u64> {
    let digit = |number: u64, &byte: &u8| Some(number << 4 | u64::from(char::from(byte).to_digit(16)?));
    if field.len() == 16 { field.iter().try_fold(0, digit) } else { None }
}
