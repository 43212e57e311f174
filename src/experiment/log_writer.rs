//! Writing a log: one process at a time, whole lines only, going on where it ended.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::fingerprint::plays_alike;
use super::log::BEGINNING;
use super::rows::{DETERMINISTIC, TIMES, checked_row, push_log_rows};
use super::{Finished, HostFacts, Log, LogError, Plan, Record, Sink};

/// Writes the games of trials to a log as they finish. The games of a pair are written together. While it lives,
/// no other process can write to the same log.
pub struct LogWriter<'p> {
    plan: &'p Plan<'p>,
    path: PathBuf,
    file: File,
    log: Log<'p>,
    /// How many bytes the file has.
    end: u64,
}

impl<'p> LogWriter<'p> {
    /// Opens a log, or begins one. A torn last line is cut off.
    ///
    /// # Errors
    /// Where another process writes it, a build with another fingerprint began it, a line is damaged, or the system
    /// refuses. The file is then as it was.
    pub fn open(path: &Path, plan: &'p Plan<'p>, fingerprint: &str) -> Result<Self, LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.into() }),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let mut log = Log::read(path, plan)?;
        if log.lines > 0 && !plays_alike(&log.fingerprint, fingerprint) {
            let (theirs, ours) = (log.fingerprint, fingerprint.into());
            return Err(LogError::OtherBuild { path: path.into(), theirs, ours });
        }
        let missing = match log.lines {
            0 => [first_line(fingerprint), second_line()].concat(),
            1 => second_line(),
            _ => Vec::new(),
        };
        fingerprint.clone_into(&mut log.fingerprint);
        file.set_len(log.sound_bytes).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        file.write_all(&missing).map_err(io)?;
        let end = log.sound_bytes + missing.len() as u64;
        Ok(Self { plan, path: path.into(), file, log, end })
    }

    /// What it holds by now.
    pub const fn log(&self) -> &Log<'p> {
        &self.log
    }

    /// Adds a trial that was played before.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        let mut finished = Finished { records: vec![record.clone()], ..Finished::default() };
        push_log_rows(self.plan, record, &mut finished.rows);
        finished.row_ends.push(finished.rows.len());
        self.take(&finished)
    }
}

fn first_line(fingerprint: &str) -> Vec<u8> {
    let (version, commit) = HostFacts::version_and_commit();
    checked_row([format!("{BEGINNING}{version}; commit {commit}; fingerprint {fingerprint}")])
}

fn second_line() -> Vec<u8> {
    checked_row(DETERMINISTIC.iter().chain(&TIMES))
}

impl Sink for LogWriter<'_> {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        let written = self.file.write_all(&finished.rows);
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))?;
        let mut begin = 0;
        for (record, &end) in finished.records.iter().zip(&finished.row_ends) {
            self.log.note(record.trial, self.end + begin as u64);
            begin = end;
        }
        self.end += finished.rows.len() as u64;
        Ok(())
    }
}
