//! Formats of game records: files of games that were played elsewhere.

use std::fmt;

/// The games of a file in its order, each as its moves from the start, as they are written.
pub type RecordedGames = Vec<Vec<String>>;

/// A format that a game can read records of.
#[derive(Clone, Copy)]
pub struct RecordFormat {
    /// The name in manifests: `wthor`.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Reads the bytes of a file. Forced moves that the game's transcripts leave out may be left out; whether the
    /// moves are legal is not checked. What is wrong with a file is said in words.
    pub read: fn(&[u8]) -> Result<RecordedGames, String>,
}

impl fmt::Debug for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordFormat").field("name", &self.name).finish_non_exhaustive()
    }
}
