//! Folders for results that are not kept.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use super::error::CommandError;

/// The folders that are there now, for a program that a signal ends.
static NOW: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A new folder that only this user can read. It is removed when this is dropped, and when a signal ends the program.
pub(super) struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// A folder for a purpose.
    pub(super) fn new(purpose: &str) -> Result<Self, CommandError> {
        let prefix = format!("shikou-{purpose}-");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir();
        let folder = folder.map_err(|error| CommandError::at("a temporary folder", &error))?;
        NOW.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().into());
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Removes all folders, because the program ends.
pub(super) fn remove_temporary_folders() {
    for folder in NOW.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_dir_all(folder);
    }
}
