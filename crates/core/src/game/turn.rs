use std::fmt;

/// A player of a game, counted from 0. Player 0 moves first in two-player games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u8);

impl Player {
    /// The first player to move, and the only player of a solitaire.
    pub const FIRST: Self = Self(0);
    /// The other player of a two-player game.
    pub const SECOND: Self = Self(1);

    /// The player with this number, counted from 0.
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The number of this player, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The opponent in a two-player game.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Player;
    /// assert_eq!(Player::FIRST.other(), Player::SECOND);
    /// assert_eq!(Player::SECOND.other(), Player::FIRST);
    /// ```
    #[must_use]
    pub const fn other(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Display for Player {
    /// Writes the number counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0 + 1)
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A player chooses among the game's moves.
    Player(Player),
    /// Chance chooses among the game's outcomes, by their weights.
    Chance,
    /// The game is over.
    Over,
}

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
        self as u32
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
