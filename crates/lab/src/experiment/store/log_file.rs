//! A log that is written, whatever its rows: by one process at a time, whole rows only, after what is there, and to the disk
//! at least each second, so that a loss of power costs little.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::error::LogError;
use super::facts::{KeptManifest, LogFacts};
use super::form::LogForm;
use super::lock::Lock;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::manifest::Manifest;

/// A log that is written. While it lives, no other process can write it, if the file system can lock files.
pub(crate) struct LogFile {
    file: SyncedFile,
    /// Whether its facts are other ones than before.
    pub(crate) has_new_facts: bool,
    /// How many bytes it has.
    pub(crate) end: u64,
    /// Released last.
    lock: Option<Lock>,
}

impl LogFile {
    /// Opens a log with these columns, or begins one. `read` is given its facts, reads it, and says where its torn end begins, which is cut off.
    ///
    /// # Errors
    /// Those of `read`; if another process writes it, something that it uses behaved otherwise in the build that wrote it,
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

    /// Whether no other process can write it. Not every file system can lock a file.
    pub(crate) const fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If the file cannot be written.
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
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
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
    ///
    /// # Errors
    /// If it cannot be written, or the system gives no thread.
    fn start(path: &Path, mut file: File, sound_bytes: u64, first: &[u8]) -> io::Result<Self> {
        file.set_len(sound_bytes)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(first)?;
        let (stop, stopped) = mpsc::channel::<()>();
        let shared = Arc::new(Shared { file, is_written: AtomicBool::new(false), error: Mutex::new(None) });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("sync".into()).spawn(move || {
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                of_thread.sync();
            }
            of_thread.sync();
        });
        let thread = thread.map_err(|error| {
            let message = format!("the system did not start a thread that syncs this file: {error}; a limit on processes may be reached");
            io::Error::new(error.kind(), message)
        })?;
        Ok(Self { path: path.into(), shared, stop: Some(stop), thread: Some(thread) })
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// If they cannot be written, or what was written before could not be synced.
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = &self.shared.file;
        let written = file.write_all(bytes).and_then(|()| {
            self.shared.is_written.store(true, Ordering::Release);
            self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
        });
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))
    }
}

impl Drop for SyncedFile {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
