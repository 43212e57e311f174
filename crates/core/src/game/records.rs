//! Formats of game records: files with games played elsewhere.

use std::fmt;

/// The games of a file, in its order. Each game is the notations of its moves from the start.
pub type RecordedGames = Vec<Vec<String>>;

/// A recorded game, replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedRecord {
    /// The plies, passes included, up to the end or to the first illegal move.
    pub plies: u32,
    /// The passes among them.
    pub passes: u32,
    /// The end of the game, or a description of the first illegal move.
    pub end: Result<RecordEnd, String>,
}

/// The position after the moves of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// The outcome for the first player; `None` if the game is unfinished.
    pub outcome: Option<super::Outcome>,
    /// The score by the moves, in the usual notation.
    pub score: String,
    /// The difference from the recorded score, in words.
    pub mismatch: Option<String>,
}

/// A file format that a game can read.
#[derive(Clone, Copy)]
pub struct RecordFormat {
    /// The name in manifests: `wthor`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The extension of its files: `wtb`.
    pub extension: &'static str,
    /// Reads the bytes of a file; the error is a reason in words. It need not check that moves are legal, and may omit
    /// forced moves that the game's transcripts omit.
    pub read: fn(&[u8]) -> Result<RecordedGames, String>,
    /// Reads the bytes of a file and replays its games; the error is a reason in words.
    pub replay: fn(&[u8]) -> Result<Vec<ReplayedRecord>, String>,
}

impl fmt::Debug for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordFormat").field("name", &self.name).finish_non_exhaustive()
    }
}
