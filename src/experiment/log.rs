//! Reading a log: what was done, and how much of the file is sound.
//!
//! The first line names the build that began the log, the second the columns; each further line is a game. Lines
//! check themselves: a torn last one is dropped, a damaged one is named.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::rows::{DETERMINISTIC, TIMES, checked, csv_fields, csv_line};
use super::{GameRecord, Plan, Record, SeatRecord, Trial, TrialId};
use crate::game::Outcome;
use crate::search::Spent;

/// How the first line of a log begins, up to the version of the program.
pub(super) const BEGINNING: &str = "# shikou log 1; version ";

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("{}: another run is writing this log; wait for it, or name another folder with --out", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A build that plays otherwise began it.
    #[error(
        "{}: this log was begun by a build that plays otherwise (fingerprint {theirs}, this build has {ours}); \
         --restart moves it aside and begins anew",
        path.display()
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// The fingerprint in the log.
        theirs: String,
        /// The fingerprint of this build.
        ours: String,
    },
    /// A line is not what was written.
    #[error("{}:{line}: this line is damaged ({reason}); --restart moves the log aside and begins anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// What a log holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogContents {
    /// The finished trials of the plan, in canonical order.
    pub records: Vec<Record>,
    /// How many lines are of other trials than the plan's.
    pub other_lines: usize,
    /// The fingerprint of the build that began it; empty where not even the first line is whole.
    pub fingerprint: String,
    /// How many bytes are whole lines.
    pub sound_bytes: u64,
    /// How many whole lines there are.
    pub lines: usize,
}

/// Reads the finished trials of a plan from a log. Lines of other trials are counted and passed over, a torn last
/// line is left out, and a pair of which one game is missing does not count.
///
/// # Errors
/// Where the file cannot be read, or a line but the last is damaged.
pub fn read_log(path: &Path, plan: &Plan<'_>) -> Result<LogContents, LogError> {
    let bytes = std::fs::read(path).map_err(|source| LogError::Io { path: path.into(), source })?;
    // Experiments may share trials, such as a baseline: what is played once counts for each.
    let mut wanted: BTreeMap<TrialId, Vec<Trial>> = BTreeMap::new();
    for trial in plan.canonical() {
        wanted.entry(plan.id(&trial)).or_default().push(trial);
    }
    let mut games: BTreeMap<Trial, BTreeMap<usize, GameRecord>> = BTreeMap::new();
    let mut contents = LogContents::default();
    let whole_lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    for (index, line) in whole_lines.enumerate() {
        let damaged =
            |reason: &str| LogError::Damaged { path: path.into(), line: index + 1, reason: reason.into() };
        let row = checked(&line[..line.len() - 1]).ok_or_else(|| damaged("its check does not agree"))?;
        contents.sound_bytes += line.len() as u64;
        contents.lines += 1;
        match index {
            0 => {
                contents.fingerprint =
                    fingerprint_of(row).ok_or_else(|| damaged("it is not how a log of Shikou's begins"))?;
            }
            1 if row == csv_line(DETERMINISTIC.iter().chain(&TIMES)) => {}
            1 => return Err(damaged("these are the columns of another version")),
            _ => {
                let fields =
                    parse_line(row).ok_or_else(|| damaged("it has other columns than the second line"))?;
                let id: TrialId = fields[2].parse().map_err(|_| damaged("it names no trial"))?;
                let Some(trials) = wanted.get(&id) else {
                    contents.other_lines += 1;
                    continue;
                };
                for &trial in trials {
                    let (number, game) =
                        game_record(plan, trial, &fields).ok_or_else(|| damaged("a field cannot be read"))?;
                    games.entry(trial).or_default().insert(number, game);
                }
            }
        }
    }
    let complete = |(trial, games): (Trial, BTreeMap<usize, GameRecord>)| {
        let expected = plan.cells[trial.experiment][trial.cell].seatings().len();
        let games: Vec<_> = games.into_values().collect();
        (games.len() == expected).then_some(Record { trial, games })
    };
    contents.records = games.into_iter().filter_map(complete).collect();
    Ok(contents)
}

/// The fingerprint in the first line of a log.
fn fingerprint_of(row: &[u8]) -> Option<String> {
    let row = std::str::from_utf8(row).ok()?.strip_prefix(BEGINNING)?;
    Some(row.rsplit_once("; fingerprint ")?.1.into())
}

/// The fields of a row, if it has all columns.
fn parse_line(row: &[u8]) -> Option<Vec<String>> {
    csv_fields(row).filter(|fields| fields.len() == DETERMINISTIC.len() + TIMES.len())
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
