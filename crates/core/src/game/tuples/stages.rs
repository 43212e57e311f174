//! Evaluations by the stage of a game.

use std::sync::Arc;

use super::{Board, MOST_SQUARES, Tuples};
use crate::game::{Evaluation, EvaluationFacts, Game, Player};

/// The most stages of a game.
pub const MOST_STAGES: usize = 64;

/// The stage of a position, by the owners of its squares: equal ranges of the number of squares with an owner.
///
/// # Example: 64 squares in four stages
/// ```
/// use shikou::game::tuples::stage_of;
/// let with = |owned: usize| [vec![2; owned], vec![1; 64 - owned]].concat();
/// assert_eq!([0, 16, 17, 32, 33, 48, 49, 64].map(|owned| stage_of(&with(owned), 4)), [0, 0, 1, 1, 2, 2, 3, 3]);
/// ```
pub fn stage_of(owners: &[u8], stages: usize) -> usize {
    let owned = owners.iter().filter(|&&owner| owner != 1).count();
    owned * stages / (owners.len() + 1)
}

/// Evaluations by n-tuples, one for each stage of a game.
#[derive(Clone)]
pub struct Stages<G> {
    board: Arc<dyn Board<G>>,
    squares: usize,
    each: Vec<Tuples<G>>,
}

impl<G: Game> Stages<G> {
    /// The evaluation by these, the first of which is for the first stage.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(game: &G, board: Arc<dyn Board<G>>, each: Vec<Tuples<G>>) -> Self {
        assert!(!each.is_empty(), "a game has a stage");
        let (rows, columns) = board.size(game);
        Self { board, squares: rows * columns, each }
    }
}

impl<G: Game> Evaluation<G> for Stages<G> {
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        let mut owners = [1; MOST_SQUARES];
        let owners = &mut owners[..self.squares];
        self.board.owners(game, position, player, owners);
        self.each[stage_of(owners, self.each.len())].evaluate(game, position, player)
    }

    fn facts(&self) -> EvaluationFacts {
        let largest =
            self.each.iter().map(|tuples| tuples.facts().largest).max().expect("a game has a stage");
        EvaluationFacts { largest, ..self.each[0].facts() }
    }
}
