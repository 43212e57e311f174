//! Boards on which a function names the owner of each square.

use super::tuples::Board;
use super::{Game, Player};

/// A symmetry of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Every square stays.
    Same,
    /// Left and right change places.
    Mirror,
    /// Top and bottom change places.
    Flip,
    /// Half a turn.
    HalfTurn,
    /// Rows become columns; only of a square board, like the three below.
    Transpose,
    /// Rows become columns about the other diagonal.
    AntiTranspose,
    /// A quarter of a turn.
    QuarterTurn,
    /// A quarter of a turn the other way.
    QuarterBack,
}

impl Symmetry {
    /// All symmetries; those of a board that is not square are the first four.
    pub const ALL: [Self; 8] = [
        Self::Same,
        Self::Mirror,
        Self::Flip,
        Self::HalfTurn,
        Self::Transpose,
        Self::AntiTranspose,
        Self::QuarterTurn,
        Self::QuarterBack,
    ];

    /// For each square, row by row, the square that takes its place; `None` if the symmetry does not fit the board.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Symmetry;
    /// assert_eq!(Symmetry::Flip.of(3, 2).unwrap(), [4, 5, 2, 3, 0, 1]);
    /// assert_eq!(Symmetry::Transpose.of(2, 2).unwrap(), [0, 2, 1, 3]);
    /// assert_eq!(Symmetry::Transpose.of(3, 2), None);
    /// ```
    pub fn of(self, rows: usize, columns: usize) -> Option<Vec<usize>> {
        let turns =
            matches!(self, Self::Transpose | Self::AntiTranspose | Self::QuarterTurn | Self::QuarterBack);
        let flips = matches!(self, Self::Flip | Self::HalfTurn | Self::AntiTranspose | Self::QuarterTurn);
        let mirrors = matches!(self, Self::Mirror | Self::HalfTurn | Self::AntiTranspose | Self::QuarterBack);
        let image = |square: usize| {
            let (row, column) = (square / columns, square % columns);
            let (row, column) = if turns { (column, row) } else { (row, column) };
            let row = if flips { rows - 1 - row } else { row };
            columns * row + if mirrors { columns - 1 - column } else { column }
        };
        (!turns || rows == columns).then(|| (0..rows * columns).map(image).collect())
    }
}

/// A [`Board`] made from a function that names the owner of each square.
///
/// # Example
/// ```
/// use shikou::game::tuples::Board;
/// use shikou::game::{Game, GameExt, NamedGame, PlainBoard, Player, Symmetry};
/// use shikou::games::breakthrough::{Breakthrough, Pieces};
/// use shikou::games::tic_tac_toe::{Position, TicTacToe};
/// let players = [Player::FIRST, Player::SECOND];
/// let owner = move |position: &Position, square: usize| {
///     players.into_iter().find(|&player| position.marks(player) >> square & 1 == 1)
/// };
/// let board = PlainBoard::new(3, 3, owner).alike_by(&Symmetry::ALL);
/// let mut owners = [1; 9];
/// board.owners(&TicTacToe, &TicTacToe.follow("b2 a1").unwrap(), Player::FIRST, &mut owners);
/// assert_eq!(owners, [0, 1, 1, 1, 2, 1, 1, 1, 1]);
///
/// // Where the players go in opposite directions, the board is exchanged by a flip: each sees the own pieces at the top.
/// let game = Breakthrough::new(4, 2, Pieces::Pawns, false)?;
/// let board = game.entries().board.unwrap();
/// for player in players {
///     board.owners(&game, &game.start(), player, &mut owners[..8]);
///     assert_eq!(owners[..8], [2, 2, 2, 2, 0, 0, 0, 0]);
/// }
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlainBoard<F> {
    size: (usize, usize),
    symmetries: Vec<Vec<usize>>,
    exchange: Option<Vec<usize>>,
    owner: F,
}

impl<F> PlainBoard<F> {
    /// A board of so many rows and columns, together at most [`MOST_SQUARES`](super::tuples::MOST_SQUARES) squares. The function names the owner of a square of a
    /// position; the squares are counted from 0, row by row.
    pub fn new<P>(rows: usize, columns: usize, owner: F) -> Self
    where
        F: Fn(&P, usize) -> Option<Player>,
    {
        let symmetries = vec![(0..rows * columns).collect()];
        Self { size: (rows, columns), symmetries, exchange: None, owner }
    }

    /// The same board, on which squares that these symmetries put in each other's place are worth the same. Symmetries that do not
    /// fit the size are left out, so [`Symmetry::ALL`] are those of any rectangle.
    #[must_use]
    pub fn alike_by(mut self, symmetries: &[Symmetry]) -> Self {
        let (rows, columns) = self.size;
        let others = symmetries.iter().filter(|&&symmetry| symmetry != Symmetry::Same);
        self.symmetries.extend(others.filter_map(|symmetry| symmetry.of(rows, columns)));
        self
    }

    /// The same board for players who move in different directions or have different sides: the second player sees it by this
    /// symmetry, which puts their squares where the first player's are.
    ///
    /// # Panics
    /// If the symmetry does not fit the size of the board.
    #[must_use]
    pub fn exchanged_by(mut self, symmetry: Symmetry) -> Self {
        let (rows, columns) = self.size;
        self.exchange = Some(symmetry.of(rows, columns).expect("only a square board can be transposed"));
        self
    }
}

impl<G: Game, F: Fn(&G::Position, usize) -> Option<Player> + Send + Sync> Board<G> for PlainBoard<F> {
    fn size(&self, _game: &G) -> (usize, usize) {
        self.size
    }

    fn owners(&self, _game: &G, position: &G::Position, player: Player, owners: &mut [u8]) {
        let exchange = self.exchange.as_ref().filter(|_| player == Player::SECOND);
        for (square, seen) in owners.iter_mut().enumerate() {
            let square = exchange.map_or(square, |exchange| exchange[square]);
            *seen = match (self.owner)(position, square) {
                None => 1,
                Some(owner) => 2 * u8::from(owner == player),
            };
        }
    }

    fn symmetries(&self, _game: &G) -> Vec<Vec<usize>> {
        self.symmetries.clone()
    }

    fn exchange(&self, _game: &G) -> Option<Vec<usize>> {
        self.exchange.clone()
    }
}
