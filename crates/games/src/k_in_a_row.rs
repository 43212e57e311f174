//! Games of k in a row on a rectangle: Gomoku, Connect Four, and all between.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, flag, integer, settings};
use crate::game::{Bits, Facts, Game, NamedGame, Player, Turn};
use crate::grid::{Grid, side};
use crate::rng::PlayoutRng;

/// The most rows and columns.
const MOST: u8 = 15;

/// The rules. A move puts a stone on a free cell, with `gravity` on the lowest free cell of a column. Who first has `k` stones or more in a row, along a row, a column or a
/// diagonal, wins; a full board is a draw.
///
/// # References
/// Van den Herik, Uiterwijk, van Rijswijck 2002, "Games solved: now and in the future", Artificial Intelligence 134; Allis 1988,
/// "A knowledge-based approach of Connect-Four".
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::k_in_a_row::KInARow;
/// let connect_four = KInARow::new(6, 7, 4, true)?;
/// let end = connect_four.follow("d c d c d c d").unwrap();
/// assert_eq!((connect_four.turn(&end), connect_four.payoff(&end, Player::FIRST)), (Turn::Over, 1));
/// let small = KInARow::new(3, 4, 3, false)?;
/// assert_eq!(small.drawing(&small.follow("a1 b2").unwrap()), "   a b c d\n 1 x . . .\n 2 . o . .\n 3 . . . .\nx to move");
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KInARow {
    rows: u8,
    columns: u8,
    k: u8,
    gravity: bool,
}

/// A set of cells: a row of bits for each row of the board.
type Cells = [u16; MOST as usize];

/// The stones of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [Cells; 2],
    to_move: Player,
    /// The number of stones.
    count: u8,
    /// Whether the last stone made a row.
    is_won: bool,
}

impl KInARow {
    /// The game on a board of 1 to 15 rows and columns.
    ///
    /// # Errors
    /// If `k` is larger than both sides of the board.
    ///
    /// # Panics
    /// If a side or `k` is out of range.
    pub fn new(rows: u8, columns: u8, k: u8, gravity: bool) -> Result<Self, OptionError> {
        assert!([rows, columns, k].iter().all(|side| (1..=MOST).contains(side)), "a side has 1 to 15 cells");
        if k > rows.max(columns) {
            let text = format!("no row of {k} has room on a board of {rows} rows and {columns} columns");
            return Err(OptionError::Other(text));
        }
        Ok(Self { rows, columns, k, gravity })
    }

    /// The free cells of a row.
    #[inline(always)]
    fn free(self, position: &Position, row: u8) -> u16 {
        let [first, second] = &position.stones;
        !(first[usize::from(row)] | second[usize::from(row)]) & ((1_u32 << self.columns) - 1) as u16
    }

    /// The free cells on which a stone may be put in a row.
    #[inline(always)]
    fn open(self, position: &Position, row: u8) -> u16 {
        let free = self.free(position, row);
        if self.gravity && row + 1 < self.rows { free & !self.free(position, row + 1) } else { free }
    }

    /// Whether this stone is in a row of `k`.
    #[inline(always)]
    fn is_in_a_row(self, stones: &Cells, cell: u8) -> bool {
        let [row, column] = [cell / self.columns, cell % self.columns].map(i16::from);
        let has = |row: i16, column: i16| {
            let on_board =
                (0..i16::from(self.rows)).contains(&row) && (0..i16::from(self.columns)).contains(&column);
            on_board && stones[row as usize] >> column & 1 == 1
        };
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right)| {
            let run = |sign: i16| {
                (1..i16::from(self.k))
                    .take_while(|step| has(row + sign * step * down, column + sign * step * right))
                    .count()
            };
            1 + run(1) + run(-1) >= usize::from(self.k)
        })
    }

    const fn grid(self) -> Grid {
        Grid { rows: self.rows, columns: self.columns }
    }

    fn letter(self, position: &Position, cell: u8) -> char {
        let has = |stones: &Cells| stones[usize::from(cell / self.columns)] >> (cell % self.columns) & 1 == 1;
        if has(&position.stones[0]) {
            'x'
        } else if has(&position.stones[1]) {
            'o'
        } else {
            '.'
        }
    }
}

impl Game for KInARow {
    type Position = Position;
    type Move = u8;

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid().cells())
    }

    fn start(&self) -> Position {
        Position { stones: [[0; MOST as usize]; 2], to_move: Player::FIRST, count: 0, is_won: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.is_won || u32::from(position.count) == self.grid().cells() {
            Turn::Over
        } else {
            Turn::Player(position.to_move)
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let rows = if position.is_won { 0 } else { self.rows };
        (0..rows).flat_map(move |row| {
            Bits::new(self.open(position, row).into()).map(move |column| row * self.columns + column)
        })
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        match (position.is_won, self.gravity) {
            (true, _) => 0,
            (false, true) => self.free(position, 0).count_ones(),
            (false, false) => self.grid().cells() - u32::from(position.count),
        }
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let mut pick = draws.below(self.move_count(position));
        for row in 0..self.rows {
            let open = self.open(position, row);
            if pick < open.count_ones() {
                let column = Bits::new(open.into()).nth(pick as usize).expect("the row has more open cells");
                return row * self.columns + column;
            }
            pick -= open.count_ones();
        }
        unreachable!("a player's turn has a move")
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, cell: u8) {
        let stones = &mut position.stones[position.to_move.index()];
        stones[usize::from(cell / self.columns)] |= 1 << (cell % self.columns);
        position.is_won = self.is_in_a_row(stones, cell);
        position.count += 1;
        position.to_move = position.to_move.other();
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        match (position.is_won, player == position.to_move) {
            (false, _) => 0,
            (true, true) => -1,
            (true, false) => 1,
        }
    }

    #[inline(always)]
    fn move_number(&self, cell: u8) -> Option<u16> {
        Some(cell.into())
    }

    /// The stones of both and the player to move, or on a board of more than 63 cells a hash of them.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        const FACTOR: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        let rows = usize::from(self.rows);
        let side = (position.to_move.index() as u128) << 127;
        let all = position.stones.iter().flat_map(|stones| &stones[..rows]);
        Some(
            side ^ if self.grid().cells() <= 63 {
                all.fold(0, |key, &row| key << self.columns | u128::from(row))
            } else {
                all.fold(0, |key: u128, &row| (key ^ u128::from(row)).wrapping_mul(FACTOR).rotate_left(61))
            },
        )
    }

    /// The cell, with row 1 at the top; with gravity the column alone.
    fn notation(&self, _position: &Position, cell: u8) -> String {
        let name = self.grid().name(cell);
        if self.gravity { name[..1].into() } else { name }
    }

    fn drawing(&self, position: &Position) -> String {
        let is_on = self.turn(position) != Turn::Over;
        self.grid().drawing(|cell| self.letter(position, cell), 0, is_on.then(|| side(position.to_move)))
    }
}

settings! {
    struct KInARowOptions {
        /// rows of the board
        rows: u8 = integer(1..=15, 15),
        /// columns of the board
        columns: u8 = integer(1..=15, 15),
        /// stones in a row that win
        k: u8 = integer(1..=15, 5),
        /// whether a stone falls to the lowest free cell of its column: rows=6, columns=7, k=4 is Connect Four
        gravity: bool = flag(false),
    }
}

impl NamedGame for KInARow {
    const NAME: &'static str = "k-in-a-row";
    const ABOUT: &'static str = "k stones in a row win: Gomoku, and with gravity Connect Four";

    fn options() -> Vec<OptionDecl> {
        KInARowOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let KInARowOptions { rows, columns, k, gravity } = Settings::read(options);
        Self::new(rows, columns, k, gravity)
    }
}
