//! Why a folder of results cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::fingerprint::Differing;
use crate::experiment::plan::TrialId;
use crate::manifest::ManifestError;
use crate::words::shell_path;

/// Why a log, or what is kept beside it, cannot be read or written.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// A file that is made of the log cannot be written.
    #[error("{0}")]
    Write(#[from] io::Error),
    #[error("{}: another run is writing this log; wait for it, or name another folder with --out", path.display())]
    InUse { path: PathBuf },
    #[error(
        "{}: another run is writing this log; wait for it (process {process} on {host}, seen {seconds} s ago), or name \
         another folder with --out; a run that is silent for 3 min is taken over",
        folder.display()
    )]
    Owned { folder: PathBuf, host: String, process: u32, seconds: u64 },
    #[error(
        "{}: {} behaves otherwise than in the build that wrote this log (fingerprint {} there, {} here); --restart \
         moves the results aside and starts again",
        path.display(), differing.name, differing.theirs, differing.ours
    )]
    OtherBuild { path: PathBuf, differing: Differing },
    #[error(
        "{} holds the results of {}, which has no trial in common with {}; name another folder with --out, or move \
         these results aside with --restart",
        folder.display(), theirs.display(), ours.display()
    )]
    OtherManifest { folder: PathBuf, theirs: PathBuf, ours: PathBuf },
    #[error(
        "{}: this file was changed after the run (its SHA-256 is not that in log.toml); restore it, or keep it again with \
         `shikou run {} --out {}`",
        path.display(), shell_path(origin), shell_path(path.parent().unwrap_or(Path::new("")))
    )]
    ChangedManifest { path: PathBuf, origin: PathBuf },
    /// The manifest that the folder keeps cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(
        "{}: another version of Shikou wrote these results, in another format; `shikou run` with --restart moves them \
         aside and plays again",
        folder.display()
    )]
    OtherFormat { folder: PathBuf },
    #[error("{}: this file is damaged ({reason}); {}", path.display(), recover(path))]
    DamagedFacts { path: PathBuf, reason: String },
    #[error("{}:{line}: this line is damaged ({reason}); {}", path.display(), recover(path))]
    Damaged { path: PathBuf, line: usize, reason: String },
    #[error(
        "{} has another manifest than {}; only shards of one manifest can be merged",
        other.display(),
        first.display()
    )]
    OtherShard { other: PathBuf, first: PathBuf },
    #[error(
        "trial {id} of {} differs from the trial merged before; one of the logs is not from this build",
        folder.display()
    )]
    Differs { id: TrialId, folder: PathBuf },
    #[error(
        "{}: {source}; a run writes this file, and the merged results say with it where they are from. Run the shard \
         again, which plays only what is missing",
        path.display()
    )]
    NoHost { path: PathBuf, source: io::Error },
    #[error(
        "{} says that the run has {theirs} shards, not {ours}; write --shard …/{theirs}, or name other folders with --out",
        path.display()
    )]
    OtherCount { path: PathBuf, theirs: u64, ours: u64 },
    #[error(
        "{}: these are the shards of {} as it was before a change, and all shards need one manifest; take back the change, \
         or name other folders with --out, or delete this file and the shards",
        path.display(), origin.display()
    )]
    ChangedShards { path: PathBuf, origin: PathBuf },
    #[error("{}: this file is damaged ({reason}); delete it, and the next shard writes it again", path.display())]
    DamagedShards { path: PathBuf, reason: String },
    #[cfg(feature = "parquet")]
    /// A Parquet file cannot be written.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
}

/// The advice on a damaged file of a folder.
fn recover(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    format!(
        "`shikou recover {}` keeps the sound rows, and the next run plays the others again",
        shell_path(folder)
    )
}
