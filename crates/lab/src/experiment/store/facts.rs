//! The facts of a log, in `log.toml` beside it: its format, the build that began it, the manifest, and fingerprints.
//!
//! They are a file of their own so that `trials.csv` is plain CSV. The first line is a check of all others.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::draft::write_synced;
use super::error::LogError;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::host::HostFacts;
use crate::experiment::line::{crc_hex, sha256_hex};
use crate::experiment::manifest::Manifest;

/// The version of the format of logs.
const FORMAT: u32 = 4;

/// The one before, in which checks of rows have hexadecimal digits. It is read, and goes on in the new form.
const EARLIER: u32 = 3;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogFacts {
    /// The version of the format.
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
    /// The facts of a log that this build begins.
    fn begin(manifest: &Manifest) -> Self {
        let (version, commit) = HostFacts::version_and_commit();
        Self {
            format: FORMAT,
            version: version.into(),
            commit: commit.into(),
            manifest: KeptManifest::new(manifest),
            fingerprints: Fingerprints::default(),
        }
    }

    /// Those of a log that this build continues, or begins if there are none.
    pub(crate) fn continued(facts: Option<&Self>, manifest: &Manifest) -> Self {
        facts.map_or_else(|| Self::begin(manifest), |facts| Self { format: FORMAT, ..facts.clone() })
    }

    /// Those of a log whose facts are lost.
    pub(crate) fn unknown(manifest: KeptManifest) -> Self {
        let (version, commit) = ("unknown".into(), "unknown".into());
        Self { format: FORMAT, version, commit, manifest, fingerprints: Fingerprints::default() }
    }

    /// The file of the facts of the log at this path.
    pub(crate) fn path(log: &Path) -> PathBuf {
        log.with_file_name("log.toml")
    }

    /// The facts of the log at this path. `None` if they have no file.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
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

/// The error that the log or the facts at this path have another format.
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
