use super::board::legal_moves;
use super::children::Shared;
use super::evaluations::masks;
use super::{Othello, Position};
use crate::game::{Evaluation, EvaluationFacts, Player, View};

/// The number of legal squares of the player to move; negated for the other player.
///
/// Two greedy players use it. At depth 1 the player leaves the opponent the fewest moves. At depth 2 it has the most
/// moves after the opponent's reply, in the mean over the replies. A pass does not count.
///
/// # Example
/// ```
/// use shikou::game::{Evaluation, GameExt, Player};
/// use shikou::games::othello::{Choices, Othello};
/// let game = Othello::default();
/// let position = game.follow("f5").unwrap(); // white may choose f4, d6, f6
/// assert_eq!(Choices.evaluate(&game, &position, Player::SECOND), 3);
/// assert_eq!(Choices.evaluate(&game, &position, Player::FIRST), -3);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Choices;

impl Evaluation<Othello> for Choices {
    fn evaluate(&self, _game: &Othello, position: &Position, player: Player) -> i64 {
        let choices = i64::from(position.moves().count_ones());
        if player == position.to_move() { choices } else { -choices }
    }
}

/// The squares on which a player could put a disc, whoever's turn it is.
fn could_play(game: &Othello, position: &Position, player: Player) -> u32 {
    let squares = if player == position.to_move() {
        position.moves()
    } else {
        legal_moves(position.discs(player), position.discs(player.other())) & game.playable()
    };
    squares.count_ones()
}

/// The number of squares on which the player could put a disc, at either player's turn. 0 to 64, seen by one player: the
/// values for the two do not add up to 0.
///
/// At depth 2 a greedy player has the most moves after the opponent's reply.
///
/// # Example
/// ```
/// use shikou::game::{Evaluation, GameExt, Player};
/// use shikou::games::othello::{Othello, OwnMoves};
/// let game = Othello::default();
/// let position = game.follow("f5").unwrap();
/// assert_eq!(OwnMoves.evaluate(&game, &position, Player::FIRST), 3); // c3, c4, c5
/// assert_eq!(OwnMoves.evaluate(&game, &position, Player::SECOND), 3); // f4, d6, f6
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnMoves;

impl Evaluation<Othello> for OwnMoves {
    fn evaluate(&self, game: &Othello, position: &Position, player: Player) -> i64 {
        could_play(game, position, player).into()
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts { view: View::Mover, ..EvaluationFacts::default() }
    }
}

/// 1 / (the opponent's moves + 1), in millionths, seen by one player. A greedy player leaves the opponent the fewest
/// moves.
///
/// # Example
/// ```
/// use shikou::game::{Evaluation, GameExt, Player};
/// use shikou::games::othello::{Freedom, Othello};
/// let game = Othello::default();
/// let position = game.follow("f5").unwrap(); // white may choose f4, d6, f6
/// assert_eq!(Freedom.evaluate(&game, &position, Player::FIRST), 250_000);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Freedom;

/// The value of [`Freedom`] if the opponent has no move.
const FREE: i64 = 1_000_000;

impl Evaluation<Othello> for Freedom {
    fn evaluate(&self, game: &Othello, position: &Position, player: Player) -> i64 {
        let parts = i64::from(could_play(game, position, player.other())) + 1;
        (FREE + parts / 2) / parts
    }

    fn facts(&self) -> EvaluationFacts {
        let unit = 1.0 / FREE as f64;
        EvaluationFacts { view: View::Mover, unit, largest: FREE, ..EvaluationFacts::default() }
    }
}

/// Handmade square weights, in tenths: corners 10, the squares beside them −6, diagonally next to them −8.
///
/// As with [`Weights`](super::Weights), the distances from the nearest edges determine the weight of a square.
///
/// # Example
/// ```
/// use shikou::game::{Evaluation, Player};
/// use shikou::games::othello::{Hand, Othello};
/// let game = Othello::default();
/// let board = format!("XO{} X", "-".repeat(62));
/// assert_eq!(Hand.evaluate(&game, &game.parse_board(&board).unwrap(), Player::FIRST), 16);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Hand;

impl Hand {
    /// The weights on the board of the game.
    pub(super) fn shared(game: &Othello) -> Shared<'static> {
        /// In tenths, by the distances of row and file from the nearest edge.
        const QUADRANT: [[i64; 4]; 4] = [[10, -6, 6, 4], [-6, -8, 0, 0], [6, 0, 8, 6], [4, 0, 6, 0]];
        const VALUES: [i64; 7] = [10, -6, 6, 4, -8, 8, 0];
        const MASKS: [[u64; 7]; 3] = masks(QUADRANT, VALUES);
        Shared { weights: &VALUES, masks: &MASKS[usize::from(game.size() / 2 - 2)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the source, row by row.
    #[test]
    fn the_weights_are_those_of_the_source() {
        let game = Othello::default();
        let weight = |square: u64| {
            let position =
                Position { mine: 1 << square, theirs: 0, moves: 0, to_move: Player::FIRST, over: true };
            Hand.evaluate(&game, &position, Player::FIRST)
        };
        let expected = [
            [10, -6, 6, 4, 4, 6, -6, 10],
            [-6, -8, 0, 0, 0, 0, -8, -6],
            [6, 0, 8, 6, 6, 8, 0, 6],
            [4, 0, 6, 0, 0, 6, 0, 4],
        ];
        for square in 0..64 {
            let row = (square / 8).min(7 - square / 8) as usize;
            assert_eq!(weight(square), expected[row][square as usize % 8]);
        }
    }
}
