//! Why a log cannot be read or written.

use std::io;
use std::path::PathBuf;

use crate::experiment::fingerprint::Differing;

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
    /// Something that the plan uses behaved otherwise in the build that wrote it.
    #[error(
        "{}: {} behaves otherwise than in the build that wrote this log (fingerprint {} there, {} here); --restart \
         moves the log aside and starts again",
        path.display(), differing.name, differing.theirs, differing.ours
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// What behaves otherwise.
        differing: Differing,
    },
    /// A line is damaged.
    #[error("{}:{line}: this line is damaged ({reason}); --restart moves the log aside and starts again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The problem.
        reason: String,
    },
}
