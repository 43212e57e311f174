//! How a position becomes the inputs of a network.

use std::sync::Arc;

use super::network::{Network, Scratch};
use crate::game::tuples::{Board, MOST_SQUARES};
use crate::game::{Features, Game, Player};

/// How squares become inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squares {
    /// Three inputs a square, one of which is 1: the player's, the other's, nobody's.
    OneHot,
    /// Two inputs a square: 1 and 0 the player's, 0 and 1 the other's, 0 and 0 nobody's.
    Bits,
}

impl Squares {
    /// Both, with their names in manifests and files.
    pub const ALL: [(&'static str, Self); 2] = [("one-hot", Self::OneHot), ("bits", Self::Bits)];

    /// The name in manifests and files.
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    const fn each(self) -> usize {
        match self {
            Self::OneHot => 3,
            Self::Bits => 2,
        }
    }

    /// The input of a square that is 1, by its owner: 0 the other, 1 nobody, 2 the player.
    fn one(self, owner: u8) -> Option<u16> {
        match (self, owner) {
            (_, 2) => Some(0),
            (_, 0) => Some(1),
            (Self::OneHot, _) => Some(2),
            (Self::Bits, _) => None,
        }
    }
}

/// The inputs of a network for a game, as a player sees a position.
///
/// # Example: the squares of Othello
/// ```
/// use shikou::game::{Game, NamedGame, Player};
/// use shikou::games::othello::Othello;
/// use shikou::learn::{Input, Squares};
/// let game = Othello::default();
/// let input = Input::squares(&game, game.entries().board.unwrap(), Squares::OneHot);
/// assert_eq!(input.width(), 192);
/// let mut numbers = Vec::new();
/// input.numbers(&game, &game.start(), Player::FIRST, &mut numbers);
/// assert_eq!(numbers[..3], [0.0, 0.0, 1.0]); // a1 is nobody's
/// assert_eq!(numbers[3 * 28..3 * 29], [1.0, 0.0, 0.0]); // e4 is black's
/// ```
#[derive(Clone)]
pub struct Input<G> {
    pub(super) source: Source<G>,
    width: usize,
}

#[derive(Clone)]
pub(super) enum Source<G> {
    Squares(Arc<dyn Board<G>>, Squares, usize),
    Features(Arc<dyn Features<G>>),
}

impl<G: Game> Input<G> {
    /// The squares of a board, row by row.
    ///
    /// # Panics
    /// If the board has more than [`MOST_SQUARES`] squares.
    pub fn squares(game: &G, board: Arc<dyn Board<G>>, squares: Squares) -> Self {
        let (rows, columns) = board.size(game);
        let count = rows * columns;
        assert!(count <= MOST_SQUARES, "a board has at most {MOST_SQUARES} squares");
        Self { source: Source::Squares(board, squares, count), width: count * squares.each() }
    }

    /// Features, as they are.
    pub fn features(game: &G, features: Arc<dyn Features<G>>) -> Self {
        let width = features.names(game).len();
        Self { source: Source::Features(features), width }
    }

    /// The number of inputs.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The largest absolute value of an input; `None` if the features state none.
    pub fn largest(&self, game: &G) -> Option<f64> {
        match &self.source {
            Source::Squares(..) => Some(1.0),
            Source::Features(features) => features.largest(game).map(f64::from),
        }
    }

    /// Appends the inputs of a position.
    pub fn numbers(&self, game: &G, position: &G::Position, player: Player, numbers: &mut Vec<f32>) {
        let mut inputs = Inputs::default();
        self.append(game, position, player, &mut inputs);
        inputs.numbers(0, self.width, numbers);
    }

    /// Appends the inputs of a position to those of others.
    pub(super) fn append(&self, game: &G, position: &G::Position, player: Player, inputs: &mut Inputs) {
        match &self.source {
            Source::Squares(board, squares, count) => {
                let mut owners = [1; MOST_SQUARES];
                board.owners(game, position, player, &mut owners[..*count]);
                let ones = owners[..*count].iter().enumerate().filter_map(|(square, &owner)| {
                    squares.one(owner).map(|one| (square * squares.each()) as u16 + one)
                });
                inputs.ones.extend(ones);
                inputs.ends.push(inputs.ones.len());
            }
            Source::Features(features) => {
                let mut values = vec![0; self.width];
                features.values(game, position, player, &mut values);
                inputs.numbers.extend(values.into_iter().map(|value| value as f32));
                inputs.ends.push(0);
            }
        }
    }
}

/// The inputs of a network at some positions: numbers, or where all are 0 or 1 the places of the ones.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    numbers: Vec<f32>,
    ones: Vec<u16>,
    /// Where the ones of each position end.
    ends: Vec<usize>,
}

impl Inputs {
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.ones.clear();
        self.ends.clear();
    }

    fn ones(&self, number: usize) -> &[u16] {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ones[begin..self.ends[number]]
    }

    /// Appends the inputs of a position, of which there are `width`.
    pub fn numbers(&self, number: usize, width: usize, numbers: &mut Vec<f32>) {
        if !self.numbers.is_empty() {
            return numbers.extend_from_slice(&self.numbers[number * width..][..width]);
        }
        let begin = numbers.len();
        numbers.resize(begin + width, 0.0);
        for &one in self.ones(number) {
            numbers[begin + usize::from(one)] = 1.0;
        }
    }

    pub(super) fn values(&self, network: &Network, scratch: &mut Scratch, values: &mut Vec<f32>) {
        if self.numbers.is_empty() {
            let each = (0..self.ends.len()).map(|number| self.ones(number));
            network.values_of_ones(each, scratch, values);
        } else {
            network.values(&self.numbers, scratch, values);
        }
    }
}
