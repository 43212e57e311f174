//! A rectangular board of at most 128 cells: a mask has a bit for each cell, row by row from a1.

use crate::game::{Bits, Game, GameExt, Picture, Player, PositionError, Tone, nth_set_bit};
use crate::rng::PlayoutRng;

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: u8,
    pub(crate) columns: u8,
}

impl Grid {
    pub(crate) const fn cells(self) -> u32 {
        self.rows as u32 * self.columns as u32
    }

    pub(crate) const fn all(self) -> u128 {
        u128::MAX >> (128 - self.cells())
    }

    /// The cells of a column, from 0 at the left.
    pub(crate) fn column(self, column: u8) -> u128 {
        (0..self.rows).fold(0, |mask, row| mask | 1 << (row * self.columns + column))
    }

    /// The cells of a row, from 0 at row 1.
    pub(crate) fn row(self, row: u8) -> u128 {
        Self { rows: 1, ..self }.all() << (row * self.columns)
    }

    /// The name of a cell: a letter for the column, a number for the row.
    pub(crate) fn name(self, cell: u8) -> String {
        format!("{}{}", (b'a' + cell % self.columns) as char, cell / self.columns + 1)
    }

    /// The letter of each cell: `x` and `o` for the stones of the players, `.` for neither.
    pub(crate) fn letters([first, second]: [u128; 2]) -> impl Fn(u8) -> char {
        move |cell| match (first >> cell & 1, second >> cell & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        }
    }

    /// The letters of the cells under those of the columns, and who is to move. Row 1 is at the top; each row is indented by `slant`
    /// spaces more than the one above.
    pub(crate) fn drawing(self, letter: impl Fn(u8) -> char, slant: usize, to_move: Option<&str>) -> String {
        let spaced = |letters: String| letters.chars().flat_map(|letter| [' ', letter]).collect::<String>();
        let mut text =
            format!("  {}", spaced((0..self.columns).map(|column| (b'a' + column) as char).collect()));
        for row in 0..self.rows {
            let cells = spaced((0..self.columns).map(|column| letter(row * self.columns + column)).collect());
            text = format!("{text}\n{}{:>2}{cells}", " ".repeat(slant * usize::from(row)), row + 1);
        }
        text + &to_move.map_or_else(String::new, |side| format!("\n{side} to move"))
    }

    /// The stones of the players as discs on squares.
    pub(crate) fn picture(self, stones: [u128; 2]) -> Picture {
        let [rows, columns] = [self.rows, self.columns].map(u16::from);
        let mut picture =
            Picture::new(10 * columns, 10 * rows).rect(Tone::Board, [0, 0], [10 * columns, 10 * rows]);
        for line in 1..columns {
            picture = picture.line(Tone::Line, [10 * line, 0], [10 * line, 10 * rows]);
        }
        for line in 1..rows {
            picture = picture.line(Tone::Line, [0, 10 * line], [10 * columns, 10 * line]);
        }
        for (tone, mask) in [Tone::First, Tone::Second].into_iter().zip(stones) {
            for cell in cells_of(mask) {
                let [row, column] = [cell / self.columns, cell % self.columns].map(u16::from);
                picture = picture.disc(tone, [10 * column + 5, 10 * row + 5], 4);
            }
        }
        picture
    }

    /// The stones as one line: the rows from row 1 with `/` between, a space, and the side to move.
    pub(crate) fn text(self, stones: [u128; 2], to_move: Player) -> String {
        let row = |row: u8| -> String {
            (0..self.columns).map(|column| Self::letters(stones)(row * self.columns + column)).collect()
        };
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        format!("{} {}", rows.join("/"), side(to_move))
    }

    /// The side to move that a [`text`](Self::text) names.
    pub(crate) fn named_side(self, text: &str) -> Option<Player> {
        self.parse(text)?.ok().map(|(_, to_move)| to_move)
    }

    /// Reads a [`text`](Self::text), of which `position` makes a position, or the moves that lead to one.
    pub(crate) fn read<G: Game>(
        self,
        game: &G,
        text: &str,
        position: impl FnOnce([u128; 2], Player) -> Result<G::Position, PositionError>,
    ) -> Result<G::Position, PositionError> {
        match self.parse(text) {
            Some(read) => read.and_then(|(stones, to_move)| position(stones, to_move)),
            None => game.follow(text).map_err(|error| PositionError(error.to_string())),
        }
    }

    /// Reads a [`text`](Self::text); `None` if the text has no `/` and no `.`, so that it may be moves.
    fn parse(self, text: &str) -> Option<Result<([u128; 2], Player), PositionError>> {
        let (board, side) = text.trim().rsplit_once(char::is_whitespace)?;
        if !board.contains(['/', '.']) {
            return None;
        }
        let refused = || {
            let Self { rows, columns } = self;
            PositionError(format!(
                "`{}` is not a board: expected {rows} rows of {columns} cells, x, o or `.`, with / between them, a space, and the side \
                 to move, x or o",
                text.escape_debug()
            ))
        };
        let to_move = match side {
            "x" | "X" => Player::FIRST,
            "o" | "O" => Player::SECOND,
            _ => return Some(Err(refused())),
        };
        let rows: Vec<&str> = board.split('/').collect();
        let fits = rows.len() == usize::from(self.rows)
            && rows.iter().all(|row| row.len() == usize::from(self.columns))
            && board.bytes().all(|byte| b"xXoO./".contains(&byte));
        if !fits {
            return Some(Err(refused()));
        }
        let mask = |of: u8| {
            let cells = rows.iter().flat_map(|row| row.bytes());
            (0..128_u32)
                .zip(cells)
                .fold(0, |mask, (cell, byte)| mask | u128::from(byte.to_ascii_lowercase() == of) << cell)
        };
        Some(Ok(([mask(b'x'), mask(b'o')], to_move)))
    }
}

/// The cells of a mask, lowest first.
#[inline(always)]
pub(crate) fn cells_of(mask: u128) -> impl Iterator<Item = u8> {
    Bits::new(mask as u64).chain(Bits::new((mask >> 64) as u64).map(|cell| cell + 64))
}

/// The cell of this rank in a mask, counted from 0 at the lowest.
///
/// # Panics
/// If the mask has fewer cells.
#[inline(always)]
pub(crate) fn nth_cell(mask: u128, rank: u32) -> u8 {
    let (low, high) = (mask as u64, (mask >> 64) as u64);
    let cell = nth_set_bit(low, rank).or_else(|| Some(64 + nth_set_bit(high, rank - low.count_ones())?));
    cell.expect("a rank below the number of cells")
}

/// A random choice among the cells of four masks: the number of the mask, and the cell.
#[inline(always)]
pub(crate) fn random_of(masks: [u64; 4], draws: &mut PlayoutRng) -> (u8, u8) {
    let mut pick = draws.below(masks.into_iter().map(u64::count_ones).sum());
    let mut number = 0;
    while pick >= masks[number].count_ones() {
        pick -= masks[number].count_ones();
        number += 1;
    }
    (number as u8, nth_cell(masks[number].into(), pick))
}

/// The name of a player of stones.
pub(crate) fn side(player: Player) -> &'static str {
    if player == Player::FIRST { "x" } else { "o" }
}
