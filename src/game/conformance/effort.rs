//! How much a check examines.

/// How many games, positions and draws a check examines, and which random ones.
///
/// The defaults take well under a second for a quick game. A fault that shows in one position of two hundred is
/// missed about once in a hundred times; rarer ones want more games.
///
/// # Example: more games, and others
/// ```
/// use shikou::game::conformance::{Effort, check_with};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let effort = Effort { games: 500, seed: 7, ..Effort::default() };
/// assert!(check_with(&TicTacToe, effort).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many random games are played from the start, with uniform moves and weighted outcomes. Default 200.
    pub games: u32,
    /// How many positions of these games are examined, besides the last one of each: the same number from
    /// each game, any of its plies as likely. Default 1000.
    pub positions: u32,
    /// How often `random_move`, `random_outcome` and each policy's `choose` are held against the rule at a
    /// position. Default 16.
    pub draws: u32,
    /// How many moves a policy chooses at a position where their distribution is tested. Default 2000.
    pub choices: u32,
    /// At how many positions distributions are tested, and batches played out. Default 40.
    pub spots: u32,
    /// The largest batch of playouts. Default 67: no multiple of any number of lanes.
    pub playouts: u32,
    /// How many moves of a position are examined: where there are more, half of these from the front and half
    /// from the end. Default 256; memory and time grow with its square.
    pub width: u32,
    /// After how many plies a game is given up as endless, unless its facts state a larger bound.
    /// Default 10 000.
    pub longest: u32,
    /// The seed of all that is random here. Default 0.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            games: 200,
            positions: 1000,
            draws: 16,
            choices: 2000,
            spots: 40,
            playouts: 67,
            width: 256,
            longest: 10_000,
            seed: 0,
        }
    }
}
