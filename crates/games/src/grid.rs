//! A rectangular board of at most 128 cells: a mask has a bit for each cell, row by row from a1.

use crate::game::{Bits, Picture, Player, PositionError, Tone, nth_set_bit};

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

    /// The letter of a cell: `x` and `o` for the stones of the players, `.` for neither.
    fn letter([first, second]: [u128; 2], cell: u8) -> char {
        match (first >> cell & 1, second >> cell & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        }
    }

    /// The stones of the players under the letters of the columns, and who is to move. Row 1 is at the top; each row is indented by
    /// `slant` spaces more than the one above.
    pub(crate) fn drawing(self, stones: [u128; 2], slant: usize, to_move: Option<Player>) -> String {
        let letters: String = (0..self.columns).flat_map(|column| [' ', (b'a' + column) as char]).collect();
        let row = |row: u8| {
            let cells = (0..self.columns).map(|column| Self::letter(stones, row * self.columns + column));
            let cells: String = cells.flat_map(|cell| [' ', cell]).collect();
            format!("{}{:>2}{cells}", " ".repeat(slant * usize::from(row)), row + 1)
        };
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        let text = format!("  {letters}\n{}", rows.join("\n"));
        let side = |player| if player == Player::FIRST { "x" } else { "o" };
        text + &to_move.map_or_else(String::new, |player| format!("\n{} to move", side(player)))
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
            (0..self.columns).map(|column| Self::letter(stones, row * self.columns + column)).collect()
        };
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        format!("{} {}", rows.join("/"), if to_move == Player::FIRST { 'x' } else { 'o' })
    }

    /// Reads a [`text`](Self::text); `None` if the text has no `/` and no `.`, so that it may be moves.
    pub(crate) fn parse(self, text: &str) -> Option<Result<([u128; 2], Player), PositionError>> {
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
