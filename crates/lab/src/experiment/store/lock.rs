//! One process at a time writes a log.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use super::error::LogError;

/// The lock of a log, released when this is dropped.
///
/// Closing the file is not enough: a program that this process is about to start holds the file open for a moment.
pub(crate) struct Lock(File);

impl Lock {
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
        assert!(matches!(
            locked(Err(TryLockError::WouldBlock), Path::new("log")),
            Err(LogError::InUse { .. })
        ));
        assert!(locked(Ok(()), Path::new("log")).unwrap());
    }
}
