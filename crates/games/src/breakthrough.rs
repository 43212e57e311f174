//! Breakthrough and Knightthrough: two rows of pawns or knights, which only go forward; who reaches the last row wins.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, flag, integer, settings};
use crate::game::{
    Entries, Evaluation, EvaluationFacts, Facts, Game, NamedEvaluation, NamedGame, Picture, Player,
    PositionError, Symmetry, Turn,
};
use crate::grid::{Grid, cells_of, random_of, side};
use crate::rng::PlayoutRng;

/// The pieces of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// They go one cell forward, straight onto a free cell or diagonally; they take diagonally.
    Pawns,
    /// They jump as in chess, forward only, onto a free cell or a piece of the other player, which they take.
    Knights,
}

/// A step of a piece: cells forward, and to the right.
type Step = (u8, i8);

impl Pieces {
    const fn steps(self) -> &'static [Step] {
        match self {
            Self::Pawns => &[(1, -1), (1, 0), (1, 1)],
            Self::Knights => &[(2, -1), (2, 1), (1, -2), (1, 2)],
        }
    }
}

/// The rules. The first player has the rows 1 and 2 and goes towards higher rows, the second the last two rows. Who reaches the other end, or takes the last
/// piece of the other, wins; who cannot move loses. With `misere` whoever would win loses.
///
/// # References
/// Breakthrough: Dan Troyka 2001. Solved to 6×5: Saffidine, Jouandeau, Cazenave 2011, "Solving Breakthrough with race
/// patterns and job-level proof number search", Advances in Computer Games. Knightthrough: the General Game Playing competitions.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::breakthrough::{Breakthrough, Pieces};
/// let game = Breakthrough::new(4, 3, Pieces::Pawns, false)?;
/// let position = game.follow("a2-b3").unwrap();
/// assert_eq!(game.drawing(&position), "   a b c\n 1 x x x\n 2 . x x\n 3 o x o\n 4 o o o\no to move");
/// assert_eq!(game.payoff(&game.follow("a2-b3 a3-a2 b3-c4").unwrap(), Player::FIRST), 1);
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough {
    grid: Grid,
    pieces: Pieces,
    misere: bool,
    /// For each step those cells of the board where it takes.
    takes: [u64; 4],
    /// For each player and step the cells from which it stays on the board, none for a step that the pieces do not have, and what it adds to the
    /// number of the cell, modulo 64.
    from: [[u64; 4]; 2],
    ahead: [[u8; 4]; 2],
    /// For each player the row to reach.
    end: [u64; 2],
}

/// The pieces of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [u64; 2],
    to_move: Player,
}

impl Breakthrough {
    /// The game on a board of at least 4 rows, with at most 64 cells; `columns` at least 2.
    ///
    /// # Errors
    /// If the board has more cells, or knights have fewer than 4 columns.
    ///
    /// # Panics
    /// If there are too few rows or columns.
    pub fn new(rows: u8, columns: u8, pieces: Pieces, misere: bool) -> Result<Self, OptionError> {
        assert!(rows >= 4 && columns >= 2, "a board has at least 4 rows and 2 columns");
        let grid = Grid::within(64, rows, columns)?;
        if pieces == Pieces::Knights && columns < 4 {
            return Err(OptionError::Other("knights need at least 4 columns".into()));
        }
        let (mut from, mut takes, mut ahead) = ([[0; 4]; 2], [grid.all() as u64; 4], [[0; 4]; 2]);
        for (step, &(forward, right)) in pieces.steps().iter().enumerate() {
            let stays = |column: &u8| (0..columns as i8).contains(&(*column as i8 + right));
            let inside = (0..columns).filter(stays).fold(0, |mask, column| mask | grid.column(column));
            takes[step] &= if right == 0 { 0 } else { u64::MAX };
            let rows_of = [0..rows - forward, forward..rows];
            for (player, own) in rows_of.into_iter().enumerate() {
                from[player][step] = own.fold(0, |mask, row| mask | inside & grid.row(row)) as u64;
            }
            let first = (forward * columns).wrapping_add_signed(right);
            let second = (forward * columns).wrapping_add_signed(-right);
            (ahead[0][step], ahead[1][step]) = (first, second.wrapping_neg());
        }
        let end = [rows - 1, 0].map(|row| grid.row(row) as u64);
        Ok(Self { grid, pieces, misere, takes, from, ahead, end })
    }

    /// The pieces that can make each step, if the game goes on.
    #[inline(always)]
    fn movers(&self, position: &Position) -> [u64; 4] {
        let mover = position.to_move;
        let (mine, theirs) = (position.pieces[mover.index()], position.pieces[mover.other().index()]);
        if self.is_decided(position) {
            return [0; 4];
        }
        let all = self.grid.all() as u64;
        std::array::from_fn(|step| {
            let onto = all & !mine & (!theirs | self.takes[step]);
            // Bits that are turned round are not among the cells from which the step stays on the board.
            let before = onto.rotate_right(self.ahead[mover.index()][step].into());
            mine & self.from[mover.index()][step] & before
        })
    }

    /// Whether the player who moved last reached the other end, or the player to move has no piece.
    #[inline(always)]
    fn is_decided(&self, position: &Position) -> bool {
        let last = position.to_move.other();
        position.pieces[last.index()] & self.end[last.index()] != 0
            || position.pieces[position.to_move.index()] == 0
    }

    #[inline(always)]
    fn target(&self, mv: u16) -> u8 {
        let (from, step) = (mv as u8 & 63, usize::from(mv >> 6 & 3));
        from.wrapping_add(self.ahead[usize::from(mv >> 8)][step])
    }
}

impl Game for Breakthrough {
    type Position = Position;
    /// The cell that a piece leaves, its step above 6 bits, and its player above 8.
    type Move = u16;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        // Each ply takes a piece of one side at least one row nearer to its end.
        let rows = u32::from(self.grid.rows);
        Facts::two_player().with_max_plies(2 * u32::from(self.grid.columns) * (2 * rows - 3))
    }

    fn start(&self) -> Position {
        let rows = |low: u8| (self.grid.row(low) | self.grid.row(low + 1)) as u64;
        Position { pieces: [rows(0), rows(self.grid.rows - 2)], to_move: Player::FIRST }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let [a, b, c, d] = self.movers(position);
        if a | b | c | d == 0 { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u16> {
        let player = (position.to_move.index() as u16) << 8;
        let all = (0..4).zip(self.movers(position));
        all.flat_map(move |(step, movers)| {
            cells_of(movers.into()).map(move |from| u16::from(from) | step << 6 | player)
        })
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        self.movers(position).into_iter().map(u64::count_ones).sum()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u16 {
        let (step, from) = random_of(self.movers(position), draws);
        u16::from(from) | u16::from(step) << 6 | (position.to_move.index() as u16) << 8
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: u16) {
        let (from, to) = (1_u64 << (mv & 63), 1_u64 << self.target(mv));
        let mover = position.to_move;
        position.pieces[mover.index()] = position.pieces[mover.index()] & !from | to;
        position.pieces[mover.other().index()] &= !to;
        position.to_move = mover.other();
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if (player == position.to_move) == self.misere { 1 } else { -1 }
    }

    #[inline(always)]
    fn move_number(&self, mv: u16) -> Option<u16> {
        Some(mv)
    }

    /// The number, and whether a piece is taken.
    #[inline(always)]
    fn move_code(&self, position: &Position, mv: u16) -> Option<u16> {
        let takes = position.pieces[position.to_move.other().index()] >> self.target(mv) & 1;
        Some(mv | (takes as u16) << 9)
    }

    /// The pieces of both players, inverted if the second is to move: an empty cell then has both.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        let [first, second] = position.pieces.map(u128::from);
        let sides =
            if position.to_move == Player::FIRST { first << 64 | second } else { !(first << 64 | second) };
        Some(sides)
    }

    /// The two cells: `a2-b3`.
    fn notation(&self, _position: &Position, mv: u16) -> String {
        format!("{}-{}", self.grid.name(mv as u8 & 63), self.grid.name(self.target(mv)))
    }

    fn drawing(&self, position: &Position) -> String {
        self.grid.drawing(Grid::letters(position.pieces.map(u128::from)), 0, Some(side(position.to_move)))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid.picture(position.pieces.map(u128::from)))
    }

    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text(position.pieces.map(u128::from), position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read(self, text, |stones, to_move| {
            Ok(Position { pieces: stones.map(|mask| mask as u64), to_move })
        })
    }
}

/// The worth of the pawns of one player less those of the other, by their advance: 1, 1, 2, 4, … by row, × 1 + .3 for each
/// defender diagonally behind, × 1.15 in the middle and 1.05 beside it, × 1.5 if no pawn of the other stands in the widening
/// triangle ahead, × .8 without a pawn of its own on the cells around; and 2 for each pawn, .3 for each legal move, 200 for one that wins.
///
/// # References
/// The evaluation of the alpha-beta player of github TheRealSeber/breakthrough-mcts.
#[derive(Clone, Copy, Debug)]
pub struct Advance;

impl Advance {
    /// The worth for a player, in hundredths.
    fn worth(game: &Breakthrough, position: &Position, player: Player) -> i64 {
        let Grid { rows, columns } = game.grid;
        let (rows, columns) = (i32::from(rows), i32::from(columns));
        // Rows are counted from the player's own.
        let has = |side: Player, row: i32, column: i32| {
            let row = if player == Player::FIRST { row } else { rows - 1 - row };
            let is_on = (0..rows).contains(&row) && (0..columns).contains(&column);
            is_on && position.pieces[side.index()] >> (row * columns + column) & 1 == 1
        };
        let of_pawn = |row: i32, column: i32| {
            let defenders = [-1, 1].into_iter().filter(|side| has(player, row - 1, column + side)).count();
            let from_middle = (2 * column + 1 - columns).abs();
            let centre = if from_middle < 2 {
                115
            } else if from_middle < 4 {
                105
            } else {
                100
            };
            let mut ahead = (row + 1..rows).flat_map(|r| (row - r..=r - row).map(move |c| (r, column + c)));
            let passed = if ahead.any(|(r, c)| has(player.other(), r, c)) { 10 } else { 15 };
            let mut around = (-1..=1).flat_map(|r| (-1..=1).map(move |c| (r, c))).filter(|at| *at != (0, 0));
            let isolated = if around.any(|(r, c)| has(player, row + r, column + c)) { 10 } else { 8 };
            (1 << (row - 1).max(0)) * (10 + 3 * defenders as i64) * centre * passed * isolated
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let pawns = cells.filter(|&(row, column)| has(player, row, column));
        let of_pawns: i64 = pawns.map(|(row, column)| 200_000 + of_pawn(row, column)).sum();
        let mine = Position { to_move: player, ..*position };
        let wins = game.moves(&mine).any(|mv| game.end[player.index()] >> game.target(mv) & 1 == 1);
        of_pawns / 1000 + 30 * i64::from(game.move_count(&mine)) + 20_000 * i64::from(wins)
    }
}

impl Evaluation<Breakthrough> for Advance {
    fn evaluate(&self, game: &Breakthrough, position: &Position, player: Player) -> i64 {
        Self::worth(game, position, player) - Self::worth(game, position, player.other())
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts { unit: 0.01, largest: 1 << 36, ..EvaluationFacts::default() }
    }
}

settings! {
    struct BreakthroughOptions {
        /// rows of the board
        rows: u8 = integer(4..=16, 8),
        /// columns of the board; at most 64 cells
        columns: u8 = integer(2..=16, 8),
        /// the pieces of both players
        pieces: Pieces = choice([
            ("pawns", "one cell forward, straight or diagonally; they take diagonally", Pieces::Pawns),
            ("knights", "jump as in chess, but only forward: Knightthrough", Pieces::Knights),
        ]),
        /// whether whoever would win loses
        misere: bool = flag(false),
    }
}

impl NamedGame for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const ABOUT: &'static str = "two rows of pawns or knights that go forward; who reaches the last row wins";

    fn options() -> Vec<OptionDecl> {
        BreakthroughOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let BreakthroughOptions { rows, columns, pieces, misere } = Settings::read(options);
        Self::new(rows, columns, pieces, misere)
    }

    fn entries(&self) -> Entries<Self> {
        let advance = NamedEvaluation::new("advance", "the pawns by their advance, and the moves", Advance);
        let evaluations =
            if self.pieces == Pieces::Pawns && !self.misere { vec![advance] } else { Vec::new() };
        let stones = |position: &Position| position.pieces.map(u128::from);
        let board = self.grid.board(stones).alike_by(&[Symmetry::Mirror]).exchanged_by(Symmetry::Flip);
        Entries { evaluations, board: Some(Arc::new(board)), ..Entries::default() }
    }
}
