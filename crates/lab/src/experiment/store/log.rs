//! Reading a log: the finished trials, and the sound part of the file.
//!
//! In CSV the first line names the columns; each further line is a game. A compact log is a line and blocks. Lines and
//! blocks check themselves: a torn last one is dropped, a damaged one is named. The facts of the log are in `log.toml`
//! beside it.
//!
//! A log may be larger than the memory. So one pass notes the place of each trial, and trials are
//! read from there on demand.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::block::{FIRST_LINE, Found, length_of_block, read_block, read_full};
use super::blocks::{BlockReader, read_span};
use super::chunk::{LogChunk, read_trial};
use super::error::LogError;
use super::facts::{LogFacts, earlier_format};
use super::finder::Finder;
use super::form::LogForm;
use super::index::{Index, Row};
use super::line::checked;
use super::packed::unpack;
use super::places::Places;
use super::rows::{Rows, header};
use super::spans::Spans;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::trial::record::Record;
use crate::game::divided;

/// The number of trials that one thread reads at a time.
pub(super) const CHUNK: usize = 1000;

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
    places: Vec<Where>,
    /// The number of lines of trials that are not in the plan.
    pub other_lines: u64,
    /// Its facts; none if it has no file yet.
    pub(crate) facts: Option<LogFacts>,
    /// The number of bytes of whole lines.
    pub(crate) sound_bytes: u64,
    /// The number of whole lines.
    pub(crate) lines: u64,
}

/// Where the trials of an experiment are.
#[derive(Clone)]
enum Where {
    /// For each trial the place of its lines.
    Lines(Places),
    /// For each block its trials.
    Blocks(Spans),
}

/// Whether a line has more bytes than a reader takes.
pub(super) fn is_too_long(line: &[u8]) -> bool {
    line.strip_suffix(b"\n").unwrap_or(line).len() as u64 >= MOST_LINE
}

impl Where {
    fn new(form: LogForm) -> Self {
        match form {
            LogForm::Csv => Self::Lines(Places::default()),
            LogForm::Compact => Self::Blocks(Spans::default()),
        }
    }

    const fn count(&self) -> u64 {
        match self {
            Self::Lines(places) => places.count(),
            Self::Blocks(spans) => spans.count(),
        }
    }
}

/// Chunks that are read at a time.
type Group = Vec<Result<LogChunk, LogError>>;

impl Log {
    /// An empty log without a file.
    pub fn empty(plan: &Plan) -> Self {
        Self::at(Path::new(""), plan)
    }

    /// A log at this path, before anything is read.
    fn at(path: &Path, plan: &Plan) -> Self {
        let form = LogForm::of_file(path);
        Self {
            plan: plan.clone(),
            rows: Arc::new(Rows::new(plan)),
            path: path.into(),
            places: plan.experiments().map(|_| Where::new(form)).collect(),
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

    /// Its form.
    pub fn form(&self) -> LogForm {
        LogForm::of_file(&self.path)
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
    /// One pass over the file; eight bytes a trial in CSV, else a bit.
    pub fn read(path: &Path, plan: &Plan) -> Result<Self, LogError> {
        let file = File::open(path).map_err(|source| LogError::Io { path: path.into(), source })?;
        let mut log = Self { facts: LogFacts::read(path)?, ..Self::at(path, plan) };
        let reader = BufReader::with_capacity(BUFFER, file);
        match log.form() {
            LogForm::Csv => log.read_lines(reader)?,
            LogForm::Compact => log.read_blocks(reader)?,
        }
        if log.facts.is_none() && log.lines > 1 {
            let (path, reason) = (LogFacts::path(path), "it is missing".into());
            return Err(LogError::DamagedFacts { path, reason });
        }
        Ok(log)
    }

    /// Goes through the lines of CSV.
    fn read_lines(&mut self, mut reader: impl BufRead) -> Result<(), LogError> {
        let (plan, path, log) = (self.plan.clone(), self.path.clone(), self);
        let io = |source| LogError::Io { path: path.clone(), source };
        let mut index = Index::new(&plan);
        let mut line = Vec::new();
        loop {
            line.clear();
            (&mut reader).take(MOST_LINE).read_until(b'\n', &mut line).map_err(io)?;
            if !line.ends_with(b"\n") && !is_too_long(&line) {
                break;
            }
            let damaged = |reason: &str| {
                let line = log.lines as usize + 1;
                LogError::Damaged { path: path.clone(), line, reason: reason.into() }
            };
            if log.lines == 0 {
                if line != header() {
                    if let Some(error) = earlier_format(&path, &line) {
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
        Ok(())
    }

    /// Goes through the blocks of a compact log.
    fn read_blocks(&mut self, mut reader: impl Read) -> Result<(), LogError> {
        let (plan, path) = (self.plan.clone(), self.path.clone());
        let io = |source| LogError::Io { path: path.clone(), source };
        let damaged = |log: &Self, reason: &str| LogError::DamagedBlock {
            path: log.path.clone(),
            block: log.lines,
            byte: log.sound_bytes,
            reason: reason.into(),
        };
        let mut first = [0; FIRST_LINE.len()];
        let length = read_full(&mut reader, &mut first).map_err(io)?;
        if first[..length] != FIRST_LINE[..length] {
            return Err(damaged(self, "this is not the first line of a compact log"));
        }
        if length < FIRST_LINE.len() {
            return Ok(());
        }
        (self.sound_bytes, self.lines) = (FIRST_LINE.len() as u64, 1);
        let (finder, mut content) = (Finder::new(&plan), Vec::new());
        loop {
            match read_block(&mut reader, &mut content).map_err(io)? {
                Found::Block => {}
                Found::End | Found::Torn => return Ok(()),
                Found::Damaged(reason) => return Err(damaged(self, reason)),
            }
            let unpacked = unpack(&content).ok_or_else(|| damaged(self, "it holds no trials"))?;
            let (casts, trials) = unpacked;
            let guesses: Vec<_> = casts.iter().map(|cast| finder.guess(cast.names())).collect();
            for packed in trials {
                let games = packed.games.len() as u64;
                let found = finder.find(guesses[packed.cast], packed.instance, packed.id);
                match found.and_then(|trial| packed.into_record(&plan, trial)) {
                    Some(record) => self.note(record.trial, self.sound_bytes),
                    None => self.other_lines += games,
                }
            }
            self.sound_bytes += length_of_block(&content) as u64;
            self.lines += 1;
        }
    }

    /// Notes the place of a trial, and of all others with the same content.
    pub(crate) fn note(&mut self, trial: Trial, place: u64) {
        let same: Vec<Trial> = self.plan.same_as(trial).collect();
        for trial in std::iter::once(trial).chain(same) {
            let slot = self.slot(&trial);
            match &mut self.places[trial.experiment] {
                Where::Lines(places) => places.set(slot, place),
                Where::Blocks(spans) => spans.set(slot, place),
            }
        }
    }

    fn slot(&self, trial: &Trial) -> u64 {
        trial.instance * self.plan.cells(trial.experiment).len() as u64 + trial.cell as u64
    }

    /// Whether a trial of the plan is in it.
    pub fn holds(&self, trial: &Trial) -> bool {
        match &self.places[trial.experiment] {
            Where::Lines(places) => places.get(self.slot(trial)).is_some(),
            Where::Blocks(spans) => spans.holds(self.slot(trial)),
        }
    }

    /// The number of its trials of an experiment.
    pub fn count(&self, experiment: usize) -> u64 {
        self.places[experiment].count()
    }

    /// The number of its trials.
    pub fn len(&self) -> u64 {
        self.places.iter().map(Where::count).sum()
    }

    /// Whether no trial of the plan is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials of an experiment in canonical order, some thousand at a time, read on all threads of the current
    /// pool, or on all processors.
    pub fn chunks(&self, experiment: usize) -> impl Iterator<Item = Result<LogChunk, LogError>> + '_ {
        self.groups(experiment).flatten()
    }

    /// Goes through the same chunks. While `each` works on some, the next are read.
    ///
    /// # Errors
    /// If the log cannot be read, and those of `each`.
    pub(crate) fn each_chunk<E: From<LogError> + Send>(
        &self,
        experiment: usize,
        mut each: impl FnMut(LogChunk) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<(), E> {
        divided(|| {
            let mut groups = self.groups(experiment);
            let mut group = groups.next();
            while let Some(chunks) = group {
                let work = || {
                    for chunk in chunks {
                        if each(chunk?)?.is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                    Ok::<_, E>(ControlFlow::Continue(()))
                };
                let (worked, next) = rayon::join(work, || groups.next());
                if worked?.is_break() {
                    break;
                }
                group = next;
            }
            Ok(())
        })
    }

    fn groups(&self, experiment: usize) -> Box<dyn Iterator<Item = Group> + Send + '_> {
        match &self.places[experiment] {
            Where::Lines(places) => Box::new(self.groups_of_lines(experiment, places)),
            Where::Blocks(spans) => Box::new(BlockReader {
                path: &self.path,
                plan: &self.plan,
                finder: Finder::new(&self.plan),
                rows: &self.rows,
                experiment,
                spans: spans.in_order().into_iter().peekable(),
                waiting: Vec::new(),
            }),
        }
    }

    fn groups_of_lines<'l>(
        &'l self,
        experiment: usize,
        places: &'l Places,
    ) -> impl Iterator<Item = Group> + Send + 'l {
        let mut places = places.iter().peekable();
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
        std::iter::from_fn(move || {
            let group: Vec<Vec<(u64, u64)>> =
                (0..4 * threads).map(|_| next_chunk()).filter(|chunk| !chunk.is_empty()).collect();
            let read = || group.par_iter().map(|places| self.chunk(experiment, places)).collect();
            (!group.is_empty()).then(|| divided(read))
        })
    }

    /// The trials of an experiment in canonical order.
    pub fn records(&self, experiment: usize) -> impl Iterator<Item = Result<Record, LogError>> + '_ {
        self.chunks(experiment).flat_map(|chunk| match chunk {
            Ok(chunk) => chunk.records.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Writes its trials as rows of CSV in canonical order, with the first line and the checks of a log.
    ///
    /// # Errors
    /// If the log cannot be read, or `out` cannot be written.
    pub fn write_rows(&self, out: &mut impl Write) -> Result<(), LogError> {
        let io = |source| LogError::Io { path: "standard output".into(), source };
        out.write_all(&header()).map_err(io)?;
        let mut rows = Vec::new();
        for chunk in (0..self.places.len()).flat_map(|experiment| self.chunks(experiment)) {
            rows.clear();
            chunk?.records.iter().for_each(|record| self.rows.push_log(record, &mut rows));
            out.write_all(&rows).map_err(io)?;
        }
        Ok(())
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
        match &self.places[trial.experiment] {
            Where::Lines(places) => {
                let Some(place) = places.get(slot) else { return Ok(None) };
                Ok(self.chunk(trial.experiment, &[(slot, place)])?.records.pop())
            }
            Where::Blocks(spans) => {
                let finder = Finder::new(&self.plan);
                for span in spans.around(slot) {
                    let read = read_span(&self.path, (&self.plan, &finder), trial.experiment, span)?;
                    if let Some(placed) = read.into_iter().find(|placed| placed.slot == slot) {
                        return Ok(Some(placed.record));
                    }
                }
                Ok(None)
            }
        }
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
