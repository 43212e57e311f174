//! The canonical log: equal to the byte for two runs of the same manifest.
//!
//! It is derived from the log: the rows of the plan's trials, by experiment, instance and cell, in their
//! deterministic columns. Its SHA-256 is the digest of the run, which `sha256sum canonical.csv` gives too.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::rows::{DETERMINISTIC, Rows};
use crate::experiment::line::hex;
use crate::experiment::plan::Plan;
use crate::experiment::trial::record::Record;

/// The number of trials of a block, which has a digest of its own.
const BLOCK: u64 = 1000;

/// The digest of a block. As bytes: texts would be many small allocations between large ones.
type Block = [u8; 32];

/// Writes a canonical log, trial by trial, and keeps its digests.
pub struct CanonicalWriter<W> {
    out: W,
    whole: Sha256,
    block: Sha256,
    blocks: Vec<Block>,
    trials: u64,
}

impl<W: Write> CanonicalWriter<W> {
    /// Begins a canonical log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: W) -> io::Result<Self> {
        Self::after(Sha256::new(), out)
    }

    /// Begins the canonical log of a plan. Its digest covers the logs of the manifest's optimisations before it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn of(plan: &Plan, out: W) -> io::Result<Self> {
        Self::after(plan.manifest().preceding.clone(), out)
    }

    fn after(whole: Sha256, out: W) -> io::Result<Self> {
        let block = Sha256::new();
        let mut writer = Self { out, whole, block, blocks: Vec::new(), trials: 0 };
        let header = format!("{DETERMINISTIC}\n");
        writer.whole.update(&header);
        writer.out.write_all(header.as_bytes())?;
        Ok(writer)
    }

    /// Adds the rows of some trials, the next in canonical order; `ends` are the ends of each trial's rows.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, rows: &[u8], ends: &[usize]) -> io::Result<()> {
        let Some(&last) = ends.last() else { return Ok(()) };
        self.whole.update(&rows[..last]);
        self.out.write_all(&rows[..last])?;
        let mut begin = 0;
        let mut ends = ends;
        while !ends.is_empty() {
            let of_block = ends.len().min((BLOCK - self.trials % BLOCK) as usize);
            let end = ends[of_block - 1];
            self.block.update(&rows[begin..end]);
            self.trials += of_block as u64;
            if self.trials.is_multiple_of(BLOCK) {
                self.blocks.push(self.block.finalize_reset().into());
            }
            (begin, ends) = (end, &ends[of_block..]);
        }
        Ok(())
    }

    /// Finishes the log. Returns the digests and the writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<(Digests, W)> {
        self.out.flush()?;
        if !self.trials.is_multiple_of(BLOCK) {
            self.blocks.push(self.block.finalize().into());
        }
        Ok((
            Digests { whole: hex(&self.whole.finalize()), blocks: self.blocks, trials: self.trials },
            self.out,
        ))
    }
}

/// The canonical log of these records, which must be in canonical order, as a text, and its digests.
pub fn canonical_log(plan: &Plan, records: &[Record]) -> (Vec<u8>, Digests) {
    let (rows, mut text) = (Rows::new(plan), Vec::new());
    let written = CanonicalWriter::of(plan, Vec::new()).and_then(|mut writer| {
        for record in records {
            text.clear();
            rows.push_canonical(record, &mut text);
            writer.push(&text, &[text.len()])?;
        }
        writer.finish()
    });
    let (digests, text) = written.expect("memory can be written to");
    (text, digests)
}

/// The digests of a canonical log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    whole: String,
    blocks: Vec<Block>,
    trials: u64,
}

/// The result of comparing a run with its reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Every byte is the same.
    Reproduces,
    /// Something differs, first in this range of trials in canonical order.
    Differs {
        /// The first trial of the block, counted from 1.
        from: u64,
        /// The last trial of the block.
        to: u64,
    },
    /// There is no reference.
    NoReference,
}

impl Comparison {
    /// The last words of a run.
    pub fn words(&self) -> String {
        match self {
            Self::Reproduces => "reproduces the reference".into(),
            Self::Differs { from, to } => format!("differs from the reference (first in trials {from}–{to})"),
            Self::NoReference => "has no reference yet".into(),
        }
    }
}

impl Digests {
    /// The digest: the SHA-256 of the canonical log, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.whole
    }

    /// The digests as a file: the whole, then each block of 1000 trials.
    pub fn to_csv(&self) -> String {
        let mut text = format!("trials,sha256\nall,{}\n", self.whole);
        for (index, block) in (0..).zip(&self.blocks) {
            let (from, to) = self.block(index);
            let _ = writeln!(text, "{from}-{to},{}", hex(block));
        }
        text
    }

    /// The digest in `digests.csv` of a folder.
    pub(crate) fn committed(folder: &Path) -> Option<String> {
        rows_of(folder)?.into_iter().find(|(trials, _)| trials == "all").map(|(_, digest)| digest)
    }

    /// Compares with the reference in a folder, by its `digests.csv`.
    pub fn compare(&self, reference: &Path) -> Comparison {
        let Some(rows) = rows_of(reference) else { return Comparison::NoReference };
        let mut digests = rows.iter().map(|(trials, digest)| (trials.as_str(), digest.as_str()));
        if digests.next() == Some(("all", self.whole.as_str())) {
            return Comparison::Reproduces;
        }
        let theirs: Vec<&str> = digests.map(|(_, digest)| digest).collect();
        let same =
            self.blocks.iter().zip(&theirs).take_while(|(ours, theirs)| hex(*ours) == **theirs).count();
        let (from, to) = self.block(same as u64);
        Comparison::Differs { from, to }
    }

    /// The first and the last trial of a block, counted from 1.
    fn block(&self, index: u64) -> (u64, u64) {
        (index * BLOCK + 1, ((index + 1) * BLOCK).min(self.trials).max(index * BLOCK + 1))
    }
}

/// The rows of `digests.csv` of a folder: trials and digest.
fn rows_of(folder: &Path) -> Option<Vec<(String, String)>> {
    let text = std::fs::read_to_string(folder.join("digests.csv")).ok()?;
    let rows = text.lines().skip(1).filter_map(|line| line.split_once(','));
    Some(rows.map(|(trials, digest)| (trials.into(), digest.into())).collect())
}
