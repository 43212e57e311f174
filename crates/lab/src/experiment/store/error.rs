//! Why a log cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::fingerprint::Differing;
use crate::experiment::manifest::error::ManifestError;
use crate::words::shell_path;

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The operating system returned an error.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process is writing it.
    #[error("{}: another run is writing this log; wait for it, or name another folder with --out", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Another process owns its folder.
    #[error(
        "{}: another run is writing this log; wait for it (process {process} on {host}, seen {seconds} s ago), or name \
         another folder with --out; a run that is silent for 3 min is taken over",
        folder.display()
    )]
    Owned {
        /// The folder.
        folder: PathBuf,
        /// The machine of the process.
        host: String,
        /// Its number.
        process: u32,
        /// How long ago it was seen.
        seconds: u64,
    },
    /// Something that the plan uses behaved otherwise in the build that wrote it.
    #[error(
        "{}: {} behaves otherwise than in the build that wrote this log (fingerprint {} there, {} here); --restart \
         moves the results aside and starts again",
        path.display(), differing.name, differing.theirs, differing.ours
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// What behaves otherwise.
        differing: Differing,
    },
    /// The log is of another manifest, and has no trial of this one.
    #[error(
        "{} holds the results of {}, which has no trial in common with {}; name another folder with --out, or move \
         these results aside with --restart",
        folder.display(), theirs.display(), ours.display()
    )]
    OtherManifest {
        /// The folder.
        folder: PathBuf,
        /// The manifest that was run there.
        theirs: PathBuf,
        /// The manifest that was to be run.
        ours: PathBuf,
    },
    /// A kept manifest, or a file that it names, is not the one that was run.
    #[error(
        "{}: this file was changed after the run (its SHA-256 is not that in log.toml); restore it, or keep it again with \
         `shikou run {} --out {}`",
        path.display(), shell_path(origin), shell_path(path.parent().unwrap_or(Path::new("")))
    )]
    ChangedManifest {
        /// The file.
        path: PathBuf,
        /// Where the manifest was read from when it was run.
        origin: PathBuf,
    },
    /// Another version wrote it, in another format.
    #[error(
        "{}: another version of Shikou wrote these results, in another format; `shikou run` with --restart moves them \
         aside and plays again",
        folder.display()
    )]
    OtherFormat {
        /// The folder.
        folder: PathBuf,
    },
    /// The facts of the log are damaged.
    #[error("{}: this file is damaged ({reason}); {}", path.display(), recover(path))]
    DamagedFacts {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// A line is damaged.
    #[error("{}:{line}: this line is damaged ({reason}); {}", path.display(), recover(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The problem.
        reason: String,
    },
}

/// Why the manifest in a folder of results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum KeptManifestError {
    /// It is no manifest, or not there.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// It was changed, or the facts of the log are damaged.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// The advice on a damaged file of a folder.
fn recover(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    format!(
        "`shikou recover {}` keeps the sound rows, and the next run plays the others again",
        shell_path(folder)
    )
}
