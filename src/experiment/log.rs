//! The log: append-only rows, one for each game, written as trials finish and read back.
//!
//! A row is CSV and checks itself: its last column is the beginning of the SHA-256 of all before it. The rows of
//! a pair are written together. A torn last row is dropped; a damaged one is named.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::rows::{DETERMINISTIC, csv_line, deterministic_fields, sha256_hex};
use super::{GameRecord, Plan, Record, SeatRecord, Sink, Trial};
use crate::game::Outcome;
use crate::search::Spent;

/// The columns that differ from run to run: wall time of each player's moves, processor time of the game, and how
/// many moves the times are of.
const TIMES: [&str; 5] = ["first_moves", "second_moves", "first_wall_ns", "second_wall_ns", "game_cpu_ns"];

/// Writes rows to a log file as trials finish.
pub struct LogWriter<'p> {
    plan: &'p Plan<'p>,
    file: File,
}

impl<'p> LogWriter<'p> {
    /// Begins a new log. The file must not be there yet.
    ///
    /// # Errors
    /// Where the file is there, or cannot be written.
    pub fn create(path: &Path, plan: &'p Plan<'p>) -> io::Result<Self> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(&checked_row(DETERMINISTIC.iter().chain(&TIMES)))?;
        Ok(Self { plan, file })
    }
}

impl Sink for LogWriter<'_> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let mut rows = Vec::new();
        for (index, game) in record.games.iter().enumerate() {
            let fields = deterministic_fields(self.plan, record, index);
            let seat = |seat: usize, field: fn(&SeatRecord) -> u64| {
                game.seats.get(seat).map_or_else(String::new, |seat| field(seat).to_string())
            };
            let times = [
                seat(0, |seat| u64::from(seat.moves)),
                seat(1, |seat| u64::from(seat.moves)),
                seat(0, |seat| seat.wall_ns),
                seat(1, |seat| seat.wall_ns),
                game.cpu_ns.to_string(),
            ];
            rows.extend(checked_row(fields.iter().chain(&times)));
        }
        self.file.write_all(&rows)
    }
}

/// A row with its check.
fn checked_row<S: AsRef<[u8]>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut row = csv_line(fields);
    let check = check_of(&row);
    row.extend(format!(",{check}\n").into_bytes());
    row
}

fn check_of(row: &[u8]) -> String {
    sha256_hex(row)[..8].into()
}

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row is not what was written.
    #[error("{}:{line}: this row is damaged ({reason}); move the file aside to run again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads the finished trials of a plan from a log, in canonical order. Rows of other trials are passed over, a
/// torn last row is dropped, and a pair of which one row is missing does not count.
///
/// # Errors
/// Where the file cannot be read, or a row but the last is damaged.
pub fn read_log(path: &Path, plan: &Plan<'_>) -> Result<Vec<Record>, LogError> {
    let bytes = std::fs::read(path).map_err(|source| LogError::Io { path: path.into(), source })?;
    let wanted: BTreeMap<String, Trial> =
        plan.canonical().map(|trial| (plan.id(&trial).to_string(), trial)).collect();
    let mut games: BTreeMap<Trial, BTreeMap<usize, GameRecord>> = BTreeMap::new();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let damaged =
            |reason: &str| LogError::Damaged { path: path.into(), line: index + 1, reason: reason.into() };
        let Some(line) = line.strip_suffix(b"\n") else { break };
        let row = checked(line).ok_or_else(|| damaged("its check does not agree"))?;
        if index == 0 {
            if row != csv_line(DETERMINISTIC.iter().chain(&TIMES)) {
                return Err(damaged("the header is of another version"));
            }
            continue;
        }
        let fields = parse_line(row).ok_or_else(|| damaged("it has not the columns of the header"))?;
        let Some(&trial) = wanted.get(&fields[2]) else { continue };
        let (number, game) =
            game_record(plan, trial, &fields).ok_or_else(|| damaged("a field cannot be read"))?;
        games.entry(trial).or_default().insert(number, game);
    }
    let complete = |(trial, games): (Trial, BTreeMap<usize, GameRecord>)| {
        let expected = plan.cells[trial.experiment][trial.cell].seatings().len();
        let games: Vec<_> = games.into_values().collect();
        (games.len() == expected).then_some(Record { trial, games })
    };
    Ok(games.into_iter().filter_map(complete).collect())
}

/// The row without its check, where the check agrees.
fn checked(line: &[u8]) -> Option<&[u8]> {
    let comma = line.iter().rposition(|&byte| byte == b',')?;
    let (row, check) = (&line[..comma], &line[comma + 1..]);
    (check == check_of(row).as_bytes()).then_some(row)
}

fn parse_line(row: &[u8]) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row);
    let record = reader.records().next()?.ok()?;
    (record.len() == DETERMINISTIC.len() + TIMES.len()).then(|| record.iter().map(Into::into).collect())
}

/// The game of a row, with its number in the trial.
fn game_record(plan: &Plan<'_>, trial: Trial, fields: &[String]) -> Option<(usize, GameRecord)> {
    let number: usize = fields[3].parse().ok()?;
    let seatings = plan.cells[trial.experiment][trial.cell].seatings();
    let seating = seatings.get(number.checked_sub(1)?)?;
    let result = match fields[6].as_str() {
        "win" => Ok((Outcome::Win, fields[7].parse().ok()?)),
        "draw" => Ok((Outcome::Draw, fields[7].parse().ok()?)),
        "loss" => Ok((Outcome::Loss, fields[7].parse().ok()?)),
        _ => Err(fields[16].clone()),
    };
    let number_at = |index: usize| fields[index].parse::<u64>().ok();
    let seat = |(seat, &player): (usize, &usize)| {
        let spent = Spent {
            playouts: number_at(10 + 3 * seat)?,
            plies: number_at(11 + 3 * seat)?,
            nodes: number_at(12 + 3 * seat)?,
        };
        let moves = number_at(17 + seat)? as u32;
        Some(SeatRecord { player, moves, spent, wall_ns: number_at(19 + seat)?, move_ns: Vec::new() })
    };
    let game = GameRecord {
        result,
        plies: fields[8].parse().ok()?,
        course: u64::from_str_radix(&fields[9], 16).ok()?,
        seats: seating.iter().enumerate().map(seat).collect::<Option<_>>()?,
        cpu_ns: number_at(21)?,
    };
    Some((number, game))
}
