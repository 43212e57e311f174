//! Formats of game records: files of games played elsewhere.

use std::fmt;

/// The games of a file in its order, each as the notations of its moves from the start.
pub type RecordedGames = Vec<Vec<String>>;

/// A recorded game, replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedRecord {
    /// The plies of the moves up to the end or to the first illegal one, with the passes.
    pub plies: u32,
    /// The passes among them.
    pub passes: u32,
    /// The end of the game, or the first illegal move in words.
    pub end: Result<RecordEnd, String>,
}

/// The position after the moves of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// The outcome for the first player; `None` if the game was broken off.
    pub outcome: Option<super::Outcome>,
    /// The score by the moves, as people write it.
    pub score: String,
    /// In words, how the recorded score differs from it.
    pub mismatch: Option<String>,
}

/// A file format that a game can read.
#[derive(Clone, Copy)]
pub struct RecordFormat {
    /// The name in manifests: `wthor`.
    pub name: &'static str,
    /// A line about it.
    pub about: &'static str,
    /// The extension of its files: `wtb`.
    pub extension: &'static str,
    /// Reads the bytes of a file; the error is a reason in words. It need not check that moves are legal, and may leave
    /// out forced moves that the game's transcripts leave out.
    pub read: fn(&[u8]) -> Result<RecordedGames, String>,
    /// Reads the bytes of a file and replays its games; the error is a reason in words.
    pub replay: fn(&[u8]) -> Result<Vec<ReplayedRecord>, String>,
}

impl fmt::Debug for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordFormat").field("name", &self.name).finish_non_exhaustive()
    }
}
