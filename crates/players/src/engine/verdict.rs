//! How the games of an engine end, and why.

use std::fmt;

/// How a game of an engine ended.
///
/// The order of judging is that of match runners: a game that was interrupted has no result; then an engine that is gone, that
/// does not answer, that is late, whose answer is illegal or unreadable, and at last one whose answer was legal but late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// By the rules of the game.
    Finished,
    /// The engine gave the game up, as GTP lets it.
    Resigned,
    /// The engine chose a move that is not legal.
    Illegal,
    /// The engine exceeded its time.
    Timeout,
    /// The engine does not answer.
    Stall,
    /// The engine ended, or was never there.
    Crash,
    /// The engine's answer is no answer of its protocol.
    Protocol,
    /// The match was stopped.
    Interrupted,
    /// The system could not start it: this is no result.
    System,
}

impl Verdict {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Resigned => "resigned",
            Self::Illegal => "illegal",
            Self::Timeout => "timeout",
            Self::Stall => "stall",
            Self::Crash => "crash",
            Self::Protocol => "protocol",
            Self::Interrupted => "interrupted",
            Self::System => "system",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why an engine lost its game, or why it did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{verdict}: {reason}")]
pub struct Failure {
    /// The kind.
    pub verdict: Verdict,
    /// The reason.
    pub reason: String,
    /// The last lines of the engine's standard error.
    pub last_words: Vec<String>,
}
