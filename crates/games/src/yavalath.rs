//! Yavalath: four stones in a row win, but three lose.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, integer, settings};
use crate::game::{Entries, Facts, Game, NamedGame, Picture, Player, PositionError, Symmetry, Turn};
use crate::grid::{Grid, cells_of, nth_cell, side};
use crate::rng::PlayoutRng;

/// The rules. A move puts a stone on a free cell of a hexagon. Who makes a row of four or more wins; who makes a row of three and none of four loses.
/// A full board is a draw. There is no swap. The rows go in three directions: a row of the drawing, a letter, and above to the right.
///
/// # References
/// Cameron Browne's program Ludi 2007; Browne, Maire 2010, "Evolutionary game design", IEEE Transactions on Computational Intelligence and AI
/// in Games 2(1).
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::yavalath::Yavalath;
/// let game = Yavalath::new(3);
/// let three = game.follow("a3 c1 b3 d1 c3").unwrap();
/// assert_eq!(
///     game.drawing(&three),
///     "   a b c d e\n 1     o o .\n  2   . . . .\n   3 x x x . .\n    4 . . . .\n     5 . . ."
/// );
/// assert_eq!((game.turn(&three), game.payoff(&three, Player::FIRST)), (Turn::Over, -1));
/// let four = game.follow("a3 c1 b3 d1 d3 c2 c3").unwrap();
/// assert_eq!(game.payoff(&four, Player::FIRST), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Yavalath {
    /// The rows and letters; the corners at the upper left and the lower right are no cells.
    grid: Grid,
    cells: u128,
    /// The cells that have a next one in their row, under the same letter, and to the lower left.
    has_next: [u128; 3],
}

/// The stones of the player to move, and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    mine: u128,
    theirs: u128,
    /// The free cells, none if the game is over.
    free: u128,
    to_move: Player,
}

const LETTERS: [&str; 3] = ["x", "o", "-"];

impl Yavalath {
    /// The game on a hexagon of 2 to 6 cells a side.
    ///
    /// # Panics
    /// If the side is out of range.
    pub fn new(side: u8) -> Self {
        assert!((2..=6).contains(&side), "a side has 2 to 6 cells");
        let width = 2 * side - 1;
        let grid = Grid { rows: width, columns: width };
        let is_cell = |row: u8, column: u8| {
            row < width && column < width && (side - 1..=3 * (side - 1)).contains(&(row + column))
        };
        let next_to = |down: i8, right: i8| {
            let has_next = |cell: &u8| {
                let [row, column] = [cell / width, cell % width];
                is_cell(row, column)
                    && is_cell(row.wrapping_add_signed(down), column.wrapping_add_signed(right))
            };
            cells_of(grid.all()).filter(has_next).fold(0, |mask, cell| mask | 1 << cell)
        };
        Self { grid, cells: next_to(0, 0), has_next: [next_to(0, 1), next_to(1, 0), next_to(1, -1)] }
    }

    /// The first cells of all rows of three of these stones, and of all rows of four.
    #[inline(always)]
    fn rows(&self, stones: u128) -> [u128; 2] {
        // The published board has distances that the compiler knows: its shifts are twice as fast.
        let width = self.grid.columns;
        if width == 9 { self.rows_on(9, stones) } else { self.rows_on(width, stones) }
    }

    #[inline(always)]
    fn rows_on(&self, width: u8, stones: u128) -> [u128; 2] {
        let mut rows = [0; 2];
        for (distance, has_next) in [1, width, width - 1].into_iter().zip(self.has_next) {
            let two = stones & has_next & stones >> distance;
            let three = two & two >> distance;
            rows[0] |= three;
            rows[1] |= three & three >> distance;
        }
        rows
    }

    /// The position with these stones of the player to move and of the other, who moved last.
    #[inline(always)]
    fn position(&self, mine: u128, theirs: u128, to_move: Player) -> Position {
        let free = if self.rows(theirs)[0] == 0 { self.cells & !(mine | theirs) } else { 0 };
        Position { mine, theirs, free, to_move }
    }

    #[inline(always)]
    fn stones(position: &Position) -> [u128; 2] {
        let Position { mine, theirs, to_move, .. } = *position;
        if to_move == Player::FIRST { [mine, theirs] } else { [theirs, mine] }
    }

    fn masks(&self, position: &Position) -> [u128; 3] {
        let [first, second] = Self::stones(position);
        [first, second, self.grid.all() & !self.cells]
    }
}

impl Game for Yavalath {
    type Position = Position;
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.cells.count_ones())
    }

    fn start(&self) -> Position {
        self.position(0, 0, Player::FIRST)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.free == 0 { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        cells_of(position.free)
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        position.free.count_ones()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        nth_cell(position.free, draws.below(position.free.count_ones()))
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, cell: u8) {
        let Position { mine, theirs, to_move, .. } = *position;
        *position = self.position(theirs, mine | 1 << cell, to_move.other());
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        // Who moved last has made the row.
        let ending = match self.rows(position.theirs) {
            [0, _] => 0,
            [_, 0] => -1,
            _ => 1,
        };
        if player == position.to_move { -ending } else { ending }
    }

    #[inline(always)]
    fn move_number(&self, cell: u8) -> Option<u16> {
        Some(cell.into())
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(self.grid.key(Self::stones(position), position.to_move))
    }

    fn notation(&self, _position: &Position, cell: u8) -> String {
        self.grid.name(cell)
    }

    fn drawing(&self, position: &Position) -> String {
        let is_on = self.turn(position) != Turn::Over;
        let letters = Grid::letters_of(self.masks(position), ["x", "o", " "]);
        self.grid.drawing(letters, 1, is_on.then(|| side(position.to_move)))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid.slanted_picture(self.cells, Self::stones(position)))
    }

    /// The rows, with `-` where the hexagon has no cell.
    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text_of(Grid::letters_of(self.masks(position), LETTERS), position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read_letters(self, LETTERS, text, |[first, second, outside], to_move| {
            let (mine, theirs) = if to_move == Player::FIRST { (first, second) } else { (second, first) };
            if outside != self.grid.all() & !self.cells {
                let text = format!(
                    "`-` stands for the cells outside the hexagon: {}",
                    self.position_text(&self.start()).expect("it has a text")
                );
                return Err(PositionError(text));
            }
            if self.rows(mine)[0] != 0 {
                return Err(PositionError("the side to move has a row of three already".into()));
            }
            Ok(self.position(mine, theirs, to_move))
        })
    }
}

settings! {
    struct YavalathOptions {
        /// cells of a side of the hexagon
        side: u8 = integer(2..=6, 5),
    }
}

impl NamedGame for Yavalath {
    const NAME: &'static str = "yavalath";
    const ABOUT: &'static str = "four stones in a row win, but three lose";

    fn options() -> Vec<OptionDecl> {
        YavalathOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let YavalathOptions { side } = Settings::read(options);
        Ok(Self::new(side))
    }

    fn entries(&self) -> Entries<Self> {
        let board = self.grid.board(Self::stones).alike_by(&[
            Symmetry::HalfTurn,
            Symmetry::Transpose,
            Symmetry::AntiTranspose,
        ]);
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
