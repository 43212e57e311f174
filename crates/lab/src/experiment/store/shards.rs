//! The file beside the shards of a run: how many there are, of which manifest, and how the scheduler numbers them.
//!
//! A scheduler's variables tell a task its index, but not reliably the number of tasks: a part of an array that is submitted
//! again looks like an array of its own. So the first task writes the facts down, and every other task must agree.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::draft::write_first;
use super::facts::KeptManifest;
use crate::experiment::manifest::Manifest;

/// How a scheduler numbers the tasks of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbering {
    /// The variable that holds the index of a task.
    pub variable: String,
    /// The index of the first task of the whole array.
    pub first: u64,
    /// The distance between two tasks.
    pub step: u64,
}

/// The shards of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shards {
    /// The number of shards.
    pub shards: u64,
    /// The numbering of the array as it was first submitted, if a scheduler told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<Numbering>,
    manifest: KeptManifest,
}

/// Why a task does not belong to the shards beside it.
#[derive(Debug, thiserror::Error)]
pub enum ShardsError {
    /// Another number of shards.
    #[error(
        "{} says that the run has {theirs} shards, not {ours}; write --shard …/{theirs}, or name other folders with --out",
        path.display()
    )]
    OtherCount {
        /// The file.
        path: PathBuf,
        /// The number in it.
        theirs: u64,
        /// The number of this run.
        ours: u64,
    },
    /// Another manifest.
    #[error(
        "{}: these are the shards of {} as it was before a change, and all shards need one manifest; take back the change, \
         or name other folders with --out, or delete this file and the shards",
        path.display(), origin.display()
    )]
    OtherManifest {
        /// The file.
        path: PathBuf,
        /// Where the manifest was.
        origin: PathBuf,
    },
    /// The file is damaged.
    #[error("{}: this file is damaged ({reason}); delete it, and the next shard writes it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// The operating system returned an error.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Shards {
    /// The shards of a manifest.
    pub fn new(manifest: &Manifest, shards: u64, array: Option<Numbering>) -> Self {
        Self { shards, array, manifest: KeptManifest::new(manifest) }
    }

    /// Where the manifest was when the file was written.
    pub fn manifest_path(&self) -> &Path {
        &self.manifest.path
    }

    /// The file of the shards whose folders begin with `base`: `results/tour.shards.toml` for `results/tour.shard-1-of-3`.
    pub fn path(base: &Path) -> PathBuf {
        let mut name = base.file_name().unwrap_or_default().to_os_string();
        name.push(".shards.toml");
        base.with_file_name(name)
    }

    /// The shards that the file beside them tells of. `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(base: &Path) -> Result<Option<Self>, ShardsError> {
        let path = Self::path(base);
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ShardsError::Io { path, source }),
            Ok(text) => toml::from_str(&text).map(Some).map_err(|error| {
                let reason = error.message().replace('\n', "; ");
                ShardsError::Damaged { path, reason }
            }),
        }
    }

    /// Writes the file if there is none. The first of many processes writes it; the others must agree.
    ///
    /// # Errors
    /// If the file is of another number of shards or another manifest, or cannot be read or written.
    pub fn claim(&self, base: &Path) -> Result<(), ShardsError> {
        let theirs = match Self::read(base)? {
            Some(theirs) => theirs,
            None if self.write(base)? => return Ok(()),
            None => Self::read(base)?.unwrap_or_else(|| self.clone()),
        };
        let path = Self::path(base);
        let (manifest, ours) = (theirs.manifest, &self.manifest);
        if theirs.shards != self.shards {
            return Err(ShardsError::OtherCount { path, theirs: theirs.shards, ours: self.shards });
        }
        if (&manifest.sha256, &manifest.files) != (&ours.sha256, &ours.files) {
            return Err(ShardsError::OtherManifest { path, origin: manifest.path });
        }
        Ok(())
    }

    /// Writes the file, whole. Returns whether no other process was first.
    fn write(&self, base: &Path) -> Result<bool, ShardsError> {
        let path = Self::path(base);
        let text = toml::to_string(self).expect("the facts are TOML");
        let text =
            format!("# The shards of one run. To divide it anew, delete this file and the shards.\n{text}");
        write_first(&path, text.as_bytes()).map_err(|source| ShardsError::Io { path, source })
    }
}
