//! Boards: the standard ones and random ones, their text, drawing and picture, and the options.

use super::{Links, MOST, Position, SameGame, TabuColour};
use crate::game::options::{OptionDecl, OptionError, Options, Settings, flag, integer, settings};
use crate::game::{Entries, GameExt, NamedGame, NamedPolicy, Picture, PositionError, Tone};
use crate::grid::Grid;
use crate::rng::Stream;

/// The standard boards: lines of colours, with comments between them.
const STANDARD: &str = include_str!("boards.txt");

settings! {
    struct SameGameOptions {
        /// number of a standard board of 15 × 15 and five colours; 0: a random board of the other options
        board: usize = integer(0..=20, 1),
        /// rows of a random board
        rows: u8 = integer(1..=15, 15),
        /// columns of a random board
        columns: u8 = integer(1..=15, 15),
        /// colours of a random board
        colours: u8 = integer(2..=7, 5),
        /// number of a random board
        seed: u64 = integer(0..=i64::MAX, 0),
        /// whether stones left at the end cost points
        penalty: bool = flag(true),
    }
}

impl SameGame {
    /// A standard board, 1 to 20.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn standard(number: usize) -> Result<Self, OptionError> {
        if !(1..=20).contains(&number) {
            return Err(OptionError::Other(format!(
                "`board` is {number}, but the standard boards are 1 to 20"
            )));
        }
        let lines: Vec<&str> = STANDARD.lines().filter(|line| !line.starts_with('#')).collect();
        let empty = Self {
            start: Position::default(),
            grid: Grid { rows: MOST, columns: MOST },
            colours: 5,
            has_penalty: true,
        };
        let rows = lines[15 * (number - 1)..15 * number].join("/");
        Ok(Self { start: empty.read(&rows).expect("a standard board is a board"), ..empty })
    }

    /// A random board of 1 to 15 rows and columns and 2 to 7 colours. Equal seeds give equal boards.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn random(rows: u8, columns: u8, colours: u8, seed: u64) -> Result<Self, OptionError> {
        if !(1..=MOST).contains(&rows) || !(1..=MOST).contains(&columns) || !(2..=7).contains(&colours) {
            let text = format!(
                "{rows} rows, {columns} columns and {colours} colours: expected 1 to 15 rows and columns, 2 to 7 colours"
            );
            return Err(OptionError::Other(text));
        }
        let empty =
            Self { start: Position::default(), grid: Grid { rows, columns }, colours, has_penalty: true };
        let start = empty.random_board(&mut (Stream::new(seed) / "samegame").rng());
        Ok(Self { start, ..empty })
    }

    /// The colour of a cell, or a point.
    pub(super) fn letter(&self, position: &Position, cell: u8) -> char {
        position.colour(self.place(cell)).map_or('.', |colour| (b'0' + colour) as char)
    }

    pub(super) fn write(&self, position: &Position) -> String {
        let Grid { rows, columns } = self.grid;
        let row = |row| (0..columns).map(|column| self.letter(position, row * columns + column)).collect();
        let text = (0..rows).map(row).collect::<Vec<String>>().join("/");
        match position.moves {
            0 => text,
            moves => format!("{text} {} points {moves} moves", position.points),
        }
    }

    pub(super) fn paint(&self, position: &Position) -> Picture {
        let [rows, columns] = [self.grid.rows, self.grid.columns].map(u16::from);
        let mut picture =
            Picture::new(10 * columns, 10 * rows).rect(Tone::Board, [0, 0], [10 * columns, 10 * rows]);
        for cell in 0..rows * columns {
            let Some(colour) = position.colour(self.place(cell as u8)) else { continue };
            let centre = [10 * (cell % columns) + 5, 10 * (cell / columns) + 5];
            let tone = [Tone::First, Tone::Second, Tone::Card, Tone::Line][usize::from(colour % 4)];
            picture = if colour < 4 { picture.disc(tone, centre, 4) } else { picture.ring(tone, centre, 4) };
        }
        picture
    }

    /// Reads the rows of a board, from the top, with `/` or white space between them, and what was won so far; or the moves to it.
    pub(super) fn read(&self, text: &str) -> Result<Position, PositionError> {
        if !text.trim_start().starts_with(|letter: char| letter.is_ascii_digit() || letter == '.') {
            return self.follow(text).map_err(|error| PositionError(error.to_string()));
        }
        self.read_board(text).ok_or_else(|| {
            let (Grid { rows, columns }, last) = (self.grid, self.colours - 1);
            PositionError(format!(
                "`{}` is not a board: expected {rows} rows of {columns} cells, 0 to {last} or `.`, with / between them and no stone above or \
                 to the right of a gap; after moves also what they can have given, such as ` 12 points 4 moves`",
                text.escape_debug()
            ))
        })
    }

    fn read_board(&self, text: &str) -> Option<Position> {
        let words = text.split(|c: char| c == '/' || c.is_whitespace()).filter(|word| !word.is_empty());
        let (words, mut position) = (words.collect::<Vec<_>>(), Position::default());
        let (rows, rest) = words.split_at_checked(self.grid.rows.into())?;
        if rows.iter().any(|row| row.len() != usize::from(self.grid.columns)) {
            return None;
        }
        for (cell, byte) in (0..).zip(rows.iter().flat_map(|row| row.bytes())) {
            match byte.wrapping_sub(b'0') {
                colour if colour < self.colours => position.put(self.place(cell), colour),
                _ if byte == b'.' => {}
                _ => return None,
            }
        }
        let stones = position.stones();
        let height = |column: u8| (stones[usize::from(column / 4)] >> (16 * (column % 4))) as u16;
        // A column is full from below if it is a power of two less one.
        let stands = |column| height(column) & (height(column) + 1) == 0;
        let has_gap = |column| height(column) == 0 && height(column + 1) > 0;
        if !(0..MOST).all(stands) || (0..MOST).any(has_gap) {
            return None;
        }
        let (points, moves): (u32, u16) = match rest {
            [] => (0, 0),
            [points, "points", moves, "moves"] => (points.parse().ok()?, moves.parse().ok()?),
            _ => return None,
        };
        let taken = self.grid.cells() - super::count(stones);
        let groups = Links::of(&position).firsts();
        let is_possible = points <= taken.saturating_sub(2).pow(2) && 2 * u32::from(moves) <= taken;
        is_possible.then_some(Position { groups, points, moves, ..position })
    }
}

impl NamedGame for SameGame {
    const NAME: &'static str = "samegame";
    const ABOUT: &'static str = "groups of stones of one colour are taken, large ones for more points";

    fn options() -> Vec<OptionDecl> {
        SameGameOptions::options()
    }

    /// # Errors
    /// If a standard board is given a size, colours or a seed.
    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let SameGameOptions { board, rows, columns, colours, seed, penalty } = Settings::read(options);
        if board > 0 && (rows, columns, colours, seed) != (MOST, MOST, 5, 0) {
            let text =
                "`rows`, `columns`, `colours` and `seed` are those of a random board; they need `board = 0`";
            return Err(OptionError::Other(text.into()));
        }
        let game =
            if board > 0 { Self::standard(board)? } else { Self::random(rows, columns, colours, seed)? };
        Ok(game.with_penalty(penalty))
    }

    fn entries(&self) -> Entries<Self> {
        let tabu = |allows_pairs| TabuColour { allows_pairs };
        Entries {
            policies: vec![
                NamedPolicy::uniform(),
                NamedPolicy::new(
                    "tabu-colour",
                    "a random group that is not of the most frequent colour, if there is one",
                    tabu(false),
                ),
                NamedPolicy::new(
                    "tabu-colour-pairs",
                    "the same; after the tenth move groups of two of that colour are allowed too",
                    tabu(true),
                ),
            ],
            ..Entries::default()
        }
    }
}
