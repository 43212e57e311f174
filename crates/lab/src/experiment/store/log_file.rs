//! A log that is written, whatever its rows: by one process at a time, whole rows only, after what is there.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use super::error::LogError;
use super::facts::{KeptManifest, LogFacts};
use super::form::LogForm;
use super::lock::Lock;
use super::pieces::Whole;
use super::sync::SyncedFile;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::manifest::Manifest;

/// A log that is written. While it lives, no other process can write it, if the file system can lock files.
pub(crate) struct LogFile {
    file: SyncedFile,
    /// Its facts, and whether they are other ones than before.
    pub(crate) facts: LogFacts,
    pub(crate) has_new_facts: bool,
    /// How many bytes it has.
    pub(crate) end: u64,
    /// Released last.
    lock: Option<Lock>,
}

impl LogFile {
    /// Opens a log with these columns and reads it, or begins one. A torn end is cut off.
    ///
    /// # Errors
    /// Those of `read`; if another process writes it, something that it uses behaved otherwise in the build that wrote it,
    /// or the system fails. The file is then as it was.
    pub(crate) fn open<L>(
        path: &Path,
        columns: &str,
        (manifest, fingerprints): (&Manifest, &Fingerprints),
        read: impl FnOnce() -> Result<(L, Whole), LogError>,
    ) -> Result<(Self, L), LogError> {
        let io = |source| LogError::Io { path: path.into(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let lock = Lock::take(&file, path)?;
        let (log, whole) = read()?;
        let before = LogFacts::read(path)?;
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
        let missing = if whole.bytes == 0 { form.beginning(columns) } else { Vec::new() };
        let end = whole.bytes + missing.len() as u64;
        let file = SyncedFile::start(path, file, whole.bytes, &missing).map_err(io)?;
        Ok((Self { file, facts, has_new_facts, end, lock }, log))
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
