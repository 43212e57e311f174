//! Reading a log: what was done, and how much of the file is sound.
//!
//! The first line names the build that began the log, the second the columns; each further line is a game. Lines
//! check themselves: a torn last one is dropped, a damaged one is named.
//!
//! A log may be larger than the memory. So it is gone through once to note where each trial stands, and trials are
//! read from there when they are wanted.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::places::Places;
use super::rows::{
    CHECK, COLUMNS, DETERMINISTIC, TIMES, checked, csv_line, push_canonical_rows, push_names, split,
    with_fields,
};
use super::{GameRecord, Plan, Record, SeatRecord, Trial, TrialId};
use crate::game::Outcome;
use crate::search::Spent;

/// How the first line of a log begins, up to the version of the program.
pub(super) const BEGINNING: &str = "# shikou log 2; version ";

/// The index of the first column of times.
const TIMES_AT: usize = DETERMINISTIC.len();

/// How many trials are read at a time by one thread.
const CHUNK: usize = 1000;

/// How much of the file is read at a time.
const BUFFER: usize = 1 << 18;

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

/// A log: which trials of a plan it holds, and where.
#[derive(Clone)]
pub struct Log<'p> {
    plan: &'p Plan<'p>,
    path: PathBuf,
    /// For each experiment where its trials begin, by instance and cell.
    places: Vec<Places>,
    /// How many lines are of other trials than the plan's.
    pub other_lines: u64,
    /// The fingerprint of the build that began it; empty where not even the first line is whole.
    pub fingerprint: String,
    /// How many bytes are whole lines.
    pub(super) sound_bytes: u64,
    /// How many whole lines there are.
    pub(super) lines: u64,
}

/// Some trials of an experiment as a log holds them, in canonical order.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// What is known of them.
    pub records: Vec<Record>,
    /// Their rows of the canonical log, one after the other.
    pub rows: Vec<u8>,
    /// For each record where its rows end.
    pub row_ends: Vec<usize>,
}

impl Chunk {
    /// Keeps the first trials.
    pub(super) fn truncate(&mut self, trials: usize) {
        self.records.truncate(trials);
        self.row_ends.truncate(trials);
        self.rows.truncate(self.row_ends.last().copied().unwrap_or(0));
    }
}

impl<'p> Log<'p> {
    /// A log of no trials, of a run that keeps none.
    pub fn empty(plan: &'p Plan<'p>) -> Self {
        Self {
            plan,
            path: PathBuf::new(),
            places: plan.cells.iter().map(|_| Places::default()).collect(),
            other_lines: 0,
            fingerprint: String::new(),
            sound_bytes: 0,
            lines: 0,
        }
    }

    /// Where it is; empty for one that is nowhere.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Goes through a log. Lines of other trials are counted and passed over, a torn last line is left out, and a pair
    /// of which one game is missing does not count.
    ///
    /// # Errors
    /// Where the file cannot be read, or a line but the last is damaged.
    ///
    /// # Cost
    /// One pass over the file, and eight bytes a trial.
    pub fn read(path: &Path, plan: &'p Plan<'p>) -> Result<Self, LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut reader = BufReader::with_capacity(BUFFER, File::open(path).map_err(io)?);
        let mut log = Self { path: path.into(), ..Self::empty(plan) };
        let mut index = Index::new(plan);
        let mut line = Vec::new();
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(io)?;
            if !line.ends_with(b"\n") {
                return Ok(log);
            }
            let damaged = |reason: &str| {
                let line = log.lines as usize + 1;
                LogError::Damaged { path: path.into(), line, reason: reason.into() }
            };
            let row = checked(&line[..line.len() - 1]).ok_or_else(|| damaged("its check does not agree"))?;
            match log.lines {
                0 => {
                    log.fingerprint = fingerprint_of(row)
                        .ok_or_else(|| damaged("it is not how a log of Shikou's begins"))?;
                }
                1 if row == csv_line(DETERMINISTIC.iter().chain(&TIMES)) => {}
                1 => return Err(damaged("these are the columns of another version")),
                _ => match index.row(row, log.sound_bytes).map_err(damaged)? {
                    Row::Complete(trial, place) => log.note(trial, place),
                    Row::Part => {}
                    Row::Other => log.other_lines += 1,
                },
            }
            log.sound_bytes += line.len() as u64;
            log.lines += 1;
        }
    }

    /// Notes where a trial stands, and all others that are the same.
    pub(super) fn note(&mut self, trial: Trial, place: u64) {
        for trial in std::iter::once(trial).chain(self.plan.same_as(trial)) {
            let slot = self.slot(&trial);
            self.places[trial.experiment].set(slot, place);
        }
    }

    fn slot(&self, trial: &Trial) -> u64 {
        trial.instance * self.plan.cells[trial.experiment].len() as u64 + trial.cell as u64
    }

    /// Whether a trial of the plan is in it.
    pub fn holds(&self, trial: &Trial) -> bool {
        self.places[trial.experiment].get(self.slot(trial)).is_some()
    }

    /// How many trials of an experiment are in it.
    pub fn count(&self, experiment: usize) -> u64 {
        self.places[experiment].count()
    }

    /// How many trials of the plan are in it.
    pub fn len(&self) -> u64 {
        self.places.iter().map(Places::count).sum()
    }

    /// Whether no trial of the plan is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials of an experiment in canonical order, some thousand at a time, read on all threads of the current
    /// pool.
    pub fn chunks(&self, experiment: usize) -> impl Iterator<Item = Result<Chunk, LogError>> + '_ {
        let mut places = self.places[experiment].iter().peekable();
        let cells = self.plan.cells[experiment].len() as u64;
        // A chunk ends where an instance does.
        let mut next_chunk = move || -> Vec<(u64, u64)> {
            let mut chunk: Vec<(u64, u64)> = places.by_ref().take(CHUNK).collect();
            if let Some(&(last, _)) = chunk.last() {
                chunk.extend(std::iter::from_fn(|| places.next_if(|(slot, _)| slot / cells == last / cells)));
            }
            chunk
        };
        let groups = std::iter::from_fn(move || {
            let group: Vec<Vec<(u64, u64)>> = (0..4 * rayon::current_num_threads())
                .map(|_| next_chunk())
                .filter(|chunk| !chunk.is_empty())
                .collect();
            (!group.is_empty()).then_some(group)
        });
        groups.flat_map(move |group| -> Vec<Result<Chunk, LogError>> {
            group.par_iter().map(|places| self.chunk(experiment, places)).collect()
        })
    }

    /// The trials of an experiment in canonical order.
    pub fn records(&self, experiment: usize) -> impl Iterator<Item = Result<Record, LogError>> + '_ {
        self.chunks(experiment).flat_map(|chunk| match chunk {
            Ok(chunk) => chunk.records.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// What is known of one trial. `None` where it is not in the log.
    ///
    /// # Errors
    /// Where the log cannot be read any more.
    pub fn record(&self, trial: &Trial) -> Result<Option<Record>, LogError> {
        let slot = self.slot(trial);
        let Some(place) = self.places[trial.experiment].get(slot) else { return Ok(None) };
        Ok(self.chunk(trial.experiment, &[(slot, place)])?.records.pop())
    }

    /// The trials of these slots.
    fn chunk(&self, experiment: usize, places: &[(u64, u64)]) -> Result<Chunk, LogError> {
        let io = |source| LogError::Io { path: self.path.clone(), source };
        let file = File::open(&self.path).map_err(io)?;
        let mut reader = BufReader::with_capacity(if places.len() == 1 { 1 << 12 } else { BUFFER }, file);
        let cells = self.plan.cells[experiment].len() as u64;
        let mut chunk = Chunk::default();
        let mut at = 0;
        let mut lines = Vec::new();
        for &(slot, place) in places {
            reader.seek_relative(place as i64 - at as i64).map_err(io)?;
            at = place;
            let trial = Trial { experiment, instance: slot / cells, cell: (slot % cells) as usize };
            let games = self.plan.cells[experiment][trial.cell].seatings().len();
            lines.clear();
            for _ in 0..games {
                at += reader.read_until(b'\n', &mut lines).map_err(io)? as u64;
            }
            let changed = || io(io::Error::other("the log changed while it was read"));
            read_trial(self.plan, trial, &lines, &mut chunk).ok_or_else(changed)?;
        }
        Ok(chunk)
    }
}

/// What a row of a log is.
enum Row {
    /// The last one of a trial, which begins at this place.
    Complete(Trial, u64),
    /// One of a trial that is not complete by it.
    Part,
    /// One of a trial that is not of the plan.
    Other,
}

/// Finds the trials of rows.
struct Index<'p> {
    plan: &'p Plan<'p>,
    /// Where one thinks that a trial belongs, by the names in its row: experiment, first and second player. The names
    /// may have changed since.
    by_names: BTreeMap<Vec<u8>, (usize, usize)>,
    names: Vec<u8>,
    /// The trial whose rows are being passed: its name, itself, where it begins, how many of its games were seen.
    current: Option<(TrialId, Option<Trial>, u64, usize)>,
}

impl<'p> Index<'p> {
    fn new(plan: &'p Plan<'p>) -> Self {
        let mut by_names = BTreeMap::new();
        for (index, (experiment, cells)) in plan.manifest.experiments.iter().zip(&plan.cells).enumerate() {
            for (number, cell) in cells.iter().enumerate() {
                let name = |seat: usize| {
                    cell.players.get(seat).map_or("", |&player| &*experiment.players[player].name)
                };
                let key = [&*experiment.name, name(0), name(1)].join("\n");
                by_names.insert(key.into_bytes(), (index, number));
            }
        }
        Self { plan, by_names, names: Vec::new(), current: None }
    }

    /// What a row at this place is, or why it cannot be.
    fn row(&mut self, row: &[u8], place: u64) -> Result<Row, &'static str> {
        let read = with_fields(row, |fields| Some(self.fields(fields, place)));
        read.ok_or("it has other columns than the second line")?
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
        let seatings = self.plan.cells[known.experiment][known.cell].seatings();
        let seating = seatings.get(number_of_game.wrapping_sub(1)).ok_or(unreadable)?;
        game_record(seating, fields).ok_or(unreadable)?;
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
        let guess = guess.filter(|trial| instance < self.plan.manifest.experiments[trial.experiment].trials);
        guess.filter(|trial| self.plan.id(trial) == id).or_else(|| self.plan.trial_named(id, instance))
    }
}

/// The fingerprint in the first line of a log.
fn fingerprint_of(row: &[u8]) -> Option<String> {
    let row = std::str::from_utf8(row).ok()?.strip_prefix(BEGINNING)?;
    Some(row.rsplit_once("; fingerprint ")?.1.into())
}

/// Adds a trial to a chunk, from its lines.
fn read_trial(plan: &Plan<'_>, trial: Trial, lines: &[u8], chunk: &mut Chunk) -> Option<()> {
    let seatings = plan.cells[trial.experiment][trial.cell].seatings();
    let labels = &plan.labels[trial.experiment];
    let mut record = Record { trial, games: ArrayVec::new(), cpu_ns: 0 };
    let mut lines = lines.split(|&byte| byte == b'\n');
    let begin = chunk.rows.len();
    let mut as_written = true;
    for (index, seating) in seatings.iter().enumerate() {
        let line = lines.next()?;
        let row = line.get(..line.len().checked_sub(CHECK)?)?;
        with_fields(row, |fields| {
            record.games.push(game_record(seating, fields)?);
            record.cpu_ns += number(fields[TIMES_AT + 4]).unwrap_or(0);
            Some(())
        })?;
        // The deterministic columns can be taken as they are, unless a name has changed, or one is in quotes.
        let Some((fields, deterministic)) = split(row) else {
            as_written = false;
            continue;
        };
        let start = chunk.rows.len();
        push_names(labels, (trial.instance, fields[2]), index + 1, seating.iter().copied(), &mut chunk.rows);
        as_written &= row.starts_with(&chunk.rows[start..]);
        chunk.rows.truncate(start);
        chunk.rows.extend(deterministic);
        chunk.rows.push(b'\n');
    }
    if !as_written {
        chunk.rows.truncate(begin);
        push_canonical_rows(plan, &record, &mut chunk.rows);
    }
    chunk.row_ends.push(chunk.rows.len());
    chunk.records.push(record);
    Some(())
}

/// The game of a row.
fn game_record(seating: &[usize], fields: &[&[u8]; COLUMNS]) -> Option<GameRecord> {
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
    Some(GameRecord {
        result,
        plies: number(fields[8])? as u32,
        course: hexadecimal(fields[9])?,
        seats: seating.iter().enumerate().map(seat).collect::<Option<_>>()?,
    })
}

/// A whole number in decimal digits.
fn number(field: &[u8]) -> Option<u64> {
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
