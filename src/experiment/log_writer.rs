//! Writing a log: one process at a time, whole lines only, going on where it ended.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::log::BEGINNING;
use super::rows::{DETERMINISTIC, TIMES, checked_row, deterministic_fields};
use super::{HostFacts, LogContents, LogError, Plan, Record, SeatRecord, Sink, read_log};

/// Writes the games of trials to a log as they finish. The games of a pair are written together. While it lives,
/// no other process can write to the same log.
pub struct LogWriter<'p> {
    plan: &'p Plan<'p>,
    path: PathBuf,
    file: File,
}

impl<'p> LogWriter<'p> {
    /// Opens a log, or begins one, and says what it holds. A torn last line is cut off.
    ///
    /// # Errors
    /// Where another process writes it, a build with another fingerprint began it, a line is damaged, or the system
    /// refuses. The file is then as it was.
    pub fn open(path: &Path, plan: &'p Plan<'p>, fingerprint: &str) -> Result<(Self, LogContents), LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.into() }),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let contents = read_log(path, plan)?;
        let mut writer = Self { plan, path: path.into(), file };
        if contents.sound_bytes == 0 {
            writer.begin(fingerprint).map_err(io)?;
            return Ok((writer, contents));
        }
        if contents.fingerprint != fingerprint {
            let (theirs, ours) = (contents.fingerprint, fingerprint.into());
            return Err(LogError::OtherBuild { path: path.into(), theirs, ours });
        }
        writer.file.set_len(contents.sound_bytes).map_err(io)?;
        writer.file.seek(SeekFrom::End(0)).map_err(io)?;
        if contents.lines == 1 {
            writer.file.write_all(&second_line()).map_err(io)?;
        }
        Ok((writer, contents))
    }

    fn begin(&mut self, fingerprint: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&[first_line(fingerprint), second_line()].concat())
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
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let mut rows = Vec::new();
        for (index, game) in record.games.iter().enumerate() {
            let fields = deterministic_fields(self.plan, record, index);
            let seat = |seat: usize, field: fn(&SeatRecord) -> u64| {
                game.seats.get(seat).map_or_else(String::new, |seat| field(seat).to_string())
            };
            let times = [
                seat(0, |seat| u64::from(seat.moves)),
                seat(1, |seat| u64::from(seat.moves)),
                seat(0, |seat| seat.wall_ns),
                seat(1, |seat| seat.wall_ns),
                game.cpu_ns.to_string(),
            ];
            rows.extend(checked_row(fields.iter().chain(&times)));
        }
        let written = self.file.write_all(&rows);
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))
    }
}
