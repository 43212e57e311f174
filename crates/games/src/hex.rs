//! Hex: whoever joins the two sides of a rhombus that are theirs wins.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, integer, settings};
use crate::game::{Entries, Facts, Game, NamedGame, Picture, Player, PositionError, Symmetry, Turn};
use crate::grid::{Grid, cells_of, nth_cell, side};
use crate::rng::PlayoutRng;

/// The rules. A move puts a stone on a free cell. The first player joins row 1 with the last row, the second column a with the last
/// column. A cell has six neighbours: those beside it, those above and below, and those above to the right and below to the
/// left. There are no draws, and no swap.
///
/// # References
/// Piet Hein 1942; Nash 1952, "Some games and machines for playing them": the first player wins on every board.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::hex::Hex;
/// let game = Hex::new(3);
/// let end = game.follow("b2 a1 b1 a2 a3").unwrap();
/// assert_eq!(game.drawing(&end), "   a b c\n 1 o x .\n  2 o x .\n   3 x . .");
/// assert_eq!((game.turn(&end), game.payoff(&end, Player::FIRST)), (Turn::Over, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hex {
    grid: Grid,
    /// The cells that have one to their left, and those that have one to their right.
    sides: [u128; 2],
    /// The two edges of each player.
    edges: [[u128; 2]; 2],
}

/// The stones of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [u128; 2],
    to_move: Player,
    /// Whether the last stone joined two edges.
    is_over: bool,
}

impl Hex {
    /// The game on a board of this size, 1 to 11.
    ///
    /// # Panics
    /// If the size is out of range.
    pub fn new(size: u8) -> Self {
        assert!((1..=11).contains(&size), "a side has 1 to 11 cells");
        let grid = Grid { rows: size, columns: size };
        let (left, right) = (grid.column(0), grid.column(size - 1));
        let edges = [[grid.row(0), grid.row(size - 1)], [left, right]];
        Self { grid, sides: [grid.all() & !left, grid.all() & !right], edges }
    }

    /// The free cells, if nobody has won.
    #[inline(always)]
    fn free(&self, position: &Position) -> u128 {
        let free = self.grid.all() & !(position.stones[0] | position.stones[1]);
        if position.is_over { 0 } else { free }
    }

    /// Whether the group of a stone touches both edges of its player.
    #[inline(always)]
    fn joins(&self, stone: u128, stones: u128, [one, other]: [u128; 2]) -> bool {
        let [has_left, has_right] = self.sides;
        let (columns, mut group) = (self.grid.columns, stone);
        loop {
            let (to_left, to_right) = ((group & has_left) >> 1, (group & has_right) << 1);
            let beside = to_left | to_right | group << columns | group >> columns;
            // Below to the left, and above to the right.
            let grown = group | stones & (beside | to_left << columns | to_right >> columns);
            if grown == group {
                return group & one != 0 && group & other != 0;
            }
            group = grown;
        }
    }
}

impl Game for Hex {
    type Position = Position;
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid.cells())
    }

    fn start(&self) -> Position {
        Position { stones: [0; 2], to_move: Player::FIRST, is_over: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.is_over { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        cells_of(self.free(position))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        self.free(position).count_ones()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let free = self.free(position);
        nth_cell(free, draws.below(free.count_ones()))
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, cell: u8) {
        let (mover, stone) = (position.to_move, 1 << cell);
        position.stones[mover.index()] |= stone;
        position.is_over = self.joins(stone, position.stones[mover.index()], self.edges[mover.index()]);
        position.to_move = mover.other();
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if player == position.to_move { -1 } else { 1 }
    }

    #[inline(always)]
    fn move_number(&self, cell: u8) -> Option<u16> {
        Some(cell.into())
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(self.grid.key(position.stones, position.to_move))
    }

    fn notation(&self, _position: &Position, cell: u8) -> String {
        self.grid.name(cell)
    }

    fn drawing(&self, position: &Position) -> String {
        self.grid.drawing(
            Grid::letters(position.stones),
            1,
            (!position.is_over).then(|| side(position.to_move)),
        )
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid.slanted_picture(self.grid.all(), position.stones))
    }

    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text(position.stones, position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read(self, text, |stones, to_move| {
            let joined = |player: Player| {
                let (own, edges) = (stones[player.index()], self.edges[player.index()]);
                cells_of(own & edges[0]).any(|cell| self.joins(1 << cell, own, edges))
            };
            if joined(to_move) {
                return Err(PositionError("the side to move has joined its edges already".into()));
            }
            Ok(Position { stones, to_move, is_over: joined(to_move.other()) })
        })
    }
}

settings! {
    struct HexOptions {
        /// cells of a side
        size: u8 = integer(1..=11, 11),
    }
}

impl NamedGame for Hex {
    const NAME: &'static str = "hex";
    const ABOUT: &'static str = "stones on a rhombus; whoever joins their two sides wins";

    fn options() -> Vec<OptionDecl> {
        HexOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let HexOptions { size } = Settings::read(options);
        Ok(Self::new(size))
    }

    fn entries(&self) -> Entries<Self> {
        let board = self
            .grid
            .board(|position: &Position| position.stones)
            .alike_by(&[Symmetry::HalfTurn])
            .exchanged_by(Symmetry::Transpose);
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
