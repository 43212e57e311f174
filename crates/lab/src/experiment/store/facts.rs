//! The facts of a log, in `log.toml` beside it: its format, the build that began it, the manifest, and fingerprints; and the file
//! beside the shards of a run.
//!
//! The facts are a file of their own so that `trials.csv` is plain CSV. The first line is a check of all others.
//!
//! The file beside the shards says how many there are, of which manifest, and how the scheduler numbers them. A scheduler's
//! variables tell a task its index, but not reliably the number of tasks: a part of an array that is submitted again looks like an
//! array of its own. So the first task writes the facts down, and every other task must agree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::{LogError, write_first, write_synced};
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::host::HostFacts;
use crate::experiment::line::{crc_hex, sha256_hex};
use crate::manifest::Manifest;

/// The version of the format of logs.
const FORMAT: u32 = 4;

/// The one before, in which checks of rows have hexadecimal digits. It is read, and goes on in the new form.
const EARLIER: u32 = 3;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogFacts {
    format: u32,
    /// The version of Shikou that began the log.
    version: String,
    /// The commit of the build that began the log.
    pub(crate) commit: String,
    /// The manifest that was run last.
    pub(crate) manifest: KeptManifest,
    /// The fingerprints of what the plans used that wrote it.
    pub(crate) fingerprints: Fingerprints,
}

/// The manifest that was run last, as it is kept beside the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptManifest {
    /// Where it was read from, as it was typed.
    pub(crate) path: PathBuf,
    /// The SHA-256 of its text.
    pub(crate) sha256: String,
    /// The SHA-256 of each file that it names, by the name under which the file is kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) files: BTreeMap<String, String>,
}

impl KeptManifest {
    pub(crate) fn new(manifest: &Manifest) -> Self {
        let files = manifest.files.iter();
        Self {
            path: in_unicode(&manifest.origin),
            sha256: sha256_hex(manifest.text.as_bytes()),
            files: files.map(|file| (file.kept_as(), sha256_hex(&file.content))).collect(),
        }
    }

    /// The manifest that is kept at this path with these files beside it, whatever they are.
    pub(crate) fn as_kept(path: &Path, files: impl IntoIterator<Item = String>) -> Self {
        let hash = |path: &Path| fs::read(path).map(|bytes| sha256_hex(&bytes)).unwrap_or_default();
        let files = files.into_iter().map(|name| (name.clone(), hash(&path.with_file_name(name))));
        Self { path: in_unicode(path), sha256: hash(path), files: files.collect() }
    }

    /// Whether the kept text is another one; not if it cannot be read.
    pub(super) fn changed_text(&self, path: &Path) -> bool {
        fs::read(path).is_ok_and(|bytes| sha256_hex(&bytes) != self.sha256)
    }

    /// The name of the first kept file that is not as it was.
    pub(crate) fn changed(&self, kept: &Manifest) -> Option<String> {
        let now = Self::new(kept);
        if self.sha256 != now.sha256 {
            return Some("manifest.toml".into());
        }
        now.files.into_iter().find(|(name, hash)| self.files.get(name) != Some(hash)).map(|(name, _)| name)
    }
}

/// A path as TOML can hold it. It is for people.
fn in_unicode(path: &Path) -> PathBuf {
    path.to_string_lossy().into_owned().into()
}

impl LogFacts {
    /// The facts of a log that this build continues, or begins if there are none.
    pub(crate) fn continued(facts: Option<&Self>, manifest: &Manifest) -> Self {
        let (version, commit) = HostFacts::version_and_commit();
        let (version, commit) = (version.into(), commit.into());
        let begun = || Self { version, commit, ..Self::unknown(KeptManifest::new(manifest)) };
        facts.map_or_else(begun, |facts| Self { format: FORMAT, ..facts.clone() })
    }

    /// The facts of a log that lost its own.
    pub(crate) fn unknown(manifest: KeptManifest) -> Self {
        let (version, commit) = ("unknown".into(), "unknown".into());
        Self { format: FORMAT, version, commit, manifest, fingerprints: Fingerprints::default() }
    }

    pub(crate) fn path(log: &Path) -> PathBuf {
        log.with_file_name("log.toml")
    }

    /// The facts of the log at this path. `None` if they have no file.
    pub(crate) fn read(log: &Path) -> Result<Option<Self>, LogError> {
        let path = Self::path(log);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| LogError::Io { path: path.clone(), source })?,
        };
        Self::parse(&path, &bytes).map(Some)
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, LogError> {
        /// The format alone: the other facts may be other ones there.
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let damaged = |reason: &str| LogError::DamagedFacts { path: path.into(), reason: reason.into() };
        let wrong = |error: toml::de::Error| damaged(&error.message().replace('\n', "; "));
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8 text"))?;
        let (check, rest) = text.split_once('\n').ok_or_else(|| damaged("it is torn"))?;
        if check != check_of(rest) {
            return Err(damaged("its check does not agree"));
        }
        let Format { format } = toml::from_str(rest).map_err(wrong)?;
        if ![EARLIER, FORMAT].contains(&format) {
            return Err(other_format(path));
        }
        toml::from_str(rest).map_err(wrong)
    }

    /// Writes the facts of the log at this path to the disk: all of them, or nothing.
    pub(crate) fn write(&self, log: &Path) -> Result<(), LogError> {
        let path = Self::path(log);
        let text = toml::to_string(self).expect("facts are TOML");
        let bytes = format!("{}\n{text}", check_of(&text));
        write_synced(&path, bytes.as_bytes()).map_err(|source| LogError::Io { path, source })
    }
}

fn other_format(path: &Path) -> LogError {
    LogError::OtherFormat { folder: path.parent().unwrap_or(Path::new("")).into() }
}

/// The error of a log that begins with this line, if it is of an earlier format: that had its facts in comments.
pub(super) fn earlier_format(log: &Path, first_line: &[u8]) -> Option<LogError> {
    first_line.starts_with(b"# shikou log ").then(|| other_format(log))
}

/// The first line of the file, for all lines after it.
fn check_of(text: &str) -> String {
    format!("check = \"{}\"", crc_hex(text.as_bytes()))
}

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
    pub fn read(base: &Path) -> Result<Option<Self>, LogError> {
        let path = Self::path(base);
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(LogError::Io { path, source }),
            Ok(text) => toml::from_str(&text).map(Some).map_err(|error| {
                let reason = error.message().replace('\n', "; ");
                LogError::DamagedShards { path, reason }
            }),
        }
    }

    /// Writes the file if there is none. The first of many processes writes it; the others must agree.
    ///
    /// # Errors
    /// If the file is of another number of shards or another manifest, or cannot be read or written.
    pub fn claim(&self, base: &Path) -> Result<(), LogError> {
        let theirs = match Self::read(base)? {
            Some(theirs) => theirs,
            None if self.write(base)? => return Ok(()),
            None => Self::read(base)?.unwrap_or_else(|| self.clone()),
        };
        let path = Self::path(base);
        let (manifest, ours) = (theirs.manifest, &self.manifest);
        if theirs.shards != self.shards {
            return Err(LogError::OtherCount { path, theirs: theirs.shards, ours: self.shards });
        }
        if (&manifest.sha256, &manifest.files) != (&ours.sha256, &ours.files) {
            return Err(LogError::ChangedShards { path, origin: manifest.path });
        }
        Ok(())
    }

    /// Writes the file, whole. Returns whether no other process was first.
    fn write(&self, base: &Path) -> Result<bool, LogError> {
        let path = Self::path(base);
        let text = toml::to_string(self).expect("the facts are TOML");
        let text =
            format!("# The shards of one run. To divide it anew, delete this file and the shards.\n{text}");
        write_first(&path, text.as_bytes()).map_err(|source| LogError::Io { path, source })
    }
}
