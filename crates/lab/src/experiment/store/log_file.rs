//! A log that is written, whatever its rows: by one process at a time, whole rows only, after what is there, and to the disk
//! at least each second, so that a loss of power costs little.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{KeptManifest, Log, LogError, LogFacts, LogForm, Rows, columns};
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::line::at;
use crate::experiment::plan::Plan;
use crate::experiment::trial::{Encoded, Encoder, Finished, Record, Sink};
use crate::manifest::Manifest;

/// A log that is written. While it lives, no other process can write it, if the file system can lock files.
pub(crate) struct LogFile {
    file: SyncedFile,
    /// Whether its facts are other ones than before.
    pub(crate) has_new_facts: bool,
    pub(crate) end: u64,
    /// Released last.
    lock: Option<Lock>,
}

impl LogFile {
    /// Opens a log with these columns, or begins one. `read` is given its facts, reads it, and says where its torn end begins, which is cut off.
    ///
    /// # Errors
    /// The errors of `read`; if another process writes it, something that it uses behaved otherwise in the build that wrote it,
    /// or the system fails. The file is then as it was.
    pub(crate) fn open<L>(
        path: &Path,
        columns: &str,
        (manifest, fingerprints): (&Manifest, &Fingerprints),
        read: impl FnOnce(Option<&LogFacts>) -> Result<(L, u64), LogError>,
    ) -> Result<(Self, L), LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let lock = Lock::take(&file, path)?;
        let before = LogFacts::read(path)?;
        let (log, end) = read(before.as_ref())?;
        let mut facts = LogFacts::continued(before.as_ref(), manifest);
        if let Some(differing) = fingerprints.differing(&facts.fingerprints) {
            return Err(LogError::OtherBuild { path: path.into(), differing });
        }
        facts.manifest = KeptManifest::new(manifest);
        facts.fingerprints.extend(fingerprints.clone());
        // The facts are on the disk before the first row that they are about.
        let has_new_facts = before.as_ref() != Some(&facts);
        if has_new_facts {
            facts.write(path)?;
        }
        let form = LogForm::of_file(path);
        let missing = if end == 0 { form.beginning(columns) } else { Vec::new() };
        let file = SyncedFile::start(path, file, end, &missing).map_err(io)?;
        let end = end + missing.len() as u64;
        Ok((Self { file, has_new_facts, end, lock }, log))
    }

    pub(crate) const fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    pub(crate) fn append(&mut self, rows: &[u8]) -> io::Result<()> {
        self.file.append(rows)?;
        self.end += rows.len() as u64;
        Ok(())
    }
}

/// How long a row waits at most.
const INTERVAL: Duration = Duration::from_secs(1);

/// A file that grows. A thread syncs it each second if it was written, and a last time when this is dropped.
struct SyncedFile {
    path: PathBuf,
    shared: Arc<Shared>,
    _syncs: Repeated,
}

struct Shared {
    file: File,
    is_written: AtomicBool,
    /// Why the file could not be synced.
    error: Mutex<Option<io::Error>>,
}

impl Shared {
    fn sync(&self) {
        if self.is_written.swap(false, Ordering::AcqRel)
            && let Err(error) = self.file.sync_data()
        {
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

impl SyncedFile {
    /// Cuts a file to its sound bytes, adds `first`, and begins to sync it.
    fn start(path: &Path, mut file: File, sound_bytes: u64, first: &[u8]) -> io::Result<Self> {
        file.set_len(sound_bytes)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(first)?;
        let shared = Arc::new(Shared { file, is_written: AtomicBool::new(false), error: Mutex::new(None) });
        let of_thread = Arc::clone(&shared);
        let sync = move |_| {
            of_thread.sync();
            true
        };
        let syncs = Repeated::start("sync", INTERVAL, sync).map_err(|error| {
            let message = format!("the system did not start a thread that syncs this file: {error}; a limit on processes may be reached");
            io::Error::new(error.kind(), message)
        })?;
        Ok(Self { path: path.into(), shared, _syncs: syncs })
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = &self.shared.file;
        let written = file.write_all(bytes).and_then(|()| {
            self.shared.is_written.store(true, Ordering::Release);
            self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
        });
        written.map_err(at(&self.path))
    }
}

/// A thread that calls `act(false)` at intervals until it returns false, and `act(true)` once when this is dropped.
pub(super) struct Repeated(Option<(Sender<()>, JoinHandle<()>)>);

impl Repeated {
    pub(super) fn start(
        name: &str,
        every: Duration,
        mut act: impl FnMut(bool) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel::<()>();
        let calls = move || {
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                if !act(false) {
                    return;
                }
            }
            act(true);
        };
        Ok(Self(Some((stop, thread::Builder::new().name(name.into()).spawn(calls)?))))
    }
}

impl Drop for Repeated {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

/// The lock of a file among processes, released when this is dropped.
///
/// Closing the file is not enough: a program that this process is about to start holds the file open for a moment.
pub struct Lock(File);

impl Lock {
    /// Locks a file that is there for its lock alone, and makes it and its folder if they are missing. `None` if the file
    /// system cannot lock.
    ///
    /// # Errors
    /// [`LogError::InUse`] if another process has locked it; if the system fails.
    ///
    /// # Example
    /// ```
    /// use shikou::experiment::{Lock, LogError};
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("locks/table");
    /// let lock = Lock::of(&path).unwrap();
    /// if lock.is_some() {
    ///     assert!(matches!(Lock::of(&path), Err(LogError::InUse { .. })));
    /// }
    /// drop(lock);
    /// assert!(Lock::of(&path).is_ok());
    /// ```
    pub fn of(path: &Path) -> Result<Option<Self>, LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).map_err(io)?;
        let file = File::options().write(true).create(true).truncate(false).open(path).map_err(io)?;
        Ok(locked(file.try_lock(), path)?.then_some(Self(file)))
    }

    /// Locks a log that was opened at this path. `None` if its file system cannot lock.
    ///
    /// # Errors
    /// If another process has locked it or has put another file in its place, or if the system fails.
    pub(crate) fn take(file: &File, path: &Path) -> Result<Option<Self>, LogError> {
        let own = file.try_clone().map_err(|source| LogError::Io { path: path.into(), source })?;
        let lock = locked(file.try_lock(), path)?.then_some(Self(own));
        // The file may have been moved aside after it was opened.
        if is_at(file, path) { Ok(lock) } else { Err(LogError::InUse { path: path.into() }) }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (opened, there) = (file.metadata().map(place), path.metadata().map(place));
    opened.is_ok_and(|opened| there.is_ok_and(|there| opened == there))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Whether the file is locked, by the answer of the system.
fn locked(answer: Result<(), TryLockError>, path: &Path) -> Result<bool, LogError> {
    match answer {
        Ok(()) => Ok(true),
        // The file system has no locks: nobody knows who else writes.
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Ok(false),
        Err(TryLockError::WouldBlock) => Err(LogError::InUse { path: path.into() }),
        Err(TryLockError::Error(source)) => Err(LogError::Io { path: path.into(), source }),
    }
}

/// Whether the file system has no locks, or its server does not answer for them (ENOSYS, ENOTSUP, ENOLCK).
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error().is_some_and(|code| [libc::ENOSYS, libc::ENOTSUP, libc::ENOLCK].contains(&code)) {
        return true;
    }
    error.kind() == io::ErrorKind::Unsupported
}

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

/// The bytes of the rows of a trial of two games, but for long names.
const USUAL_ROWS: usize = 256;

/// Writes records in this form, those of each experiment together: to read one of them, few trials of others are read.
fn encoder(plan: &Plan, form: LogForm) -> Encoder {
    let rows = Rows::new(plan);
    Arc::new(move |records| {
        let mut encoded = Encoded { bytes: Vec::new(), places: vec![0..0; records.len()] };
        let mut order: Vec<usize> = (0..records.len()).collect();
        let experiment = |index: usize| records[index].trial.experiment;
        order.sort_by_key(|&index| experiment(index));
        let mut text = Vec::with_capacity(records.len() * USUAL_ROWS);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_without_locks_is_no_error() {
        // ENOSYS, EOPNOTSUPP, ENOLCK; EIO is one.
        let answer =
            |code| locked(Err(TryLockError::Error(io::Error::from_raw_os_error(code))), Path::new("log"));
        assert!(!answer(38).unwrap() && !answer(95).unwrap() && !answer(37).unwrap());
        assert!(matches!(answer(5), Err(LogError::Io { .. })));
        let in_use = locked(Err(TryLockError::WouldBlock), Path::new("log"));
        assert!(matches!(in_use, Err(LogError::InUse { .. })));
        assert!(locked(Ok(()), Path::new("log")).unwrap());
    }
}
