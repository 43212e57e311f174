//! Writing a log: one process at a time, whole lines only, appending to what is there, and to the disk each second.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::block::{FIRST_LINE, push_block};
use super::error::LogError;
use super::facts::{KeptManifest, LogFacts};
use super::form::LogForm;
use super::lock::Lock;
use super::log::Log;
use super::packed::pack;
use super::rows::{Rows, header};
use super::sync::SyncedFile;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::plan::Plan;
use crate::experiment::trial::record::Record;
use crate::experiment::trial::run::{Encoded, Encoder, Finished, Sink};

/// Writes the games of trials to a log as they finish. The games of a pair are written together. While it lives,
/// no other process can write to the same log, if the file system can lock files.
pub struct LogWriter {
    encoder: Encoder,
    file: SyncedFile,
    log: Log,
    /// How many bytes the file has.
    end: u64,
    has_new_facts: bool,
    /// Released last.
    lock: Option<Lock>,
}

impl LogWriter {
    /// Opens a log, or begins one. A torn last line is cut off.
    ///
    /// # Errors
    /// If another process writes it, something that the plan uses behaved otherwise in the build that wrote it, it is of
    /// another manifest, a line is damaged, or the system fails. The file is then as it was.
    pub fn open(path: &Path, plan: &Plan, fingerprints: &Fingerprints) -> Result<Self, LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let lock = Lock::take(&file, path)?;
        let mut log = Log::read(path, plan)?;
        if let Some(differing) = fingerprints.differing(&log.fingerprints()) {
            return Err(LogError::OtherBuild { path: path.into(), differing });
        }
        let mut new = LogFacts::continued(log.facts.as_ref(), plan.manifest());
        new.manifest = KeptManifest::new(plan.manifest());
        if let Some(facts) = &log.facts {
            refuse_another_manifest(&log, facts, &new.manifest)?;
        }
        new.fingerprints.extend(fingerprints.clone());
        // The facts are on the disk before the first row that they are about.
        let has_new_facts = log.facts.as_ref() != Some(&new);
        if has_new_facts {
            new.write(path)?;
        }
        log.facts = Some(new);
        let first_line = match log.form() {
            LogForm::Csv => header(),
            LogForm::Compact => FIRST_LINE.into(),
        };
        let missing = if log.lines == 0 { first_line } else { Vec::new() };
        let end = log.sound_bytes + missing.len() as u64;
        let file = SyncedFile::start(path, file, log.sound_bytes, &missing).map_err(io)?;
        Ok(Self { encoder: encoder(plan, log.form()), file, log, end, has_new_facts, lock })
    }

    /// Whether no other process can write it. Not every file system can lock a file.
    pub const fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// Whether it is a new log, or one with another manifest or new fingerprints since it was written last.
    pub const fn has_new_facts(&self) -> bool {
        self.has_new_facts
    }

    /// The log as written so far.
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// Adds trials that were played before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, records: Vec<Record>) -> io::Result<()> {
        let encoded = (self.encoder)(&records);
        self.take(&Finished { records, encoded, ..Finished::default() })
    }
}

/// Writes records in this form.
fn encoder(plan: &Plan, form: LogForm) -> Encoder {
    let (plan, rows) = (plan.clone(), Rows::new(plan));
    match form {
        LogForm::Csv => Arc::new(move |records| {
            let mut encoded = Encoded::default();
            for record in records {
                encoded.places.push(encoded.bytes.len());
                rows.push_log(record, &mut encoded.bytes);
            }
            encoded
        }),
        LogForm::Compact => Arc::new(move |records| in_blocks(&plan, records)),
    }
}

/// Records in blocks, one for each experiment: to read one of them, no trials of others are read.
fn in_blocks(plan: &Plan, records: &[Record]) -> Encoded {
    let mut encoded = Encoded { bytes: Vec::new(), places: vec![0; records.len()] };
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_key(|&index| records[index].trial.experiment);
    let experiment = |index: usize| records[index].trial.experiment;
    for block in order.chunk_by(|&a, &b| experiment(a) == experiment(b)) {
        let place = encoded.bytes.len();
        push_block(&mut encoded.bytes, &pack(plan, block.iter().map(|&index| &records[index])));
        for &index in block {
            encoded.places[index] = place;
        }
    }
    encoded
}

/// A log that has trials, but none of this plan, belongs to its manifest, wherever it is run from. While players wait for a
/// result, the plan lacks their trials, so the same text is the same manifest.
fn refuse_another_manifest(log: &Log, facts: &LogFacts, ours: &KeptManifest) -> Result<(), LogError> {
    let is_same = |a: &Path, b: &Path| {
        a == b || fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
    };
    let is_same_text = facts.manifest.sha256 == ours.sha256;
    let (theirs, ours) = (&facts.manifest.path, &ours.path);
    let has_no_name = ours.as_os_str().is_empty();
    if log.other_lines == 0 || !log.is_empty() || has_no_name || is_same_text || is_same(theirs, ours) {
        return Ok(());
    }
    let folder = log.path().parent().unwrap_or(Path::new("")).into();
    Err(LogError::OtherManifest { folder, theirs: theirs.clone(), ours: ours.clone() })
}

impl Sink for LogWriter {
    fn encoder(&self) -> Option<Encoder> {
        Some(Arc::clone(&self.encoder))
    }

    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        self.file.append(&finished.encoded.bytes)?;
        for (record, &place) in finished.records.iter().zip(&finished.encoded.places) {
            self.log.note(record.trial, self.end + place as u64);
        }
        self.end += finished.encoded.bytes.len() as u64;
        Ok(())
    }
}
