//! Capture Go: stones of Go, of which the first capture ends the game (AtariGo) or is illegal (NoGo).

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, flag, integer, settings};
use crate::game::{Entries, Facts, Game, NamedGame, Picture, Player, PositionError, Symmetry, Turn};
use crate::grid::{Grid, cells_of, nth_cell, side};
use crate::rng::PlayoutRng;

/// The effect of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Whoever captures first wins: AtariGo.
    Capture,
    /// No stone may be captured: NoGo.
    None,
}

/// The rules. A move puts a stone on a free cell. A group, stones of one player joined along rows and columns, is captured if no cell beside
/// it is free. A move that leaves an own group without a free cell is illegal, unless it captures. A player without a legal move loses.
/// With `misere` the player who would win loses. A captured group stays on the board, since the game is over.
///
/// # References
/// AtariGo: Yasutoshi Yasuda. NoGo: Chou, Teytaud, Yen 2011, "Revisiting Monte-Carlo tree search on a normal
/// form game: NoGo", Applications of Evolutionary Computation. She 2013, "The design and study of NoGo program": the first player wins
/// NoGo on 5×5.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::capture_go::{CaptureGo, Goal};
/// let atari_go = CaptureGo::new(3, 3, Goal::Capture, false)?;
/// let end = atari_go.follow("a2 a1 b1").unwrap();
/// assert_eq!(atari_go.drawing(&end), "   a b c\n 1 o x .\n 2 x . .\n 3 . . .");
/// assert_eq!((atari_go.turn(&end), atari_go.payoff(&end, Player::FIRST)), (Turn::Over, 1));
/// let no_go = CaptureGo::new(3, 3, Goal::None, false)?;
/// assert!(no_go.follow("a2 a1 b1").is_err());
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CaptureGo {
    grid: Grid,
    goal: Goal,
    misere: bool,
    /// The cells that have one to their left, and those that have one to their right.
    sides: [u128; 2],
}

/// The stones of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [u128; 2],
    /// The stones of groups beside two free cells or more; a group of other stones has one.
    safe: u128,
    to_move: Player,
    /// Whether the last stone captured.
    is_over: bool,
}

impl CaptureGo {
    /// The game on a board of this size, with at most 128 cells.
    ///
    /// # Errors
    /// If the board has more.
    pub fn new(rows: u8, columns: u8, goal: Goal, misere: bool) -> Result<Self, OptionError> {
        let grid = Grid::within(128, rows, columns)?;
        let sides = [0, columns - 1].map(|column| grid.all() & !grid.column(column));
        Ok(Self { grid, goal, misere, sides })
    }

    #[inline(always)]
    fn free(&self, [first, second]: [u128; 2]) -> u128 {
        self.grid.all() & !(first | second)
    }

    /// The cells beside these, and bits beyond the board.
    #[inline(always)]
    fn beside(&self, cells: u128) -> u128 {
        let [has_left, has_right] = self.sides;
        (cells & has_left) >> 1 | (cells & has_right) << 1 | self.grid.down(cells) | self.grid.up(cells)
    }

    /// The cells on which the player to move may put a stone.
    #[inline(always)]
    fn legal(&self, position: &Position) -> u128 {
        let Position { stones, safe, to_move, is_over } = *position;
        let (free, theirs) = (self.free(stones), stones[to_move.other().index()]);
        let breathing = self.beside(free | stones[to_move.index()] & safe);
        let capturing = self.beside(theirs & !safe);
        match (is_over, self.goal) {
            (true, _) => 0,
            (_, Goal::Capture) => free & (breathing | capturing),
            (_, Goal::None) => free & breathing & !capturing,
        }
    }

    /// The group of a stone, if it is beside one free cell at most.
    #[inline(always)]
    fn endangered(&self, stone: u128, stones: u128, free: u128) -> Option<u128> {
        let mut group = stone;
        loop {
            let beside = self.beside(group);
            let liberties = beside & free;
            if liberties & liberties.wrapping_sub(1) != 0 {
                return None;
            }
            let grown = group | beside & stones;
            if grown == group {
                return Some(group);
            }
            group = grown;
        }
    }

    /// The group of a stone.
    #[inline(always)]
    fn group(&self, stone: u128, stones: u128) -> u128 {
        self.endangered(stone, stones, 0).expect("no cell is free")
    }
}

impl Game for CaptureGo {
    type Position = Position;
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid.cells())
    }

    fn start(&self) -> Position {
        Position { stones: [0; 2], safe: 0, to_move: Player::FIRST, is_over: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if self.legal(position) == 0 { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        cells_of(self.legal(position))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        self.legal(position).count_ones()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let legal = self.legal(position);
        nth_cell(legal, draws.below(legal.count_ones()))
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, cell: u8) {
        let (mover, stone) = (position.to_move, 1 << cell);
        position.stones[mover.index()] |= stone;
        position.to_move = mover.other();
        let (own, theirs) = (position.stones[mover.index()], position.stones[mover.other().index()]);
        let (free, mut touched) = (self.free(position.stones), self.beside(stone) & theirs);
        if touched & !position.safe != 0 {
            *position = Position { safe: 0, is_over: true, ..*position };
            return;
        }
        while touched != 0 {
            if let Some(group) = self.endangered(touched & touched.wrapping_neg(), theirs, free) {
                position.safe &= !group;
            }
            touched &= touched - 1;
        }
        match self.endangered(stone, own, free) {
            Some(group) => position.safe &= !group,
            None => position.safe |= self.group(stone, own & !position.safe),
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if (player == position.to_move) == self.misere { 1 } else { -1 }
    }

    #[inline(always)]
    fn move_number(&self, cell: u8) -> Option<u16> {
        Some(cell.into())
    }

    /// The cell, and whether each of the four cells beside it is free, of the mover or of the other.
    #[inline(always)]
    fn move_code(&self, position: &Position, cell: u8) -> Option<u16> {
        let [has_left, has_right] = self.sides;
        let (mine, theirs) =
            (position.stones[position.to_move.index()], position.stones[position.to_move.other().index()]);
        let beside = |stones: u128| {
            [
                (stones & has_right) << 1,
                (stones & has_left) >> 1,
                self.grid.down(stones),
                self.grid.up(stones),
            ]
            .map(|side| (side >> cell & 1) as u16)
        };
        let pairs = beside(mine).into_iter().zip(beside(theirs));
        Some(pairs.fold(cell.into(), |code, (mine, theirs)| 3 * code + mine + 2 * theirs))
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(self.grid.key(position.stones, position.to_move))
    }

    fn notation(&self, _position: &Position, cell: u8) -> String {
        self.grid.name(cell)
    }

    fn drawing(&self, position: &Position) -> String {
        let is_on = self.turn(position) != Turn::Over;
        self.grid.drawing(Grid::letters(position.stones), 0, is_on.then(|| side(position.to_move)))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid.picture(position.stones))
    }

    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text(position.stones, position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read(self, text, |stones, to_move| {
            let (free, mut safe, mut is_over) = (self.free(stones), 0, false);
            // Only the side to move can have been captured, and who captures needs no free cell.
            for player in [to_move, to_move.other()] {
                let own = stones[player.index()];
                for cell in cells_of(own) {
                    let group = self.group(1 << cell, own);
                    match (self.beside(group) & free).count_ones() {
                        0 if player == to_move && self.goal == Goal::Capture => is_over = true,
                        0 if !is_over => {
                            let name = self.grid.name(cell);
                            return Err(PositionError(format!(
                                "the group of {name} has no free cell beside it"
                            )));
                        }
                        0 | 1 => {}
                        _ => safe |= group,
                    }
                }
            }
            Ok(Position { stones, safe: if is_over { 0 } else { safe }, to_move, is_over })
        })
    }
}

settings! {
    struct CaptureGoOptions {
        /// rows of the board
        rows: u8 = integer(1..=32, 9),
        /// columns of the board; at most 128 cells
        columns: u8 = integer(1..=26, 9),
        /// the effect of a capture
        goal: Goal = choice([
            ("capture", "who captures first wins: AtariGo", Goal::Capture),
            ("none", "captures are illegal, and a player without a move loses: NoGo", Goal::None),
        ]),
        /// whether whoever would win loses
        misere: bool = flag(false),
    }
}

impl NamedGame for CaptureGo {
    const NAME: &'static str = "capture-go";
    const ABOUT: &'static str = "stones of Go; the first capture wins (AtariGo) or is illegal (NoGo)";

    fn options() -> Vec<OptionDecl> {
        CaptureGoOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let CaptureGoOptions { rows, columns, goal, misere } = Settings::read(options);
        Self::new(rows, columns, goal, misere)
    }

    fn entries(&self) -> Entries<Self> {
        let board = self.grid.board(|position: &Position| position.stones).alike_by(&Symmetry::ALL);
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
