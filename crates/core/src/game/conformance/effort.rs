/// The number of random games, positions and draws that a check examines, and their seed.
///
/// The defaults take well under a second for a fast game. A check misses a fault that shows in one of two hundred
/// positions about once in a hundred runs; rarer faults need more games.
///
/// # Example: more games, with another seed
/// ```
/// use shikou::game::conformance::{Effort, check_with};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let effort = Effort { games: 500, seed: 7, ..Effort::default() };
/// assert!(check_with(&TicTacToe, effort).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of random games from the start, with uniform moves and weighted outcomes. Default 200.
    pub games: u32,
    /// The number of positions of these games, besides the last one of each: the same number from each game, its plies
    /// with equal probability. Default 1000.
    pub positions: u32,
    /// The number of draws for which `random_move`, `random_outcome` and each policy's `choose` are checked at a position.
    /// Default 16.
    pub draws: u32,
    /// The number of moves that a policy chooses for a test of its distribution. Default 2000.
    pub choices: u32,
    /// The number of positions at which distributions and batches of playouts are tested. Default 40.
    pub spots: u32,
    /// The largest batch of playouts. Default 67, which is not a multiple of any number of lanes.
    pub playouts: u32,
    /// The number of moves of a position that are examined: if there are more, half from the front and half from the end.
    /// Default 256; memory and time grow with its square.
    pub width: u32,
    /// The number of plies after which a game counts as endless, unless its facts state a larger bound. Default 10 000.
    pub longest: u32,
    /// The seed. Default 0.
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
