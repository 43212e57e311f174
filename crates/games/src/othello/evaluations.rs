use super::board::legal_moves;
use super::children::{OfDiscs, Shared, each_child};
use super::{Othello, Position, Reward};
use crate::game::{ChildSum, ChildValues, Evaluation, EvaluationFacts, Found, Game, Player, View};

/// The disc difference, without empty squares. −64 to 64.
///
/// If the payoff is the score, the value of a finished position is its payoff, in the same unit; otherwise the outcome
/// outweighs every estimate, as by default.
///
/// # Example
/// ```
/// use shikou::game::{Evaluation, Game, GameExt, Player};
/// use shikou::games::othello::{Discs, Othello};
/// let game = Othello::default();
/// let position = game.follow("f5").unwrap();
/// assert_eq!(Discs.evaluate(&game, &position, Player::FIRST), 3);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Discs;

impl Evaluation<Othello> for Discs {
    fn evaluate(&self, _game: &Othello, position: &Position, player: Player) -> i64 {
        i64::from(position.disc_difference(player))
    }

    fn each_child(&self, game: &Othello, position: &Position, wanted: ChildValues, found: Found<'_>) {
        let of_payoff = worth_of_payoff(game);
        each_valued_child((game, position), wanted, (&ALIKE, of_payoff), found);
    }

    fn finished(&self, game: &Othello, position: &Position, player: Player) -> i64 {
        i64::from(game.payoff(position, player)) * worth_of_payoff(game)
    }

    fn range(&self, game: &Othello) -> (i64, i64) {
        let squares = i64::from(game.size()).pow(2);
        match game.reward() {
            Reward::Success => (-1 << 20, 1 << 20),
            Reward::Score => (-squares, squares),
        }
    }
}

/// All squares count 1.
const ALIKE: Shared<'_> = Shared { weights: &[1], masks: &[!0] };

/// The value of a payoff of 1 for [`Discs`].
fn worth_of_payoff(game: &Othello) -> i64 {
    match game.reward() {
        Reward::Success => 1 << 20,
        Reward::Score => 1,
    }
}

/// Shows the value of each child to `found`, by a function of the discs and the value of a payoff of 1.
fn each_valued_child(
    at: (&Othello, &Position),
    wanted: ChildValues,
    (value, of_payoff): (&impl OfDiscs, i64),
    found: Found<'_>,
) {
    each_child(at, wanted, value, &mut |child| {
        found(match child {
            ChildSum::Sum(sum) => sum,
            ChildSum::Payoff(payoff) => i64::from(payoff) * of_payoff,
        })
    });
}

/// The weighted piece counter, the standard opponent of about fifteen papers: the weights of the player's discs minus
/// those of the opponent's. In hundredths: −876 to 876 on 8×8.
///
/// The distances of a square from the nearest edges determine its weight, so that a corner counts 100 and the square
/// diagonally next to it −25 on every board. The weights are for 8×8; 6×6 and 4×4 use a corner of the table, without the
/// weights of the centre.
///
/// # References
/// S. M. Lucas, T. P. Runarsson, *Temporal difference learning versus co-evolution for acquiring Othello
/// position evaluation*, IEEE Symposium on Computational Intelligence and Games, 2006.
///
/// # Example: a corner
/// ```
/// use shikou::game::{Evaluation, Player};
/// use shikou::games::othello::{Othello, Weights};
/// let game = Othello::default();
/// let board = format!("XO{} X", "-".repeat(62));
/// let position = game.parse_board(&board).unwrap();
/// assert_eq!(Weights.evaluate(&game, &position, Player::FIRST), 125);
/// assert_eq!(Weights.evaluate(&game, &position, Player::SECOND), -125);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Weights;

/// For the sizes 4, 6, 8: the squares with each of some values, all that are in the quadrant. The distances of row and file from the
/// nearest edge are the place of a square in the quadrant.
const fn masks<const N: usize>(quadrant: [[i64; 4]; 4], values: [i64; N]) -> [[u64; N]; 3] {
    const fn from_edge(place: usize, size: usize) -> usize {
        if 2 * place < size { place } else { size - 1 - place }
    }
    let mut masks = [[0; N]; 3];
    let mut square = 0;
    while square < 3 * 64 {
        let (size, row, file) = (4 + square / 64 * 2, square / 8 % 8, square % 8);
        if row < size && file < size {
            let weight = quadrant[from_edge(row, size)][from_edge(file, size)];
            let mut value = 0;
            while values[value] != weight {
                value += 1;
            }
            masks[square / 64][value] |= 1 << (square % 64);
        }
        square += 1;
    }
    masks
}

/// Handmade square weights, in tenths: corners 10, the squares beside them −6, diagonally next to them −8.
///
/// As with [`Weights`], the distances from the nearest edges determine the weight of a square.
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

/// An evaluation by weights of squares, grouped by value, so that a sum takes few bit counts. The first table has the weights by the
/// distances of row and file from the nearest edge, the second those that differ.
macro_rules! evaluates {
    ($weights:ty, $quadrant:expr, $values:expr) => {
        impl $weights {
            /// The weights on the board of the game.
            fn shared(game: &Othello) -> Shared<'static> {
                const VALUES: &[i64] = &$values;
                const MASKS: [[u64; VALUES.len()]; 3] = masks($quadrant, $values);
                Shared { weights: VALUES, masks: &MASKS[usize::from(game.size() / 2 - 2)] }
            }
        }

        impl Evaluation<Othello> for $weights {
            fn evaluate(&self, game: &Othello, position: &Position, player: Player) -> i64 {
                Self::shared(game).difference(position.discs(player), position.discs(player.other()))
            }

            fn each_child(&self, game: &Othello, position: &Position, wanted: ChildValues, found: Found<'_>) {
                let of_payoff = self.facts().largest + 1;
                each_valued_child((game, position), wanted, (&Self::shared(game), of_payoff), found);
            }
        }
    };
}

evaluates!(
    Weights,
    [[100, -25, 10, 5], [-25, -25, 1, 1], [10, 1, 5, 2], [5, 1, 2, 1]],
    [100, -25, 10, 5, 2, 1]
);
evaluates!(Hand, [[10, -6, 6, 4], [-6, -8, 0, 0], [6, 0, 8, 6], [4, 0, 6, 0]], [10, -6, 6, 4, -8, 8, 0]);

/// The number of squares on which the player could put a disc minus that of the opponent, at either player's turn. −64
/// to 64.
///
/// # Cost
/// One search for the opponent's moves, about half the cost of a move.
///
/// # Example
/// ```
/// use shikou::game::{Evaluation, Game, GameExt, Player};
/// use shikou::games::othello::{Mobility, Othello};
/// let game = Othello::default();
/// let position = game.follow("f5").unwrap();
/// // White can choose f4, d6, f6; black, at black's turn, c3, c4 and c5.
/// assert_eq!(Mobility.evaluate(&game, &position, Player::SECOND), 0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl Evaluation<Othello> for Mobility {
    fn evaluate(&self, game: &Othello, position: &Position, player: Player) -> i64 {
        let count = |player| i64::from(could_play(game, position, player));
        count(player) - count(player.other())
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(of: &dyn Evaluation<Othello>, game: &Othello, square: u64) -> i64 {
        let position =
            Position { mine: 1 << square, theirs: 0, moves: 0, to_move: Player::FIRST, over: true };
        of.evaluate(game, &position, Player::FIRST)
    }

    /// The tables of the paper and of the other source, row by row.
    #[test]
    fn the_weights_are_the_published_ones() {
        let game = Othello::default();
        let row =
            |of: &dyn Evaluation<_>, y: u64| (0..8).map(|x| weight(of, &game, 8 * y + x)).collect::<Vec<_>>();
        let expected = [
            [100, -25, 10, 5, 5, 10, -25, 100],
            [-25, -25, 1, 1, 1, 1, -25, -25],
            [10, 1, 5, 2, 2, 5, 1, 10],
            [5, 1, 2, 1, 1, 2, 1, 5],
        ];
        let by_hand = [
            [10, -6, 6, 4, 4, 6, -6, 10],
            [-6, -8, 0, 0, 0, 0, -8, -6],
            [6, 0, 8, 6, 6, 8, 0, 6],
            [4, 0, 6, 0, 0, 6, 0, 4],
        ];
        for y in 0..8 {
            let at = y.min(7 - y) as usize;
            assert_eq!(row(&Weights, y), expected[at], "row {}", y + 1);
            assert_eq!(row(&Hand, y), by_hand[at], "row {}", y + 1);
        }
    }

    #[test]
    fn smaller_boards_keep_the_corner_of_the_table() {
        let row = |size, y: u64| -> Vec<i64> {
            let game = Othello::new(size);
            (0..size).map(|x| weight(&Weights, &game, 8 * y + u64::from(x))).collect()
        };
        assert_eq!(row(6, 0), [100, -25, 10, 10, -25, 100]);
        assert_eq!(row(6, 3), [10, 1, 5, 5, 1, 10]);
        assert_eq!(row(4, 1), [-25; 4]);
    }

    #[test]
    fn finished_positions_are_worth_their_payoff() {
        let board = format!("{}{} X", "X".repeat(40), "-".repeat(24));
        let success = Othello::default();
        let position = success.parse_board(&board).unwrap();
        assert_eq!(Discs.finished(&success, &position, Player::SECOND), -1 << 20);
        let score = success.with_reward_score();
        assert_eq!(Discs.finished(&score, &position, Player::SECOND), -40);
        let tournament = score.with_empties_to_winner();
        assert_eq!(Discs.finished(&tournament, &position, Player::SECOND), -64);
        assert_eq!(Mobility.finished(&success, &position, Player::FIRST), 1 << 20);
    }
}
