//! Reading a log: the finished trials, and the sound part of the file.
//!
//! The first line names the columns; each further line is a game. Lines check themselves: a torn last one is dropped,
//! a damaged one is named. The facts of the log are in `log.toml` beside it.
//!
//! A log may be larger than the memory. So one pass notes the place of each trial, and trials are
//! read from there on demand.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::chunk::{LogChunk, read_trial};
use super::error::LogError;
use super::facts::{LogFacts, earlier_format};
use super::index::{Index, Row};
use super::line::checked;
use super::places::Places;
use super::rows::{Rows, header};
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::trial::record::Record;
use crate::game::divided;

/// The number of trials that one thread reads at a time.
const CHUNK: usize = 1000;

/// The number of bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// No line has as many bytes.
const MOST_LINE: u64 = 1 << 20;

/// A log: the trials of a plan that it holds, and their places.
#[derive(Clone)]
pub struct Log {
    plan: Plan,
    rows: Arc<Rows>,
    path: PathBuf,
    /// For each experiment the places of its trials, by instance and cell.
    places: Vec<Places>,
    /// The number of lines of trials that are not in the plan.
    pub other_lines: u64,
    /// Its facts; none if it has no file yet.
    pub(crate) facts: Option<LogFacts>,
    /// The number of bytes of whole lines.
    pub(crate) sound_bytes: u64,
    /// The number of whole lines.
    pub(crate) lines: u64,
}

impl Log {
    /// An empty log without a file.
    pub fn empty(plan: &Plan) -> Self {
        Self {
            plan: plan.clone(),
            rows: Arc::new(Rows::new(plan)),
            path: PathBuf::new(),
            places: plan.experiments().map(|_| Places::default()).collect(),
            other_lines: 0,
            facts: None,
            sound_bytes: 0,
            lines: 0,
        }
    }

    /// Its file; empty if it has none.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The fingerprints of what the plans used that wrote it.
    pub fn fingerprints(&self) -> Fingerprints {
        self.facts.as_ref().map(|facts| facts.fingerprints.clone()).unwrap_or_default()
    }

    /// Goes through a log. Lines of other trials are counted and passed over, a torn last line is left out, and a pair
    /// of which one game is missing does not count.
    ///
    /// # Errors
    /// If a file cannot be read, the facts of the log are damaged, or a line but the last is.
    ///
    /// # Cost
    /// One pass over the file, and eight bytes a trial.
    pub fn read(path: &Path, plan: &Plan) -> Result<Self, LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut reader = BufReader::with_capacity(BUFFER, File::open(path).map_err(io)?);
        let mut log = Self { path: path.into(), facts: LogFacts::read(path)?, ..Self::empty(plan) };
        let mut index = Index::new(plan);
        let mut line = Vec::new();
        loop {
            line.clear();
            (&mut reader).take(MOST_LINE).read_until(b'\n', &mut line).map_err(io)?;
            if !line.ends_with(b"\n") && (line.len() as u64) < MOST_LINE {
                break;
            }
            let damaged = |reason: &str| {
                let line = log.lines as usize + 1;
                LogError::Damaged { path: path.into(), line, reason: reason.into() }
            };
            if log.lines == 0 {
                if line != header() {
                    if let Some(error) = earlier_format(path, &line) {
                        return Err(error);
                    }
                    return Err(damaged("these are not the columns of a log"));
                }
            } else {
                let row =
                    checked(&line[..line.len() - 1]).ok_or_else(|| damaged("its check does not agree"))?;
                match index.row(row, log.sound_bytes).map_err(damaged)? {
                    Row::Complete(trial, place) => log.note(trial, place),
                    Row::Part => {}
                    Row::Other => log.other_lines += 1,
                }
            }
            log.sound_bytes += line.len() as u64;
            log.lines += 1;
        }
        if log.facts.is_none() && log.lines > 1 {
            let (path, reason) = (LogFacts::path(path), "it is missing".into());
            return Err(LogError::DamagedFacts { path, reason });
        }
        Ok(log)
    }

    /// Notes the place of a trial, and of all others with the same content.
    pub(crate) fn note(&mut self, trial: Trial, place: u64) {
        let same: Vec<Trial> = self.plan.same_as(trial).collect();
        for trial in std::iter::once(trial).chain(same) {
            let slot = self.slot(&trial);
            self.places[trial.experiment].set(slot, place);
        }
    }

    fn slot(&self, trial: &Trial) -> u64 {
        trial.instance * self.plan.cells(trial.experiment).len() as u64 + trial.cell as u64
    }

    /// Whether a trial of the plan is in it.
    pub fn holds(&self, trial: &Trial) -> bool {
        self.places[trial.experiment].get(self.slot(trial)).is_some()
    }

    /// The number of its trials of an experiment.
    pub fn count(&self, experiment: usize) -> u64 {
        self.places[experiment].count()
    }

    /// The number of its trials.
    pub fn len(&self) -> u64 {
        self.places.iter().map(Places::count).sum()
    }

    /// Whether no trial of the plan is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials of an experiment in canonical order, some thousand at a time, read on all threads of the current
    /// pool, or on all processors.
    pub fn chunks(&self, experiment: usize) -> impl Iterator<Item = Result<LogChunk, LogError>> + '_ {
        let mut places = self.places[experiment].iter().peekable();
        let cells = self.plan.cells(experiment).len() as u64;
        // A chunk ends at the end of an instance.
        let mut next_chunk = move || -> Vec<(u64, u64)> {
            let mut chunk: Vec<(u64, u64)> = places.by_ref().take(CHUNK).collect();
            if let Some(&(last, _)) = chunk.last() {
                chunk.extend(std::iter::from_fn(|| places.next_if(|(slot, _)| slot / cells == last / cells)));
            }
            chunk
        };
        let threads = divided(rayon::current_num_threads);
        let groups = std::iter::from_fn(move || {
            let group: Vec<Vec<(u64, u64)>> =
                (0..4 * threads).map(|_| next_chunk()).filter(|chunk| !chunk.is_empty()).collect();
            (!group.is_empty()).then_some(group)
        });
        groups.flat_map(move |group| -> Vec<Result<LogChunk, LogError>> {
            divided(|| group.par_iter().map(|places| self.chunk(experiment, places)).collect())
        })
    }

    /// The trials of an experiment in canonical order.
    pub fn records(&self, experiment: usize) -> impl Iterator<Item = Result<Record, LogError>> + '_ {
        self.chunks(experiment).flat_map(|chunk| match chunk {
            Ok(chunk) => chunk.records.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// The rows of a record as they are in the canonical log.
    pub fn canonical_rows(&self, record: &Record) -> Vec<u8> {
        let mut rows = Vec::new();
        self.rows.push_canonical(record, &mut rows);
        rows
    }

    /// The record of one trial. `None` if it is not in the log.
    ///
    /// # Errors
    /// If the log cannot be read any more.
    pub fn record(&self, trial: &Trial) -> Result<Option<Record>, LogError> {
        let slot = self.slot(trial);
        let Some(place) = self.places[trial.experiment].get(slot) else { return Ok(None) };
        Ok(self.chunk(trial.experiment, &[(slot, place)])?.records.pop())
    }

    /// The trials of these slots.
    fn chunk(&self, experiment: usize, places: &[(u64, u64)]) -> Result<LogChunk, LogError> {
        let io = |source| LogError::Io { path: self.path.clone(), source };
        let file = File::open(&self.path).map_err(io)?;
        let mut reader = BufReader::with_capacity(if places.len() == 1 { 1 << 12 } else { BUFFER }, file);
        let cells = self.plan.cells(experiment).len() as u64;
        let mut chunk = LogChunk::default();
        let mut at = 0;
        let mut lines = Vec::new();
        for &(slot, place) in places {
            reader.seek_relative(place as i64 - at as i64).map_err(io)?;
            at = place;
            let trial = Trial { experiment, instance: slot / cells, cell: (slot % cells) as usize };
            let games = self.plan.cells(experiment)[trial.cell].seatings().len();
            lines.clear();
            for _ in 0..games {
                at += reader.read_until(b'\n', &mut lines).map_err(io)? as u64;
            }
            let changed = || io(io::Error::other("the log changed while it was read"));
            read_trial(&self.plan, &self.rows, trial, &lines, &mut chunk).ok_or_else(changed)?;
        }
        Ok(chunk)
    }
}
