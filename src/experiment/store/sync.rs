//! A log goes to the disk at least each second, so that a loss of power costs little.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a row waits at most.
const INTERVAL: Duration = Duration::from_secs(1);

/// A thread that syncs a file each second if it was written, and a last time when this is dropped.
pub(crate) struct Syncer {
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

impl Syncer {
    /// Begins to sync a file.
    ///
    /// # Errors
    /// If the system gives no second handle of the file, or no thread.
    pub(crate) fn start(file: &File) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel::<()>();
        let file = file.try_clone()?;
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
        Ok(Self { shared, stop: Some(stop), thread: Some(thread) })
    }

    /// Says that the file was written.
    ///
    /// # Errors
    /// If what was written before could not be synced.
    pub(crate) fn written(&self) -> io::Result<()> {
        self.shared.is_written.store(true, Ordering::Release);
        let error = self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
