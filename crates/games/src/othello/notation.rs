//! Othello as text: moves, transcripts, boards and drawings; and the picture of a position.

use super::{Move, Othello, Position};
use crate::game::{Bits, Game, Picture, Player, Tone, Turn};
use crate::words::{after_pass, after_separators, is_pass};

/// The reason why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A wrong number of squares.
    #[error("expected {expected} squares before the first space, but found {found}")]
    Squares {
        /// The squares of the board.
        expected: usize,
        /// The characters up to the first space.
        found: usize,
    },
    /// A character that is not a square.
    #[error("`{}` on {square}: squares are X or * (black), O (white), - or . (empty)", .found.escape_debug())]
    Square {
        /// The square, as `d3`.
        square: Move,
        /// The character.
        found: char,
    },
    /// No side to move, or an unknown one.
    #[error("expected the side to move after the squares, X (black) or O (white), but found `{}`", .found.escape_debug())]
    Side {
        /// The text after the squares, shortened.
        found: String,
    },
}

/// The player of a letter: black is the first player.
fn disc(letter: char) -> Option<Player> {
    match letter {
        'X' | 'x' | '*' => Some(Player::FIRST),
        'O' | 'o' => Some(Player::SECOND),
        _ => None,
    }
}

fn letter(player: Player) -> char {
    if player == Player::FIRST { 'X' } else { 'O' }
}

impl Othello {
    /// The squares in play row by row from a1, as bit numbers.
    pub(super) fn squares(&self) -> impl Iterator<Item = u8> + use<> {
        let size = self.size();
        (0..size * size).map(move |n| 8 * (n / size) + n % size)
    }

    /// The position of a text: the squares row by row from a1 (`X` or `*` black, `O` white, `-` or `.`
    /// empty; either case), white space, and the side to move, `X` or `O`.
    ///
    /// The position need not be reachable. A side without a move must pass if the other has one; if neither has, the
    /// game is over.
    ///
    /// # Errors
    /// If there are too few or too many squares, a character is not a square, or the side is missing.
    ///
    /// # Example: a pass
    /// ```
    /// use shikou::game::Game;
    /// use shikou::games::othello::{Move, Othello};
    /// let game = Othello::new(4);
    /// let position = game.parse_board("OX-------------- X").unwrap();
    /// assert!(game.moves(&position).eq([Move::PASS]));
    /// assert_eq!(game.board_text(&position), "OX-------------- X");
    /// ```
    pub fn parse_board(&self, text: &str) -> Result<Position, BoardError> {
        let text = text.trim();
        let (board, side) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (expected, found) = (usize::from(self.size()).pow(2), board.chars().count());
        if found != expected {
            return Err(BoardError::Squares { expected, found });
        }
        let mut discs = [0_u64; 2];
        for (square, found) in self.squares().zip(board.chars()) {
            match disc(found) {
                Some(player) => discs[player.index()] |= 1 << square,
                None if matches!(found, '-' | '.') => {}
                None => return Err(BoardError::Square { square: Move::on(square), found }),
            }
        }
        let to_move = named_side(text)
            .ok_or_else(|| BoardError::Side { found: side.trim().chars().take(12).collect() })?;
        Ok(self.position(discs[to_move.index()], discs[to_move.other().index()], to_move))
    }

    /// The position as a text that [`Othello::parse_board`] reads. Finished positions have `X` to move.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Game;
    /// use shikou::games::othello::Othello;
    /// let game = Othello::new(4);
    /// assert_eq!(game.board_text(&game.start()), "-----OX--XO----- X");
    /// ```
    pub fn board_text(&self, position: &Position) -> String {
        let squares = self.squares().map(|square| character(position, square).unwrap_or('-'));
        squares.chain([' ', letter(position.to_move())]).collect()
    }
}

/// The side to move of a board as text.
pub(super) fn named_side(board: &str) -> Option<Player> {
    let (_, side) = board.trim().split_once(char::is_whitespace)?;
    let mut letters = side.trim().chars();
    letters.next().and_then(disc).filter(|_| letters.next().is_none())
}

/// `X`, `O`, or nothing for an empty square.
fn character(position: &Position, square: u8) -> Option<char> {
    let has = |player| position.discs(player) >> square & 1 == 1;
    [Player::FIRST, Player::SECOND].into_iter().find(|&player| has(player)).map(letter)
}

/// The board with coordinates and legal moves (`+`), and below it the discs and the turn.
pub(super) fn drawing(game: &Othello, position: &Position) -> String {
    let mut text = String::from(" ");
    for file in 0..game.size() {
        text.extend([' ', (b'a' + file) as char]);
    }
    for row in 0..game.size() {
        text.extend(['\n', (b'1' + row) as char]);
        for file in 0..game.size() {
            let square = 8 * row + file;
            let empty = if position.moves() >> square & 1 == 1 { '+' } else { '.' };
            text.extend([' ', character(position, square).unwrap_or(empty)]);
        }
    }
    let count = |player| position.discs(player).count_ones();
    let side = letter(position.to_move());
    let state = match game.turn(position) {
        Turn::Over => match position.disc_difference(Player::FIRST).signum() {
            1 => "X has won".into(),
            0 => "a draw".into(),
            _ => "O has won".into(),
        },
        _ if position.must_pass() => format!("{side} must pass"),
        _ => format!("{side} to move"),
    };
    format!("{text}\nX {}, O {}; {state}", count(Player::FIRST), count(Player::SECOND))
}

/// The legal move of a notation: a square as `d3` or `D3`; `pass`, `ps`, `pa` or `--`.
pub(super) fn parse_move(game: &Othello, position: &Position, text: &str) -> Option<Move> {
    if is_pass(text) {
        return position.must_pass().then_some(Move::PASS);
    }
    let &[file, row] = text.as_bytes() else { return None };
    let file = file.to_ascii_lowercase().wrapping_sub(b'a');
    let row = row.wrapping_sub(b'1');
    let legal = file < game.size() && row < game.size() && position.moves() >> (8 * row + file) & 1 == 1;
    legal.then(|| Move::on(8 * row + file))
}

/// The next move of a transcript, with or without separators. A pass may be omitted: if no other move is legal, a pass
/// is returned and no text is consumed.
pub(super) fn read_move<'t>(game: &Othello, position: &Position, text: &'t str) -> Option<(Move, &'t str)> {
    if position.must_pass() {
        return Some((Move::PASS, after_pass(text).unwrap_or(text)));
    }
    let (word, rest) = text.split_at_checked(2)?;
    Some((parse_move(game, position, word)?, after_separators(rest)))
}

/// The side of a square, and the space for the names of columns and rows.
const SIDE: u16 = 10;
const EDGE: u16 = 8;

/// The board with its discs, the names of columns and rows, and a dot on each legal move.
pub(super) fn picture(game: &Othello, position: &Position) -> Picture {
    let size = u16::from(game.size());
    let end = EDGE + SIDE * size;
    let mut picture = Picture::new(end + 2, end + 2).rect(Tone::Board, [0, 0], [end + 2, end + 2]);
    for number in 0..size {
        let middle = EDGE + SIDE * number + SIDE / 2;
        let column = char::from(b'a' + number as u8).to_string();
        picture = picture.text(Tone::Label, [middle, 4], column);
        picture = picture.text(Tone::Label, [4, middle], (number + 1).to_string());
    }
    for at in (0..=size).map(|number| EDGE + SIDE * number) {
        picture = picture.line(Tone::Line, [at, EDGE], [at, end]).line(Tone::Line, [EDGE, at], [end, at]);
    }
    let discs = [
        (Tone::First, position.discs(Player::FIRST), 4),
        (Tone::Second, position.discs(Player::SECOND), 4),
        (Tone::Line, position.moves(), 1),
    ];
    for (tone, squares, radius) in discs {
        for square in Bits::new(squares) {
            let centre = [square % 8, square / 8].map(|at| EDGE + SIDE * u16::from(at) + SIDE / 2);
            picture = picture.disc(tone, centre, radius);
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameExt;

    #[test]
    fn a_drawing_shows_discs_moves_counts_and_turn() {
        let game = Othello::default();
        let position = game.follow("f5").unwrap();
        let expected = "  a b c d e f g h\n1 . . . . . . . .\n2 . . . . . . . .\n3 . . . . . . . .\n\
                        4 . . . O X + . .\n5 . . . X X X . .\n6 . . . + . + . .\n7 . . . . . . . .\n\
                        8 . . . . . . . .\nX 4, O 1; O to move";
        assert_eq!(game.drawing(&position), expected);
        let small = Othello::new(4);
        let pass = small.parse_board("OX-------------- X").unwrap();
        assert!(small.drawing(&pass).ends_with("\nX 1, O 1; X must pass"));
        let over = small.parse_board("OOO-----------X- X").unwrap();
        assert!(small.drawing(&over).ends_with("\nX 1, O 3; O has won"));
    }

    #[test]
    fn transcripts_may_have_either_case_and_separators() {
        let game = Othello::default();
        let expected = game.follow("f5d6c3d3c4").unwrap();
        for text in ["F5D6C3D3C4", " f5 d6 c3\nd3 c4 ", "f5,d6, C3 ,d3c4"] {
            assert_eq!(game.follow(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn passes_may_be_written_or_not() {
        let game = Othello::new(4);
        let from = game.parse_board("OX-------------- X").unwrap();
        assert!(from.must_pass());
        for text in ["c1", "pass c1", "psc1", "--,C1", "PASSc1", "PA c1", "pac1"] {
            let mut position = from;
            let mut moves = Vec::new();
            game.follow_from(&mut position, text, &mut |mv| moves.push(mv.to_string())).unwrap();
            assert_eq!(moves, ["pass", "c1"], "{text}");
        }
        assert!(game.parse_move(&game.start(), "pass").is_none(), "a pass is legal only if it is forced");
    }

    #[test]
    fn garbage_is_named_with_ply_and_legal_moves() {
        let game = Othello::default();
        let error = game.follow("f5d6z9c3").unwrap_err();
        assert_eq!((error.ply, error.text.as_str()), (3, "z9c3"));
        assert_eq!(error.to_string(), "ply 3: `z9c3` is not a legal move here; legal: c3 c4 c5 c6 c7");
        for text in ["a1", "f", "f5f5", "é5", "f5é", "5f", "i1", "a9", "f5 pass", "🂡", "f5d6c3pass"] {
            assert!(game.follow(text).is_err(), "{text}");
        }
        let error = Othello::new(4).follow("a1").unwrap_err();
        assert_eq!(error.legal, ["b1", "a2", "d3", "c4"]);
        assert!(Othello::new(4).follow("e5").is_err());
    }

    #[test]
    fn text_that_is_no_board_is_refused_with_the_reason() {
        let game = Othello::default();
        let empty = "-".repeat(64);
        let error = |text: &str| game.parse_board(text).unwrap_err().to_string();
        assert_eq!(error(""), "expected 64 squares before the first space, but found 0");
        assert_eq!(error(&empty[1..]), "expected 64 squares before the first space, but found 63");
        let side = "expected the side to move after the squares, X (black) or O (white), but found";
        assert_eq!(error(&empty), format!("{side} ``"));
        assert_eq!(error(&format!("{empty} Q")), format!("{side} `Q`"));
        assert_eq!(error(&format!("{empty} X; A1:+2")), format!("{side} `X; A1:+2`"));
        assert_eq!(
            error(&format!("{}?{} X", &empty[..9], &empty[10..])),
            "`?` on b2: squares are X or * (black), O (white), - or . (empty)"
        );
    }
}
