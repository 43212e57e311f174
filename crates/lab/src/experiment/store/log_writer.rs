//! Writing a log of trials as they finish.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::error::LogError;
use super::facts::{KeptManifest, LogFacts};
use super::form::LogForm;
use super::log::Log;
use super::log_file::LogFile;
use super::rows::{Rows, columns};
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::plan::Plan;
use crate::experiment::trial::record::Record;
use crate::experiment::trial::run::{Encoded, Encoder, Finished, Sink};

/// Writes the games of trials to a log as they finish. The games of a pair are written together. While it lives,
/// no other process can write to the same log, if the file system can lock files.
pub struct LogWriter {
    encoder: Encoder,
    log: Log,
    file: LogFile,
}

impl LogWriter {
    /// Opens a log, or begins one. A torn end is cut off.
    ///
    /// # Errors
    /// If another process writes it, something that the plan uses behaved otherwise in the build that wrote it, it is of
    /// another manifest, a line is damaged, or the system fails. The file is then as it was.
    pub fn open(path: &Path, plan: &Plan, fingerprints: &Fingerprints) -> Result<Self, LogError> {
        let (file, log) = LogFile::open(path, &columns(), (plan.manifest(), fingerprints), |facts| {
            let log = Log::read(path, plan)?;
            if let Some(facts) = facts {
                refuse_another_manifest(&log, facts, &KeptManifest::new(plan.manifest()))?;
            }
            let end = log.whole_bytes;
            Ok((log, end))
        })?;
        Ok(Self { encoder: encoder(plan, log.form()), log, file })
    }

    /// Whether no other process can write it. Not every file system can lock a file.
    pub const fn is_locked(&self) -> bool {
        self.file.is_locked()
    }

    /// Whether it is a new log, or one with another manifest or new fingerprints since it was written last.
    pub const fn has_new_facts(&self) -> bool {
        self.file.has_new_facts
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

/// Writes records in this form, those of each experiment together: to read one of them, few trials of others are read.
fn encoder(plan: &Plan, form: LogForm) -> Encoder {
    let rows = Rows::new(plan);
    Arc::new(move |records| {
        let mut encoded = Encoded { bytes: Vec::new(), places: vec![0..0; records.len()] };
        let mut order: Vec<usize> = (0..records.len()).collect();
        let experiment = |index: usize| records[index].trial.experiment;
        order.sort_by_key(|&index| experiment(index));
        let mut text = Vec::new();
        for group in order.chunk_by(|&a, &b| experiment(a) == experiment(b)) {
            text.clear();
            for &index in group {
                rows.push_log(&records[index], form, &mut text);
            }
            let begin = encoded.bytes.len() as u64;
            form.push(&text, &mut encoded.bytes);
            for &index in group {
                encoded.places[index] = begin..encoded.bytes.len() as u64;
            }
        }
        encoded
    })
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
    let folder = log.path.parent().unwrap_or(Path::new("")).into();
    Err(LogError::OtherManifest { folder, theirs: theirs.clone(), ours: ours.clone() })
}

impl Sink for LogWriter {
    fn encoder(&self) -> Option<Encoder> {
        Some(Arc::clone(&self.encoder))
    }

    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        let begin = self.file.end;
        self.file.append(&finished.encoded.bytes)?;
        for (record, place) in finished.records.iter().zip(&finished.encoded.places) {
            self.log.note(record.trial, &(begin + place.start..begin + place.end), None);
        }
        Ok(())
    }
}
