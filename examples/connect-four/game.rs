//! Connect Four, as an example of adding your own game: seven columns, six rows, four in a line wins.
//!
//! A board is one number: each column has seven bits, from the bottom up, and the top bit is always 0. So shifts find a
//! line of four, and no line runs from one column into the next.

use std::sync::Arc;

use shikou::game::options::{OptionError, Options};
use shikou::game::{Entries, Facts, Game, NamedGame, PlainBoard, Player, Symmetry, Turn};

/// The rules. They have no options, so the struct is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ConnectFour;

/// What the players see: the stones of both players, and whose turn it is. Small and `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The stones of the player to move.
    mine: u64,
    /// The stones of the other.
    theirs: u64,
    to_move: Player,
}

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;

/// The bit of a square.
fn square(column: u8, row: u8) -> u64 {
    1 << (column * 7 + row)
}

/// Whether some stones hold four in a line: up, along a row, or along a diagonal.
fn has_four(stones: u64) -> bool {
    [1, 7, 6, 8].into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Game for ConnectFour {
    type Position = Board;
    /// The column, from 0.
    type Move = u8;

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(42)
    }

    fn start(&self) -> Board {
        Board { mine: 0, theirs: 0, to_move: Player::FIRST }
    }

    fn turn(&self, board: &Board) -> Turn {
        if self.moves(board).next().is_some() { Turn::Player(board.to_move) } else { Turn::Over }
    }

    fn moves(&self, board: &Board) -> impl Iterator<Item = u8> {
        // Only the last player to move can have won; then the game is over.
        let won = has_four(board.theirs);
        let stones = board.mine | board.theirs;
        (0..COLUMNS).filter(move |&column| !won && stones & square(column, ROWS - 1) == 0)
    }

    fn apply(&self, board: &mut Board, column: u8) {
        // Adding a stone at the bottom of the column carries it to the lowest free square.
        let stones = board.mine | board.theirs;
        let dropped = (stones + square(column, 0)) & !stones & (square(column, ROWS) - square(column, 0));
        *board = Board { mine: board.theirs, theirs: board.mine | dropped, to_move: board.to_move.other() };
    }

    fn payoff(&self, board: &Board, player: Player) -> i32 {
        match (has_four(board.theirs), player == board.to_move) {
            (false, _) => 0,
            (true, true) => -1,
            (true, false) => 1,
        }
    }

    /// Columns are written 1 to 7, from the left.
    fn notation(&self, _board: &Board, column: u8) -> String {
        (column + 1).to_string()
    }

    fn drawing(&self, board: &Board) -> String {
        let (x, o) = match board.to_move {
            Player::FIRST => (board.mine, board.theirs),
            _ => (board.theirs, board.mine),
        };
        let stone = |bit: u64| match (x & bit != 0, o & bit != 0) {
            (true, _) => "x",
            (_, true) => "o",
            _ => ".",
        };
        let row = |row| (0..COLUMNS).map(|column| stone(square(column, row))).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = (0..ROWS).rev().map(row).collect();
        format!("{}\n1 2 3 4 5 6 7", rows.join("\n"))
    }
}

/// The name makes the game usable in manifests.
impl NamedGame for ConnectFour {
    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str =
        "four in a line on seven columns of six; the first player wins with best play";

    fn with_options(_options: &Options) -> Result<Self, OptionError> {
        Ok(Self)
    }

    /// With its squares, from the top row down, the game has evaluations that learn: `docs/training.md`.
    fn entries(&self) -> Entries<Self> {
        let owner = |board: &Board, at: usize| {
            let bit = square(at as u8 % COLUMNS, ROWS - 1 - at as u8 / COLUMNS);
            let owner = if board.mine & bit != 0 { board.to_move } else { board.to_move.other() };
            ((board.mine | board.theirs) & bit != 0).then_some(owner)
        };
        let squares = PlainBoard::new(ROWS.into(), COLUMNS.into(), owner).alike_by(&[Symmetry::Mirror]);
        Entries { board: Some(Arc::new(squares)), ..Entries::default() }
    }
}
