//! The outcome of a game for one player.

use std::fmt;

/// The outcome of a finished game for a player. A solitaire is won or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Lost, or not solved.
    Loss,
    /// Neither won nor lost.
    Draw,
    /// Won, or solved.
    Win,
}

impl Outcome {
    /// The points of the outcome in halves: loss 0, draw 1, win 2.
    pub const fn half_points(self) -> u32 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// The outcome for the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl Outcome {
    /// The word: `loss`, `draw`, `win`.
    pub const fn to_str(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }

    /// Reads the word of an outcome.
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        [Self::Loss, Self::Draw, Self::Win].into_iter().find(|outcome| outcome.to_str().as_bytes() == text)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_str())
    }
}
