//! The trials of a compact log in canonical order.
//!
//! Blocks are read in the order of their first trials, some at a time, on all threads. A trial is handed out when no block
//! that is still to come can begin before it. So memory holds the blocks that overlap, which are few: threads take trials in order.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::iter::Peekable;
use std::path::Path;
use std::vec::IntoIter;

use rayon::prelude::*;

use super::block::{Found, read_block};
use super::chunk::LogChunk;
use super::error::LogError;
use super::finder::Finder;
use super::log::CHUNK;
use super::packed::unpack;
use super::rows::Rows;
use super::spans::Span;
use crate::experiment::plan::Plan;
use crate::experiment::trial::record::Record;
use crate::game::divided;

/// A trial with its slot and the place of its block.
pub(super) struct Placed {
    pub(super) slot: u64,
    place: u64,
    pub(super) record: Record,
}

/// The trials of an experiment in one block: those whose slots are in its span.
pub(super) fn read_span(
    path: &Path,
    (plan, finder): (&Plan, &Finder<'_>),
    experiment: usize,
    span: Span,
) -> Result<Vec<Placed>, LogError> {
    let io = |source| LogError::Io { path: path.into(), source };
    let mut file = File::open(path).map_err(io)?;
    file.seek(SeekFrom::Start(span.place)).map_err(io)?;
    let mut content = Vec::new();
    let changed = || io(io::Error::other("the log changed while it was read"));
    if read_block(&mut file, &mut content).map_err(io)? != Found::Block {
        return Err(changed());
    }
    let (casts, trials) = unpack(&content).ok_or_else(changed)?;
    let guesses: Vec<_> = casts.iter().map(|cast| finder.guess(cast.names())).collect();
    let cells = plan.cells(experiment).len() as u64;
    let placed = trials.into_iter().filter_map(|packed| {
        let found = finder.find(guesses[packed.cast], packed.instance, packed.id)?;
        // Experiments may share trials.
        let mut same = std::iter::once(found).chain(plan.same_as(found));
        let trial = same.find(|trial| trial.experiment == experiment)?;
        let slot = trial.instance * cells + trial.cell as u64;
        let record = packed.into_record(plan, trial)?;
        Some(Placed { slot, place: span.place, record })
    });
    Ok(placed.filter(|placed| (span.first..=span.last).contains(&placed.slot)).collect())
}

/// Reads the trials of an experiment in canonical order, some chunks at a time.
pub(super) struct BlockReader<'l> {
    pub(super) path: &'l Path,
    pub(super) plan: &'l Plan,
    pub(super) finder: Finder<'l>,
    pub(super) rows: &'l Rows,
    pub(super) experiment: usize,
    pub(super) spans: Peekable<IntoIter<Span>>,
    /// Trials that wait for blocks that may hold earlier ones.
    pub(super) waiting: Vec<Placed>,
}

impl BlockReader<'_> {
    /// Reads some more blocks. Returns whether there were some.
    fn read_more(&mut self, blocks: usize) -> Result<bool, LogError> {
        let spans: Vec<Span> = self.spans.by_ref().take(blocks).collect();
        let (path, plan, experiment) = (self.path, (self.plan, &self.finder), self.experiment);
        let read = |&span: &Span| read_span(path, plan, experiment, span);
        let read: Vec<_> = divided(|| spans.par_iter().map(read).collect());
        for placed in read {
            self.waiting.extend(placed?);
        }
        // Mostly it is in order. Of a trial that is in two blocks the first one counts.
        self.waiting.sort_by_key(|placed| (placed.slot, placed.place));
        self.waiting.dedup_by_key(|placed| placed.slot);
        Ok(!spans.is_empty())
    }

    /// The number of trials before which nothing can come, of whole instances.
    fn ready(&mut self) -> usize {
        let cells = self.plan.cells(self.experiment).len() as u64;
        match self.spans.peek() {
            Some(next) => {
                let limit = next.first / cells * cells;
                self.waiting.partition_point(|placed| placed.slot < limit)
            }
            None => self.waiting.len(),
        }
    }
}

impl Iterator for BlockReader<'_> {
    type Item = Vec<Result<LogChunk, LogError>>;

    fn next(&mut self) -> Option<Self::Item> {
        let blocks = 4 * divided(rayon::current_num_threads);
        let ready = loop {
            match self.read_more(blocks) {
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
        let rows = self.rows;
        Some(divided(|| chunks.into_par_iter().map(|records| Ok(LogChunk::of(rows, records))).collect()))
    }
}
