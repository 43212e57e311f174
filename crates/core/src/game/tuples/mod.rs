//! N-tuple evaluations: sums of weights that are looked up by the owners of a few squares.
//!
//! A *table* has a weight for each way in which its squares can be owned, and some *places*: the squares of the board
//! that it is looked up for, usually all that are alike by the symmetries of the board (Lucas 2007, "Learning to play
//! Othello with n-tuple systems").

mod effects;
mod league;
mod shapes;

use std::sync::Arc;

pub use self::effects::{SquareEffects, square_effects};
pub use self::league::{LeagueError, read_league};
pub use self::shapes::{ShapeError, tables_of_shapes};
use super::evaluation::each_made_child;
use super::linear::in_units;
use super::{
    ChildSum, ChildValues, Evaluation, EvaluationFacts, Found, Game, Player, RangeError, View, WeightedSum,
    made_sum,
};

/// The most squares of a board.
pub const MOST_SQUARES: usize = 256;

/// The squares of a board game, for n-tuples; [`PlainBoard`](crate::game::PlainBoard) makes one from a function.
///
/// # Laws
/// - `owners` depends on the position and the player only; a square that one player owns is the other's for the other
///   player, who may see it at another place: `exchange` states which.
/// - The pieces of both players, each as their owner sees the board, move in the same directions, if some exchange makes that so.
/// - `each_change` shows the differences between the owners before a move and after it.
/// - Each symmetry is a permutation of the squares.
pub trait Board<G: Game>: Send + Sync {
    /// The rows and the columns, together at most [`MOST_SQUARES`] squares.
    fn size(&self, game: &G) -> (usize, usize);

    /// Writes the owner of each square, row by row: 0 the opponent of `player`, 1 nobody, 2 `player`.
    fn owners(&self, game: &G, position: &G::Position, player: Player, owners: &mut [u8]);

    /// Shows, for each move in order, the squares whose owner for `player` it changes. By default each move is made.
    fn each_change(
        &self,
        game: &G,
        position: &G::Position,
        player: Player,
        found: &mut dyn FnMut(&[SquareChange]),
    ) {
        let (rows, columns) = self.size(game);
        let squares = rows * columns;
        let (mut before, mut after) = ([1; MOST_SQUARES], [1; MOST_SQUARES]);
        self.owners(game, position, player, &mut before[..squares]);
        let mut changes = [SquareChange { square: 0, by: 0 }; MOST_SQUARES];
        for mv in game.moves(position) {
            let mut behind = *position;
            game.apply(&mut behind, mv);
            self.owners(game, &behind, player, &mut after[..squares]);
            let mut count = 0;
            for (square, (before, after)) in before.iter().zip(&after).take(squares).enumerate() {
                if before != after {
                    let by = *after as i8 - *before as i8;
                    changes[count] = SquareChange { square: square as u8, by };
                    count += 1;
                }
            }
            found(&changes[..count]);
        }
    }

    /// The symmetries of the board: for each square the square that takes its place.
    fn symmetries(&self, game: &G) -> Vec<Vec<usize>>;

    /// For each square of the second player's view the square of the first player's that it is. `None`, the default, if both players
    /// see the board alike, which is right where exchanging the colours leaves the rules alone. Players who move in opposite
    /// directions, or who have different sides to join, see it turned, so that one function is of both: see
    /// [`PlainBoard::exchanged_by`](crate::game::PlainBoard::exchanged_by).
    fn exchange(&self, _game: &G) -> Option<Vec<usize>> {
        None
    }

    /// The sum for these tables and weights, prepared, for a player whose squares are 2. `None`, the default, if the
    /// general one is no slower.
    fn prepared(
        &self,
        _game: &G,
        _tables: &[TupleTable],
        _weights: &[i64],
    ) -> Option<Arc<dyn WeightedSum<G>>> {
        None
    }
}

/// A square that changes its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareChange {
    /// The number of the square, row by row.
    pub square: u8,
    /// The number of its owner after the change less that before: 0 is the opponent, 1 nobody, 2 the player.
    pub by: i8,
}

/// A table: the places where it is looked up, each a list of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleTable {
    /// The number of squares of each place.
    pub length: usize,
    /// The squares of each place; the first is the most significant digit of an index to base 3.
    pub places: Vec<Vec<usize>>,
}

impl TupleTable {
    /// The number of weights: 3 to the power of the length.
    pub fn weights(&self) -> usize {
        3_usize.pow(self.length as u32)
    }
}

/// How a position is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The function is of the first player's squares and the second's; its value is negated for the second player.
    Negation,
    /// The function is of a player's own squares and the other's, for either player.
    Inversion,
}

impl Seen {
    /// The view of an evaluation that sees positions so.
    pub const fn view(self) -> View {
        match self {
            Self::Negation => View::Antisymmetric,
            Self::Inversion => View::Mover,
        }
    }

    /// The player for whom a position is valued, and whether that value is negated to be the one of `player`.
    #[inline]
    pub fn by(self, player: Player) -> (Player, bool) {
        let is_negated = self == Self::Negation && player == Player::SECOND;
        (if is_negated { Player::FIRST } else { player }, is_negated)
    }
}

/// The names of the weights: the number of the table, and the owners of its squares.
pub fn tuple_names(tables: &[TupleTable]) -> Vec<String> {
    let of_table = |(number, table): (usize, &TupleTable)| {
        let length = table.length;
        (0..table.weights()).map(move |index| {
            let digit = |place: usize| char::from(b'0' + (index / 3_usize.pow(place as u32) % 3) as u8);
            format!("{}:{}", number + 1, (0..length).rev().map(digit).collect::<String>())
        })
    };
    tables.iter().enumerate().flat_map(of_table).collect()
}

/// An evaluation by n-tuples. Weights are rounded once, to multiples of a unit.
///
/// # Example: a weight for each square that the player owns
/// ```
/// use shikou::game::tuples::{Seen, Tuples, tables_of_shapes};
/// use shikou::game::{Evaluation, GameExt, NamedGame, Player};
/// use shikou::games::othello::Othello;
/// let game = Othello::default();
/// let board = game.entries().board.unwrap();
/// let tables = tables_of_shapes(&game, &*board, "all-1").unwrap();
/// let weights: Vec<f64> = tables.iter().flat_map(|_| [-0.5, 0.0, 0.5]).collect();
/// let tuples = Tuples::new(&game, board, &tables, &weights, Seen::Negation, 0.5).unwrap();
/// let position = game.follow("f5").unwrap(); // three discs more
/// assert_eq!(tuples.evaluate(&game, &position, Player::FIRST), 3);
/// assert_eq!(tuples.evaluate(&game, &position, Player::SECOND), -3);
/// ```
#[derive(Clone)]
pub struct Tuples<G> {
    /// For a player whose squares are 2.
    sum: Arc<dyn WeightedSum<G>>,
    seen: Seen,
    unit: f64,
    largest: i64,
}

/// The first weight of a place, and its squares.
type Place = (u32, Vec<u8>);

/// The places of some tables on a board of so many squares, and the largest sum of their weights in units.
fn places(tables: &[TupleTable], weights: &[f64], squares: usize, unit: f64) -> (Vec<Place>, f64) {
    let count: usize = tables.iter().map(TupleTable::weights).sum();
    assert_eq!(weights.len(), count, "a weight for each index");
    let (mut places, mut begin, mut sum) = (Vec::new(), 0, 0.0);
    for table in tables {
        let end = begin + table.weights();
        let largest = weights[begin..end].iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        sum += table.places.len() as f64 * (largest / unit + 0.5);
        for place in &table.places {
            assert!(place.iter().all(|&square| square < squares), "the squares are on the board");
            places.push((begin as u32, place.iter().map(|&square| square as u8).collect()));
        }
        begin = end;
    }
    (places, sum)
}

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

impl<G: Game> Tuples<G> {
    /// The evaluation with the weights of all tables in order; with several [stages](stage_of) those of each, one after the other.
    ///
    /// # Errors
    /// If a value could leave the range.
    ///
    /// # Panics
    /// If there are not as many weights as the tables and some stages need, or a square is not on the board.
    pub fn new(
        game: &G,
        board: Arc<dyn Board<G>>,
        tables: &[TupleTable],
        weights: &[f64],
        seen: Seen,
        unit: f64,
    ) -> Result<Self, RangeError> {
        let (rows, columns) = board.size(game);
        let squares = rows * columns;
        assert!(squares <= MOST_SQUARES, "a board has at most {MOST_SQUARES} squares");
        let (mut sums, mut largest): (Vec<Arc<dyn WeightedSum<G>>>, _) = (Vec::new(), 0);
        let count: usize = tables.iter().map(TupleTable::weights).sum();
        for weights in weights.chunks(count) {
            let (places, sum) = places(tables, weights, squares, unit);
            largest = largest.max(RangeError::check(&game.facts(), sum, unit)?);
            let weights = in_units(weights, unit);
            sums.push(board.prepared(game, tables, &weights).unwrap_or_else(|| {
                let sum = move |owners: &[u8], _: &_, _| sum_of(&places, &weights, owners);
                by_owners(game, board.clone(), squares, Box::new(sum))
            }));
        }
        if sums.len() > 1 {
            let sum = move |owners: &[u8], position: &_, player| {
                sums[stage_of(owners, sums.len())].sum(position, player)
            };
            sums = vec![by_owners(game, board, squares, Box::new(sum))];
        }
        Ok(Self { sum: sums.pop().expect("a game has a stage"), seen, unit, largest })
    }
}

fn sum_of(places: &[Place], weights: &[i64], owners: &[u8]) -> i64 {
    let index = |index, &square: &u8| 3 * index + usize::from(owners[usize::from(square)]);
    places.iter().map(|(begin, place)| weights[*begin as usize + place.iter().fold(0, index)]).sum()
}

/// A sum by the owners of squares, of a position and a player.
type SumOf<G> = dyn Fn(&[u8], &<G as Game>::Position, Player) -> i64 + Send + Sync;

fn by_owners<G: Game>(
    game: &G,
    board: Arc<dyn Board<G>>,
    squares: usize,
    sum: Box<SumOf<G>>,
) -> Arc<dyn WeightedSum<G>> {
    let game = game.clone();
    Arc::new(made_sum(move |position: &G::Position, player| {
        let mut owners = [1; MOST_SQUARES];
        board.owners(&game, position, player, &mut owners[..squares]);
        sum(&owners[..squares], position, player)
    }))
}

impl<G: Game> Evaluation<G> for Tuples<G> {
    #[inline(never)]
    fn evaluate(&self, _game: &G, position: &G::Position, player: Player) -> i64 {
        let (viewer, is_negated) = self.seen.by(player);
        let sum = self.sum.sum(position, viewer);
        if is_negated { -sum } else { sum }
    }

    fn each_child(&self, game: &G, position: &G::Position, wanted: ChildValues, found: Found<'_>) {
        let (player, is_negated) = self.seen.by(wanted.player);
        let finished = |payoff: i32| i64::from(payoff) * (self.largest + 1);
        if is_negated && !game.facts().zero_sum {
            // The payoffs of the two players are no opposites.
            let finished = |child: &G::Position| finished(game.payoff(child, wanted.player));
            let value = |child: &G::Position| -self.sum.sum(child, player);
            return each_made_child(game, position, wanted.ends, &finished, &value, found);
        }
        let wanted = ChildValues { player, ..wanted };
        self.sum.each_child(game, position, wanted, &mut |child| {
            let value = match child {
                ChildSum::Sum(sum) => sum,
                ChildSum::Payoff(payoff) => finished(payoff),
            };
            found(if is_negated { -value } else { value })
        });
    }

    fn facts(&self) -> EvaluationFacts {
        let (view, unit, largest) = (self.seen.view(), self.unit, self.largest);
        EvaluationFacts { view, unit, largest, ..EvaluationFacts::default() }
    }
}
