//! The canonical log: what two runs of the same manifest have in common to the last byte.
//!
//! It is derived from the log: the rows of the plan's trials, by experiment, instance and cell, in their
//! deterministic columns. Its SHA-256 is the digest of the run, which `sha256sum canonical.csv` gives too.

use std::fmt::Write as _;
use std::path::Path;

use super::rows::{DETERMINISTIC, csv_line, deterministic_fields, sha256_hex};
use super::{Plan, Record};

/// How many trials share a digest of their own.
const BLOCK: usize = 1000;

/// The canonical log of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The rows as CSV, the header first.
    pub csv: Vec<u8>,
    /// How many trials it is of.
    trials: usize,
    /// The digest of the whole and of each block.
    digests: Digests,
}

/// The digests of a canonical log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digests {
    whole: String,
    blocks: Vec<String>,
}

/// What comparing a run with its reference gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Every byte is the same.
    Reproduces,
    /// Something differs, first in this range of trials in canonical order.
    Differs {
        /// The first trial of the block, counted from 1.
        from: usize,
        /// The last trial of the block.
        to: usize,
    },
    /// There is no reference.
    NoReference,
}

impl Comparison {
    /// The words with which a run ends.
    pub fn words(&self) -> String {
        match self {
            Self::Reproduces => "reproduces the reference".into(),
            Self::Differs { from, to } => format!("differs from the reference (first in trials {from}–{to})"),
            Self::NoReference => "no reference".into(),
        }
    }
}

impl Canonical {
    /// The canonical log of these records, which must be in canonical order.
    pub fn new(plan: &Plan<'_>, records: &[Record]) -> Self {
        let mut csv = csv_line(DETERMINISTIC);
        csv.push(b'\n');
        let mut blocks = Vec::new();
        for block in records.chunks(BLOCK) {
            let start = csv.len();
            for record in block {
                for index in 0..record.games.len() {
                    csv.extend(csv_line(deterministic_fields(plan, record, index)));
                    csv.push(b'\n');
                }
            }
            blocks.push(sha256_hex(&csv[start..]));
        }
        let digests = Digests { whole: sha256_hex(&csv), blocks };
        Self { csv, trials: records.len(), digests }
    }

    /// The digest: the SHA-256 of the rows, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digests.whole
    }

    /// The digests as a file: the whole, then each block of 1000 trials.
    pub fn digests_csv(&self) -> String {
        let mut text = format!("trials,sha256\nall,{}\n", self.digests.whole);
        for (index, block) in self.digests.blocks.iter().enumerate() {
            let (from, to) = self.block(index);
            let _ = writeln!(text, "{from}-{to},{block}");
        }
        text
    }

    /// Compares with the reference in a folder, by its `digests.csv`.
    pub fn compare(&self, reference: &Path) -> Comparison {
        let Ok(text) = std::fs::read_to_string(reference.join("digests.csv")) else {
            return Comparison::NoReference;
        };
        let mut digests = text.lines().skip(1).filter_map(|line| line.split_once(','));
        if digests.next() == Some(("all", self.digests.whole.as_str())) {
            return Comparison::Reproduces;
        }
        let theirs: Vec<&str> = digests.map(|(_, digest)| digest).collect();
        let ours = &self.digests.blocks;
        let same = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == *theirs).count();
        let (from, to) = self.block(same);
        Comparison::Differs { from, to }
    }

    /// The first and the last trial of a block, counted from 1.
    fn block(&self, index: usize) -> (usize, usize) {
        (index * BLOCK + 1, ((index + 1) * BLOCK).min(self.trials).max(index * BLOCK + 1))
    }
}
