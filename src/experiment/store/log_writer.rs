//! Writing a log: one process at a time, whole lines only, appending to what is there.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::LogError;
use super::line::checked_row;
use super::log::{BEGINNING, FINGERPRINTS, Log};
use super::rows::{DETERMINISTIC, Rows, TIMES};
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::host::HostFacts;
use crate::experiment::plan::Plan;
use crate::experiment::trial::record::Record;
use crate::experiment::trial::run::{Encoder, Finished, Sink};

/// Writes the games of trials to a log as they finish. The games of a pair are written together. While it lives,
/// no other process can write to the same log.
pub struct LogWriter {
    rows: Arc<Rows>,
    path: PathBuf,
    file: File,
    log: Log,
    /// How many bytes the file has.
    end: u64,
}

impl LogWriter {
    /// Opens a log, or begins one. A torn last line is cut off.
    ///
    /// # Errors
    /// If another process writes it, something that the plan uses behaved otherwise in the build that wrote it, a line is
    /// damaged, or the system fails. The file is then as it was.
    pub fn open(path: &Path, plan: &Plan, fingerprints: &Fingerprints) -> Result<Self, LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.into() }),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let mut log = Log::read(path, plan)?;
        if let Some(differing) = fingerprints.differing(&log.fingerprints) {
            return Err(LogError::OtherBuild { path: path.into(), differing });
        }
        let mut missing = match log.lines {
            0 => [first_line(), second_line()].concat(),
            1 => second_line(),
            _ => Vec::new(),
        };
        let new = fingerprints.missing_from(&log.fingerprints);
        if !new.is_empty() {
            missing.extend(checked_row([format!("{FINGERPRINTS}{new}")]));
            log.fingerprints.extend(new);
        }
        file.set_len(log.sound_bytes).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        file.write_all(&missing).map_err(io)?;
        let end = log.sound_bytes + missing.len() as u64;
        Ok(Self { rows: Arc::new(Rows::new(plan)), path: path.into(), file, log, end })
    }

    /// The log as written so far.
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// Adds a trial that was played before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        let mut finished = Finished { records: vec![record.clone()], ..Finished::default() };
        self.rows.push_log(record, &mut finished.encoded);
        finished.ends.push(finished.encoded.len());
        self.take(&finished)
    }
}

fn first_line() -> Vec<u8> {
    let (version, commit) = HostFacts::version_and_commit();
    checked_row([format!("{BEGINNING}{version}; commit {commit}")])
}

fn second_line() -> Vec<u8> {
    checked_row(DETERMINISTIC.iter().chain(&TIMES))
}

impl Sink for LogWriter {
    fn encoder(&self) -> Option<Encoder> {
        let rows = Arc::clone(&self.rows);
        Some(Arc::new(move |record, out| rows.push_log(record, out)))
    }

    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        let written = self.file.write_all(&finished.encoded);
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))?;
        let mut begin = 0;
        for (record, &end) in finished.records.iter().zip(&finished.ends) {
            self.log.note(record.trial, self.end + begin as u64);
            begin = end;
        }
        self.end += finished.encoded.len() as u64;
        Ok(())
    }
}
