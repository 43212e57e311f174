//! Reading a log: the finished trials, and the sound part of the file.
//!
//! The first line names the columns; each further line is a game. Lines and members check themselves: a torn last one is
//! dropped, a damaged one is named. The facts of the log are in `log.toml` beside it.
//!
//! A log may be larger than the memory. So one pass notes the stretches of the file in which trials are, and trials are
//! read from there on demand: in canonical order, some stretches at a time, on all threads. A trial is handed out when no
//! stretch that is still to come can begin before it. So memory holds the stretches that overlap, which are few: threads
//! take trials in order.

use std::io::{self, Write};
use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec::IntoIter;

use rayon::prelude::*;

use super::{Finder, Index, LogError, LogFacts, LogForm, Rows, Span, Spans, Swept, columns, each_row};
use crate::experiment::line::csv_line;
use crate::experiment::plan::{Plan, Trial};
use crate::experiment::trial::Record;
use crate::game::divided;

/// A stretch of plain rows begins at most as many bytes before its last trial. A stretch of packed ones is a member.
const STRETCH: u64 = 1 << 16;

/// A log: the trials of a plan that it holds, and their places.
#[derive(Clone)]
pub struct Log {
    pub(super) plan: Plan,
    pub(super) rows: Arc<Rows>,
    pub(super) path: PathBuf,
    /// For each experiment the stretches that hold its trials, by instance and cell.
    pub(super) spans: Vec<Spans>,
    /// The number of lines of trials that are not in the plan.
    pub other_lines: u64,
    /// The bytes before a torn end.
    pub(super) whole_bytes: u64,
}

impl Log {
    /// An empty log without a file.
    pub fn empty(plan: &Plan) -> Self {
        Self {
            plan: plan.clone(),
            rows: Arc::new(Rows::new(plan)),
            path: PathBuf::new(),
            spans: plan.experiments().map(|_| Spans::default()).collect(),
            other_lines: 0,
            whole_bytes: 0,
        }
    }

    /// The form.
    pub fn form(&self) -> LogForm {
        LogForm::of_file(&self.path)
    }

    /// Goes through a log. Lines of other trials are counted and passed over, a torn end is left out, and a pair of which one
    /// game is missing does not count.
    ///
    /// # Errors
    /// If a file cannot be read, the facts of the log are damaged, or anything but its end is.
    ///
    /// # Cost
    /// A pass over the file; about a bit a trial.
    pub fn read(path: &Path, plan: &Plan) -> Result<Self, LogError> {
        let (mut log, facts) = (Self { path: path.into(), ..Self::empty(plan) }, LogFacts::read(path)?);
        let finder = Finder::new(plan);
        let (mut index, mut rows) = (Index::new(&finder), 0);
        log.whole_bytes = each_row(path, &columns(), 0..u64::MAX, |row, bytes| {
            rows += 1;
            if let Some((record, begin)) = index.row(row, bytes.start)? {
                log.note(record.trial, &(begin..bytes.end), Some(label(row)));
            }
            Ok(())
        })?;
        log.other_lines = index.others;
        if facts.is_none() && rows > 0 {
            let (path, reason) = (LogFacts::path(path), "it is missing".into());
            return Err(LogError::DamagedFacts { path, reason });
        }
        Ok(log)
    }

    /// Notes where a trial is, and all others with the same content, in rows that begin like this; if nothing is said, as those of
    /// its experiment do.
    pub(super) fn note(&mut self, trial: Trial, bytes: &Range<u64>, label: Option<&[u8]>) {
        let most = if self.form() == LogForm::Csv { STRETCH } else { 1 };
        let label = label.unwrap_or_else(|| self.rows.label(trial.experiment));
        for trial in std::iter::once(trial).chain(self.plan.same_as(trial)) {
            self.spans[trial.experiment].set(slot(&self.plan, &trial), bytes, most, label);
        }
    }

    /// Whether a trial of the plan is in it.
    pub fn holds(&self, trial: &Trial) -> bool {
        self.spans[trial.experiment].holds(slot(&self.plan, trial))
    }

    /// The number of its trials of an experiment.
    pub fn count(&self, experiment: usize) -> u64 {
        self.spans[experiment].count()
    }

    /// The number of its trials.
    pub fn len(&self) -> u64 {
        self.spans.iter().map(Spans::count).sum()
    }

    /// Whether no trial of the plan is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials of an experiment in canonical order, some thousand at a time, read on all threads of the current
    /// pool, or on all processors.
    pub fn chunks(&self, experiment: usize) -> impl Iterator<Item = Result<LogChunk, LogError>> + '_ {
        InOrder::new(self, experiment).flatten()
    }

    /// Goes through the same chunks. While `each` works on some, the next are read.
    pub(crate) fn each_chunk<E: From<LogError> + Send>(
        &self,
        experiment: usize,
        mut each: impl FnMut(LogChunk) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<(), E> {
        divided(|| {
            let mut groups = InOrder::new(self, experiment);
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
        let (swept, mut row) = (Swept::new(&self.plan), Vec::new());
        let mut names = columns();
        for name in swept.names() {
            names.push(',');
            names += &String::from_utf8_lossy(&csv_line([name]));
        }
        let mut rows = LogForm::Csv.beginning(&names);
        for chunk in (0..self.spans.len()).flat_map(|experiment| self.chunks(experiment)) {
            for record in &chunk?.records {
                row.clear();
                self.rows.push_log(record, LogForm::Gzip, &mut row);
                swept.push(record, &row, LogForm::Csv, &mut rows);
            }
            out.write_all(&rows).map_err(io)?;
            rows.clear();
        }
        out.write_all(&rows).map_err(io)
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
        let (slot, reader) = (slot(&self.plan, trial), InOrder::new(self, trial.experiment));
        for span in self.spans[trial.experiment].around(slot) {
            if let Some(placed) = reader.read(span)?.into_iter().find(|placed| placed.slot == slot) {
                return Ok(Some(placed.record));
            }
        }
        Ok(None)
    }
}

/// The place of a trial in its experiment, by instance and cell.
pub(super) fn slot(plan: &Plan, trial: &Trial) -> u64 {
    trial.instance * plan.cells(trial.experiment).len() as u64 + trial.cell as u64
}

/// How the rows of its experiment begin: the field in quotes or not, and the comma.
fn label(row: &[u8]) -> &[u8] {
    let mut is_quoted = false;
    let comma = row.iter().position(|&byte| {
        is_quoted ^= byte == b'"';
        byte == b',' && !is_quoted
    });
    &row[..=comma.expect("a row has several fields")]
}

/// The number of trials that one thread reads at a time.
const CHUNK: usize = 1000;

/// Consecutive trials of an experiment in canonical order, read from a log.
#[derive(Clone, Debug, Default)]
pub struct LogChunk {
    /// The records.
    pub records: Vec<Record>,
    /// The rows of the canonical log, one after the other.
    pub rows: Vec<u8>,
    /// For each record the end of its rows.
    pub row_ends: Vec<usize>,
}

impl LogChunk {
    pub(crate) fn truncate(&mut self, trials: usize) {
        self.records.truncate(trials);
        self.row_ends.truncate(trials);
        self.rows.truncate(self.row_ends.last().copied().unwrap_or(0));
    }
}

pub(super) struct Placed {
    pub(super) slot: u64,
    place: u64,
    pub(super) record: Record,
}

/// Reads the trials of an experiment in canonical order, some chunks at a time.
pub(super) struct InOrder<'l> {
    log: &'l Log,
    finder: Finder<'l>,
    experiment: usize,
    spans: Peekable<IntoIter<Span>>,
    /// Trials that wait for stretches that may hold earlier ones.
    waiting: Vec<Placed>,
}

impl<'l> InOrder<'l> {
    pub(super) fn new(log: &'l Log, experiment: usize) -> Self {
        let spans = log.spans[experiment].in_order().into_iter().peekable();
        Self { log, finder: Finder::new(&log.plan), experiment, spans, waiting: Vec::new() }
    }

    /// The trials in one stretch: those whose slots are in its span.
    pub(super) fn read(&self, span: &Span) -> Result<Vec<Placed>, LogError> {
        let (log, experiment, place) = (self.log, self.experiment, span.bytes.start);
        let (mut index, mut placed) = (Index::new(&self.finder), Vec::new());
        let end = each_row(&log.path, "", span.bytes.clone(), |row, range| {
            if !log.spans[experiment].may_hold(row) {
                // A pair of games with another row between them is no trial.
                index = Index::new(&self.finder);
                return Ok(());
            }
            let Some((record, _)) = index.row(row, range.start)? else { return Ok(()) };
            let mut same = std::iter::once(record.trial).chain(log.plan.same_as(record.trial));
            if let Some(trial) = same.find(|trial| trial.experiment == experiment)
                && let slot = slot(&log.plan, &trial)
                && (span.first..=span.last).contains(&slot)
            {
                drop(same);
                placed.push(Placed { slot, place, record: record.of_trial(&log.plan, trial) });
            }
            Ok(())
        });
        if end.is_ok_and(|end| end == span.bytes.end) {
            return Ok(placed);
        }
        let source = io::Error::other("the log changed while it was read");
        Err(LogError::Io { path: log.path.clone(), source })
    }

    /// Reads some more stretches. Returns whether there were some.
    fn read_more(&mut self, count: usize) -> Result<bool, LogError> {
        let spans: Vec<Span> = self.spans.by_ref().take(count).collect();
        let read: Vec<_> = divided(|| spans.par_iter().map(|span| self.read(span)).collect());
        for placed in read {
            self.waiting.extend(placed?);
        }
        // Mostly it is in order. Of a trial that is in two stretches the first one counts.
        self.waiting.sort_by_key(|placed| (placed.slot, placed.place));
        self.waiting.dedup_by_key(|placed| placed.slot);
        Ok(!spans.is_empty())
    }

    /// The number of trials before which nothing can come, of whole instances.
    fn ready(&mut self) -> usize {
        let cells = self.log.plan.cells(self.experiment).len() as u64;
        match self.spans.peek() {
            Some(next) => {
                let limit = next.first / cells * cells;
                self.waiting.partition_point(|placed| placed.slot < limit)
            }
            None => self.waiting.len(),
        }
    }

    fn chunk(&self, records: Vec<Record>) -> LogChunk {
        let (mut rows, mut row_ends) =
            (Vec::with_capacity(200 * records.len()), Vec::with_capacity(records.len()));
        for record in &records {
            self.log.rows.push_canonical(record, &mut rows);
            row_ends.push(rows.len());
        }
        LogChunk { records, rows, row_ends }
    }
}

impl Iterator for InOrder<'_> {
    type Item = Vec<Result<LogChunk, LogError>>;

    fn next(&mut self) -> Option<Self::Item> {
        let count = 4 * divided(rayon::current_num_threads);
        let ready = loop {
            match self.read_more(count) {
                Err(error) => {
                    // Nothing more is read after an error.
                    (self.spans, self.waiting) = (Vec::new().into_iter().peekable(), Vec::new());
                    return Some(vec![Err(error)]);
                }
                Ok(were_some) => match self.ready() {
                    0 if were_some => {}
                    0 => return None,
                    ready => break ready,
                },
            }
        };
        let mut chunks: Vec<Vec<Record>> = Vec::new();
        for Placed { record, .. } in self.waiting.drain(..ready) {
            match chunks.last_mut() {
                // A chunk ends at the end of an instance.
                Some(chunk)
                    if chunk.len() < CHUNK
                        || chunk.last().is_some_and(|last| last.trial.instance == record.trial.instance) =>
                {
                    chunk.push(record);
                }
                _ => {
                    let mut chunk = Vec::with_capacity(CHUNK);
                    chunk.push(record);
                    chunks.push(chunk);
                }
            }
        }
        Some(divided(|| chunks.into_par_iter().map(|records| Ok(self.chunk(records))).collect()))
    }
}
