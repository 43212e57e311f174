//! The trials of a log in canonical order.
//!
//! Stretches are read in the order of their first trials, some at a time, on all threads. A trial is handed out when no
//! stretch that is still to come can begin before it. So memory holds the stretches that overlap, which are few: threads
//! take trials in order.

use std::io;
use std::iter::Peekable;
use std::vec::IntoIter;

use rayon::prelude::*;

use super::error::LogError;
use super::index::{Finder, Index};
use super::log::{Log, slot};
use super::pieces::each_row;
use super::spans::Span;
use crate::experiment::trial::record::Record;
use crate::game::divided;

/// The number of trials that one thread reads at a time.
const CHUNK: usize = 1000;

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
    /// Keeps the first trials.
    pub(crate) fn truncate(&mut self, trials: usize) {
        self.records.truncate(trials);
        self.row_ends.truncate(trials);
        self.rows.truncate(self.row_ends.last().copied().unwrap_or(0));
    }
}

/// A trial with its slot and the place of its stretch.
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

    /// Consecutive trials with their rows.
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
