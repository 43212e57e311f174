//! A log goes to the disk at least each second, so that a loss of power costs little.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a row waits at most.
const INTERVAL: Duration = Duration::from_secs(1);

/// A file that grows. A thread syncs it each second if it was written, and a last time when this is dropped.
pub(crate) struct SyncedFile {
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
    pub(crate) fn start(path: &Path, mut file: File, sound_bytes: u64, first: &[u8]) -> io::Result<Self> {
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
    pub(crate) fn append(&self, bytes: &[u8]) -> io::Result<()> {
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
