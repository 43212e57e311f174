//! Clobber: a stone takes a neighbour of the other colour, and who cannot take loses.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, integer, settings};
use crate::game::{Entries, Facts, Game, NamedGame, Picture, Player, PositionError, Symmetry, Turn};
use crate::grid::{Grid, cells_of, playable, random_of, side};
use crate::rng::{PlayoutRng, Rng};

/// The rules. The board begins as a checkerboard of stones, a1 of the first player. A move puts a stone onto a stone of the other player
/// beside it, which it takes. Who cannot move loses.
///
/// # References
/// Albert, Grossman, Nowakowski, Wolfe 2005, "An introduction to Clobber", Integers 5(2).
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::clobber::Clobber;
/// let game = Clobber::new(2, 2)?;
/// let position = game.follow("a1-b1 a2-b2").unwrap();
/// assert_eq!(game.drawing(&position), "   a b\n 1 . x\n 2 . o\nx to move");
/// assert_eq!(game.notation(&position, game.moves(&position).next().unwrap()), "b1-b2");
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clobber {
    grid: Grid,
    /// The cells that have one to their left, and those that have one to their right.
    sides: [u64; 2],
}

/// The stones of the player to move, and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    mine: u64,
    theirs: u64,
    to_move: Player,
}

impl Clobber {
    /// The game on a board of this size, with at most 64 cells.
    ///
    /// # Errors
    /// If the board has more.
    pub fn new(rows: u8, columns: u8) -> Result<Self, OptionError> {
        let grid = Grid::within(64, rows, columns)?;
        let beside = |column| (grid.all() & !grid.column(column)) as u64;
        Ok(Self { grid, sides: [beside(0), beside(columns - 1)] })
    }

    /// The stones that can take to the right, to the left, downwards and upwards.
    #[inline(always)]
    fn takers(&self, &Position { mine, theirs, .. }: &Position) -> [u64; 4] {
        let [has_left, has_right] = self.sides;
        let columns = u32::from(self.grid.columns);
        let down = theirs.checked_shr(columns).unwrap_or(0);
        let up = theirs.checked_shl(columns).unwrap_or(0);
        [(theirs & has_left) >> 1, (theirs & has_right) << 1, down, up].map(|beside| mine & beside)
    }

    /// The cell that a move goes to.
    #[inline(always)]
    fn target(&self, mv: u8) -> u8 {
        let (from, columns) = (mv & 63, self.grid.columns);
        match mv >> 6 {
            0 => from + 1,
            1 => from - 1,
            2 => from + columns,
            _ => from - columns,
        }
    }

    fn stones(position: &Position) -> [u128; 2] {
        let stones = [position.mine, position.theirs].map(u128::from);
        if position.to_move == Player::FIRST { stones } else { [stones[1], stones[0]] }
    }
}

impl Game for Clobber {
    type Position = Position;
    /// The cell that a stone leaves, and its direction in the upper two bits.
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid.cells())
    }

    fn start(&self) -> Position {
        let is_first = |cell: u8| (cell / self.grid.columns + cell % self.grid.columns).is_multiple_of(2);
        let first =
            cells_of(self.grid.all()).filter(|&cell| is_first(cell)).fold(0, |mask, cell| mask | 1 << cell);
        Position { mine: first, theirs: self.grid.all() as u64 & !first, to_move: Player::FIRST }
    }

    /// Each cell is free, or has a stone of either player, until there is a move; the first player is to move.
    fn random_position(&self, rng: &mut Rng) -> Option<Position> {
        playable(self, || {
            let mut stones = [0; 3];
            cells_of(self.grid.all()).for_each(|cell| stones[rng.below(3) as usize] |= 1 << cell);
            let [mine, theirs, _] = stones;
            Position { mine, theirs, to_move: Player::FIRST }
        })
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let [right, left, down, up] = self.takers(position);
        if right | left | down | up == 0 { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let all = (0..4).zip(self.takers(position));
        all.flat_map(|(direction, stones)| cells_of(stones.into()).map(move |from| from | direction << 6))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        self.takers(position).into_iter().map(u64::count_ones).sum()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let (direction, from) = random_of(self.takers(position), draws);
        from | direction << 6
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: u8) {
        let (from, to) = (1 << (mv & 63), 1 << self.target(mv));
        let Position { mine, theirs, to_move } = *position;
        *position = Position { mine: theirs & !to, theirs: mine & !from | to, to_move: to_move.other() };
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if player == position.to_move { -1 } else { 1 }
    }

    #[inline(always)]
    fn move_number(&self, mv: u8) -> Option<u16> {
        Some(mv.into())
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(u128::from(position.mine) << 64 | u128::from(position.theirs))
    }

    /// The two cells: `a1-b1`.
    fn notation(&self, _position: &Position, mv: u8) -> String {
        format!("{}-{}", self.grid.name(mv & 63), self.grid.name(self.target(mv)))
    }

    fn drawing(&self, position: &Position) -> String {
        self.grid.drawing(Grid::letters(Self::stones(position)), 0, Some(side(position.to_move)))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid.picture(Self::stones(position)))
    }

    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text(Self::stones(position), position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read(self, text, |stones, to_move| {
            let [first, second] = stones.map(|mask| mask as u64);
            let (mine, theirs) = if to_move == Player::FIRST { (first, second) } else { (second, first) };
            Ok(Position { mine, theirs, to_move })
        })
    }
}

settings! {
    struct ClobberOptions {
        /// rows of the board
        rows: u8 = integer(1..=32, 5),
        /// columns of the board; at most 64 cells
        columns: u8 = integer(1..=26, 6),
    }
}

impl NamedGame for Clobber {
    const NAME: &'static str = "clobber";
    const ABOUT: &'static str = "a stone takes a neighbour of the other colour; who cannot take loses";

    fn options() -> Vec<OptionDecl> {
        ClobberOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let ClobberOptions { rows, columns } = Settings::read(options);
        Self::new(rows, columns)
    }

    fn entries(&self) -> Entries<Self> {
        let board = self.grid.board(Self::stones).alike_by(&Symmetry::ALL);
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
