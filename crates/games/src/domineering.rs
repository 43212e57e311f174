//! Domineering: dominoes on a rectangle, one player's upright, the other's flat.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, flag, integer, settings};
use crate::game::{Facts, Game, NamedGame, Picture, Player, PositionError, Turn, nth_set_bit};
use crate::grid::{Grid, cells_of, nth_cell, playable};
use crate::rng::{PlayoutRng, Rng};

/// The rules. The first player puts upright dominoes, the second flat ones, each on two free cells. Who cannot move loses.
///
/// # References
/// Göran Andersson's game; Breuker, Uiterwijk, van den Herik 2000, "Solving 8×8 Domineering", Theoretical Computer Science 230.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::domineering::Domineering;
/// let game = Domineering::new(3, 3, false);
/// let position = game.follow("b1-b2 a3-b3 a1-a2").unwrap();
/// assert_eq!(game.drawing(&position), "   a b c\n 1 # # .\n 2 # # .\n 3 # # .\nhorizontal to move");
/// assert_eq!(game.move_count(&position), 0);
/// assert_eq!(game.payoff(&position, Player::FIRST), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Domineering {
    grid: Grid,
    misere: bool,
    /// For each player the distance of the two cells of a domino, and the cells that can be the second.
    distance: [u8; 2],
    second: [u128; 2],
}

/// The cells that are free, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    free: u128,
    to_move: Player,
}

/// The bit of a move that is flat; the others are its first cell.
const FLAT: u8 = 1 << 7;

impl Domineering {
    /// The game on a board of this size, 1 to 11 each way; with `misere` who cannot move wins.
    ///
    /// # Panics
    /// If the size is out of range.
    pub fn new(rows: u8, columns: u8, misere: bool) -> Self {
        assert!((1..=11).contains(&rows) && (1..=11).contains(&columns), "a side has 1 to 11 cells");
        let grid = Grid { rows, columns };
        let second = [grid.all() & !grid.row(0), grid.all() & !grid.column(0)];
        Self { grid, misere, distance: [columns, 1], second }
    }

    /// The first cells of all legal dominoes: the upper or the left one.
    #[inline(always)]
    fn first_cells(&self, position: &Position) -> u128 {
        if self.is_small() {
            return self.first_cells_of_64(position).into();
        }
        let player = position.to_move.index();
        position.free & (position.free & self.second[player]) >> (self.distance[player] & 63)
    }

    /// Whether one word has all cells.
    #[inline(always)]
    const fn is_small(&self) -> bool {
        self.grid.cells() <= 64
    }

    /// The same on a board of at most 64 cells.
    #[inline(always)]
    fn first_cells_of_64(&self, position: &Position) -> u64 {
        let (free, player) = (position.free as u64, position.to_move.index());
        free & (free & self.second[player] as u64) >> (self.distance[player] & 63)
    }

    #[inline(always)]
    const fn taken(&self, position: &Position) -> u128 {
        self.grid.all() & !position.free
    }

    #[inline(always)]
    fn move_at(position: &Position, cell: u8) -> u8 {
        if position.to_move == Player::FIRST { cell } else { cell | FLAT }
    }
}

impl Game for Domineering {
    type Position = Position;
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid.cells() / 2)
    }

    fn start(&self) -> Position {
        Position { free: self.grid.all(), to_move: Player::FIRST }
    }

    /// Each cell is free or taken, until the first player, who is to move, has a move.
    fn random_position(&self, rng: &mut Rng) -> Option<Position> {
        playable(self, || {
            let cells = cells_of(self.grid.all());
            let free = cells.fold(0, |free, cell| free | u128::from(1 - rng.below(2)) << cell);
            Position { free, to_move: Player::FIRST }
        })
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if self.first_cells(position) == 0 { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        cells_of(self.first_cells(position)).map(|cell| Self::move_at(position, cell))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        self.first_cells(position).count_ones()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        if self.is_small() {
            let cells = self.first_cells_of_64(position);
            let cell = nth_set_bit(cells, draws.below(cells.count_ones()));
            return Self::move_at(position, cell.expect("a player's turn has a move"));
        }
        let cells = self.first_cells(position);
        Self::move_at(position, nth_cell(cells, draws.below(cells.count_ones())))
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: u8) {
        let domino = 1 | 1_u64 << (self.distance[position.to_move.index()] & 63);
        position.free &= !if self.is_small() {
            u128::from(domino << (mv & 63))
        } else {
            u128::from(domino) << (mv & !FLAT)
        };
        position.to_move = position.to_move.other();
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if (player == position.to_move) == self.misere { 1 } else { -1 }
    }

    #[inline(always)]
    fn move_number(&self, mv: u8) -> Option<u16> {
        Some(mv.into())
    }

    /// The number, and which of the six cells beside the domino are free.
    #[inline(always)]
    fn move_code(&self, position: &Position, mv: u8) -> Option<u16> {
        let (free, first) = (position.free, mv & !FLAT);
        let upright = [self.grid.down(free), self.grid.up(free)];
        let flat = [(free & self.second[1] >> 1) << 1, (free & self.second[1]) >> 1];
        let (along, across) = if mv & FLAT == 0 { (upright, flat) } else { (flat, upright) };
        let last = first + self.distance[position.to_move.index()];
        let bits = [
            along[0] >> first,
            along[1] >> last,
            across[0] >> first,
            across[0] >> last,
            across[1] >> first,
            across[1] >> last,
        ];
        Some(bits.into_iter().fold(mv.into(), |code, bit| code << 1 | (bit & 1) as u16))
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(self.taken(position) | (position.to_move.index() as u128) << 127)
    }

    /// The two cells of the domino: `a1-a2`.
    fn notation(&self, _position: &Position, mv: u8) -> String {
        let cell = mv & !FLAT;
        let other = cell + if mv & FLAT == 0 { self.grid.columns } else { 1 };
        format!("{}-{}", self.grid.name(cell), self.grid.name(other))
    }

    fn drawing(&self, position: &Position) -> String {
        let letter = |cell: u8| if position.free >> cell & 1 == 1 { '.' } else { '#' };
        let side = if position.to_move == Player::FIRST { "vertical" } else { "horizontal" };
        self.grid.drawing(letter, 0, Some(side))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid.picture([self.taken(position), 0]))
    }

    /// The rows with `x` for a taken cell, and the side to move: `x` puts upright dominoes, `o` flat ones.
    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text([self.taken(position), 0], position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read(self, text, |[first, second], to_move| {
            Ok(Position { free: self.grid.all() & !(first | second), to_move })
        })
    }
}

settings! {
    struct DomineeringOptions {
        /// rows of the board
        rows: u8 = integer(1..=11, 8),
        /// columns of the board
        columns: u8 = integer(1..=11, 8),
        /// whether who cannot move wins
        misere: bool = flag(false),
    }
}

impl NamedGame for Domineering {
    const NAME: &'static str = "domineering";
    const ABOUT: &'static str = "dominoes on a board, upright against flat; who cannot move loses";
    const SEATS: Option<[&'static str; 2]> = Some(["vertical", "horizontal"]);

    fn options() -> Vec<OptionDecl> {
        DomineeringOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let DomineeringOptions { rows, columns, misere } = Settings::read(options);
        Ok(Self::new(rows, columns, misere))
    }
}
