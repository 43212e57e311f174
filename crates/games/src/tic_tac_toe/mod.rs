//! Tic-tac-toe on bitboards: two masks of nine bits.
//!
//! Games are short, so all picks of a uniform playout share one word of the draws. A playout is then a number below 9!;
//! `orders` has the end of each in a table, and `vector` looks up many at a time.

mod ladder;
mod orders;
mod patterns;
mod vector;

use crate::game::options::{OptionError, Options};
use crate::game::{
    Batches, Bits, Entries, Facts, Game, GameExt, NamedGame, Path, Picture, Player, PositionError, Tone, Turn,
};
use crate::rng::PlayoutRng;

/// The rules of tic-tac-toe: three in a row on a 3×3 board. The first player is x.
///
/// Squares are written a1 … c3, columns from the left, rows from the top, and numbered row by row.
///
/// # Example: a drawing
/// ```
/// use shikou::game::{Game, GameExt};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let game = TicTacToe::default();
/// let position = game.follow("b2 a1").unwrap();
/// assert_eq!(game.drawing(&position), "  a b c\n1 o . .\n2 . x .\n3 . . .\nx to move");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// A position of tic-tac-toe: the marks of the player to move, and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The marks of the player who moves next.
    mine: u16,
    /// The marks of the player who moved last.
    theirs: u16,
    /// The number of free squares: counted down, so that a random pick need not wait for the marks.
    free: u8,
    /// Whether the last move made three in a row.
    won: bool,
}

const BOARD: u16 = 0o777;

const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

/// Bit `m` is 1 if the marks `m` contain three in a row.
const THREE_IN_A_ROW: [u64; 8] = {
    let mut table = [0; 8];
    let mut marks = 0;
    while marks < 512 {
        let mut line = 0;
        while line < 8 {
            if marks & LINES[line] == LINES[line] {
                table[(marks >> 6) as usize] |= 1 << (marks & 63);
            }
            line += 1;
        }
        marks += 1;
    }
    table
};

#[inline(always)]
fn has_three_in_a_row(marks: u16) -> bool {
    THREE_IN_A_ROW[(marks >> 6 & 7) as usize] >> (marks & 63) & 1 == 1
}

impl Position {
    /// The marks of a player, bit 0 for a1, bit 1 for b1, … bit 8 for c3.
    pub fn marks(&self, player: Player) -> u16 {
        if player == self.to_move() { self.mine } else { self.theirs }
    }

    /// The letter of a square.
    fn mark(self, square: u8, empty: char) -> char {
        let has = |player| self.marks(player) >> square & 1 == 1;
        if has(Player::FIRST) {
            'x'
        } else if has(Player::SECOND) {
            'o'
        } else {
            empty
        }
    }

    #[inline(always)]
    fn to_move(self) -> Player {
        // Nine squares are free at the start.
        Player::new(!self.free & 1)
    }
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(9)
    }

    fn start(&self) -> Position {
        Position { mine: 0, theirs: 0, free: 9, won: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.won || position.free == 0 { Turn::Over } else { Turn::Player(position.to_move()) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let free = if position.won { 0 } else { BOARD & !(position.mine | position.theirs) };
        Bits::new(u64::from(free))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        if position.won { 0 } else { position.free.into() }
    }

    /// All picks of a game share one word of the draws.
    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let pick = draws.digit(self.move_count(position));
        self.moves(position).nth(pick as usize).expect("a player's turn has a move")
    }

    fn play_uniform_batches(&self, path: Path, batches: Batches<'_, Position>) -> Path {
        vector::play_batches(path.on_processor(), batches)
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, square: u8) {
        // In 32 bits, like the processor's shifts.
        let mine = position.mine | (1_u32 << square) as u16;
        *position = Position {
            mine: position.theirs,
            theirs: mine,
            free: position.free - 1,
            won: has_three_in_a_row(mine),
        };
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        // Only the player who moved last can have won.
        i32::from(position.won) * if player == position.to_move() { -1 } else { 1 }
    }

    #[inline(always)]
    fn move_number(&self, square: u8) -> Option<u16> {
        Some(square.into())
    }

    /// The marks of both.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(u128::from(position.mine) << 9 | u128::from(position.theirs))
    }

    fn notation(&self, _position: &Position, square: u8) -> String {
        format!("{}{}", (b'a' + square % 3) as char, square / 3 + 1)
    }

    /// The number of marks on a board names it too.
    fn named_side(&self, text: &str) -> Option<Player> {
        let board = text.trim().split_once(char::is_whitespace).filter(|(board, _)| board.len() == 9);
        board.and_then(|_| self.parse_position(text).ok()).map(Position::to_move)
    }

    /// The nine squares row by row from a1, `x`, `o` or `-`, a space, and the player to move: `xo------- x`.
    fn position_text(&self, position: &Position) -> Option<String> {
        let side = if position.to_move() == Player::FIRST { 'x' } else { 'o' };
        Some((0..9).map(|square| position.mark(square, '-')).chain([' ', side]).collect())
    }

    /// Reads a `position_text`, in either case, with `.` for `-`, also without the side; or the moves that lead to the
    /// position.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let text = text.trim().to_ascii_lowercase();
        if text.is_empty() || text.contains(|c: char| c.is_ascii_digit()) {
            return self.follow(&text).map_err(|error| PositionError(error.to_string()));
        }
        let refuse = |reason: &str| Err(PositionError(format!("`{}` {reason}", text.escape_debug())));
        let (squares, side) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        if squares.chars().count() != 9 || squares.contains(|c| !matches!(c, 'x' | 'o' | '-' | '.')) {
            return refuse("is not a board: expected nine squares of x, o and -, and the side to move");
        }
        let marks = |of| {
            (0..9).zip(squares.chars()).filter(|&(_, c)| c == of).fold(0, |sum, (at, _)| sum | 1_u16 << at)
        };
        let (first, second) = (marks('x'), marks('o'));
        let (mine, theirs, to_move) = match first.count_ones().wrapping_sub(second.count_ones()) {
            0 => (first, second, "x"),
            1 => (second, first, "o"),
            _ => return refuse("is impossible: x has as many marks as o, or one more"),
        };
        if !side.is_empty() && side.trim() != to_move {
            return refuse(&format!("is impossible: it is the turn of {to_move}"));
        }
        if has_three_in_a_row(mine) {
            return refuse("is impossible: the game was over a move earlier");
        }
        let free = 9 - (mine | theirs).count_ones() as u8;
        Ok(Position { mine, theirs, free, won: has_three_in_a_row(theirs) })
    }

    fn drawing(&self, position: &Position) -> String {
        let mark = |square| position.mark(square, '.');
        let rows =
            (0..3).map(|y| format!("{} {} {} {}", y + 1, mark(3 * y), mark(3 * y + 1), mark(3 * y + 2)));
        let name = if position.to_move() == Player::FIRST { 'x' } else { 'o' };
        let last = if name == 'x' { 'o' } else { 'x' };
        let state = match self.turn(position) {
            Turn::Over if position.won => format!("{last} has won"),
            Turn::Over => "a draw".into(),
            _ => format!("{name} to move"),
        };
        let rows: Vec<String> = rows.collect();
        format!("  a b c\n{}\n{state}", rows.join("\n"))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(picture(*position))
    }
}

impl NamedGame for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const ABOUT: &'static str = "three in a row on a 3×3 board; a draw with best play";
    const SEATS: Option<[&'static str; 2]> = Some(["x", "o"]);

    fn with_options(_options: &Options) -> Result<Self, OptionError> {
        Ok(Self)
    }

    fn entries(&self) -> Entries<Self> {
        Entries {
            patterns: patterns::patterns(),
            described: patterns::picture,
            rule_lists: ladder::LADDER.to_vec(),
            ..Entries::default()
        }
    }
}

/// The side of a square, and the space for the names of columns and rows.
const SIDE: u16 = 20;
const EDGE: u16 = 8;

/// The board with its marks, and the names of columns and rows.
fn picture(position: Position) -> Picture {
    let end = EDGE + 3 * SIDE;
    let mut picture = Picture::new(end + 2, end + 2).rect(Tone::Board, [0, 0], [end + 2, end + 2]);
    for (number, (column, row)) in (0..).zip([("a", "1"), ("b", "2"), ("c", "3")]) {
        let middle = EDGE + SIDE * number + SIDE / 2;
        picture = picture.text(Tone::Label, [middle, 4], column).text(Tone::Label, [4, middle], row);
    }
    for at in [EDGE + SIDE, EDGE + 2 * SIDE] {
        picture = picture.line(Tone::Line, [at, EDGE], [at, end]).line(Tone::Line, [EDGE, at], [end, at]);
    }
    let centre = |square: u32| [square % 3, square / 3].map(|at| EDGE + SIDE * at as u16 + SIDE / 2);
    for square in Bits::new(position.marks(Player::FIRST).into()) {
        let [x, y] = centre(square.into());
        picture = picture.line(Tone::First, [x - 6, y - 6], [x + 6, y + 6]);
        picture = picture.line(Tone::First, [x - 6, y + 6], [x + 6, y - 6]);
    }
    for square in Bits::new(position.marks(Player::SECOND).into()) {
        picture = picture.ring(Tone::Second, centre(square.into()), 6);
    }
    picture
}
