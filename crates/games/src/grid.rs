//! A rectangular board of at most 128 cells: a mask has a bit for each cell, row by row from a1.

use crate::game::options::OptionError;
use crate::game::{Bits, Game, GameExt, Picture, PlainBoard, Player, PositionError, Tone, Turn, nth_set_bit};
use crate::rng::PlayoutRng;

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) rows: u8,
    pub(crate) columns: u8,
}

impl Grid {
    /// A board of this size, if it has no more cells than `most`.
    pub(crate) fn within(most: u32, rows: u8, columns: u8) -> Result<Self, OptionError> {
        let grid = Self { rows, columns };
        let cells = grid.cells();
        if cells > most {
            let text = format!("{rows} × {columns} are {cells} cells, and a board has at most {most}");
            return Err(OptionError::Other(text));
        }
        Ok(grid)
    }

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

    /// These cells one row further; the distance is below 64 for the compiler too, which makes the shift twice as fast.
    #[inline(always)]
    pub(crate) const fn down(self, cells: u128) -> u128 {
        cells << (self.columns & 63)
    }

    /// These cells one row back.
    #[inline(always)]
    pub(crate) const fn up(self, cells: u128) -> u128 {
        cells >> (self.columns & 63)
    }

    /// The name of a cell: a letter for the column, a number for the row.
    pub(crate) fn name(self, cell: u8) -> String {
        format!("{}{}", (b'a' + cell % self.columns) as char, cell / self.columns + 1)
    }

    /// The letter of each cell: `x` and `o` for the stones of the players, `.` for neither.
    pub(crate) fn letters(stones: [u128; 2]) -> impl Fn(u8) -> char + Copy {
        Self::letters_of(stones, ["x", "o"])
    }

    /// The letter of each cell: that of the first mask that has it, `.` for none.
    pub(crate) fn letters_of<const N: usize>(
        masks: [u128; N],
        letters: [&'static str; N],
    ) -> impl Fn(u8) -> char + Copy {
        move |cell| {
            let letter = masks.iter().zip(letters).find(|(mask, _)| *mask >> cell & 1 == 1);
            letter.and_then(|(_, letter)| letter.chars().next()).unwrap_or('.')
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
            text =
                format!("{text}\n{}{:>2}{}", " ".repeat(slant * usize::from(row)), row + 1, cells.trim_end());
        }
        text + &to_move.map_or_else(String::new, |side| format!("\n{side} to move"))
    }

    /// A key of the stones of both and the player to move; beyond 63 cells a hash of them.
    #[inline(always)]
    pub(crate) fn key(self, [first, second]: [u128; 2], to_move: Player) -> u128 {
        const FACTORS: [u128; 2] =
            [0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835, 0xC2B2_AE3D_27D4_EB4F_1656_67B1_9E37_79F9];
        let side = (to_move.index() as u128) << 127;
        side ^ if self.cells() <= 63 {
            first << 63 | second
        } else {
            first.wrapping_mul(FACTORS[0]) ^ second.wrapping_mul(FACTORS[1]).rotate_left(64)
        }
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

    /// The stones of the players as discs on these cells, each row half a cell to the right of the one above.
    pub(crate) fn slanted_picture(self, cells: u128, stones: [u128; 2]) -> Picture {
        let [rows, columns] = [self.rows, self.columns].map(u16::from);
        let mut picture = Picture::new(10 * columns + 5 * rows, 10 * rows);
        for cell in cells_of(cells) {
            let [row, column] = [cell / self.columns, cell % self.columns].map(u16::from);
            let centre = [10 * column + 5 * row + 5, 10 * row + 5];
            picture = picture.ring(Tone::Line, centre, 4);
            for (tone, stones) in [Tone::First, Tone::Second].into_iter().zip(stones) {
                if stones >> cell & 1 == 1 {
                    picture = picture.disc(tone, centre, 4);
                }
            }
        }
        picture
    }

    /// The cells as squares for n-tuples, owned by whose stone is there.
    pub(crate) fn board<P>(
        self,
        stones: impl Fn(&P) -> [u128; 2],
    ) -> PlainBoard<impl Fn(&P, usize) -> Option<Player>> {
        PlainBoard::new(self.rows.into(), self.columns.into(), move |position: &P, cell| {
            let [first, second] = stones(position).map(|stones| stones >> cell & 1 == 1);
            if first { Some(Player::FIRST) } else { second.then_some(Player::SECOND) }
        })
    }

    /// The stones as one line: the rows from row 1 with `/` between, a space, and the side to move.
    pub(crate) fn text(self, stones: [u128; 2], to_move: Player) -> String {
        self.text_of(Self::letters(stones), to_move)
    }

    /// The letters of the cells as one line.
    pub(crate) fn text_of(self, letter: impl Fn(u8) -> char + Copy, to_move: Player) -> String {
        let row =
            |row: u8| (0..self.columns).map(move |column| letter(row * self.columns + column)).collect();
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        format!("{} {}", rows.join("/"), side(to_move))
    }

    /// The side to move that a [`text`](Self::text) names.
    pub(crate) fn named_side(self, text: &str) -> Option<Player> {
        self.parse(["x", "o", "#", "*", "-"], text)?.ok().map(|(_, to_move)| to_move)
    }

    /// Reads a [`text`](Self::text), of which `position` makes a position, or the moves that lead to one.
    pub(crate) fn read<G: Game>(
        self,
        game: &G,
        text: &str,
        position: impl FnOnce([u128; 2], Player) -> Result<G::Position, PositionError>,
    ) -> Result<G::Position, PositionError> {
        self.read_letters(game, ["x", "o"], text, position)
    }

    /// Reads a [`text`](Self::text_of) with these letters, as masks, or the moves that lead to a position.
    pub(crate) fn read_letters<G: Game, const N: usize>(
        self,
        game: &G,
        letters: [&str; N],
        text: &str,
        position: impl FnOnce([u128; N], Player) -> Result<G::Position, PositionError>,
    ) -> Result<G::Position, PositionError> {
        match self.parse(letters, text) {
            Some(read) => read.and_then(|(masks, to_move)| position(masks, to_move)),
            None => game.follow(text).map_err(|error| PositionError(error.to_string())),
        }
    }

    /// Reads a [`text`](Self::text_of); `None` if what would be its first row has no `.` and another letter, or nothing shows that it is a row,
    /// so that it may be moves.
    fn parse<const N: usize>(
        self,
        letters: [&str; N],
        text: &str,
    ) -> Option<Result<([u128; N], Player), PositionError>> {
        let (board, side) = text.trim().rsplit_once(char::is_whitespace)?;
        let board = board.to_ascii_lowercase();
        let all_letters = letters.concat().to_ascii_lowercase();
        let first = board.split('/').next()?;
        let is_row =
            (self.rows == 1 || board.contains('/')) && first.chars().all(|c| all_letters.contains(c));
        if !is_row && !first.contains('.') {
            return None;
        }
        let refused = || {
            let Self { rows, columns } = self;
            PositionError(format!(
                "`{}` is not a board: expected {rows} rows of {columns} cells, {} or `.`, with / between them, a space, and the side \
                 to move, x or o",
                text.escape_debug(),
                letters.join(", ")
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
            && board.chars().all(|c| "./".contains(c) || all_letters.contains(c));
        if !fits {
            return Some(Err(refused()));
        }
        let mask = |of: &str| {
            let of = of.to_ascii_lowercase();
            let cells = rows.iter().flat_map(|row| row.chars());
            (0..128_u32).zip(cells).fold(0, |mask, (cell, c)| mask | u128::from(of.contains(c)) << cell)
        };
        Some(Ok((letters.map(mask), to_move)))
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
    let in_low = low.count_ones();
    // A choice of operands, and no branch: which half it is cannot be predicted.
    let (half, rank, first) = if rank < in_low { (low, rank, 0) } else { (high, rank - in_low, 64) };
    first + nth_set_bit(half, rank).expect("a rank below the number of cells")
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

/// A drawn position whose game is not over, or none if no game has a move at the start.
pub(crate) fn playable<G: Game>(game: &G, draw: impl FnMut() -> G::Position) -> Option<G::Position> {
    let is_on = |position: &G::Position| game.turn(position) != Turn::Over;
    is_on(&game.start()).then(|| std::iter::repeat_with(draw).find(is_on))?
}

/// The name of a player of stones.
pub(crate) fn side(player: Player) -> &'static str {
    if player == Player::FIRST { "x" } else { "o" }
}

/// A hash of words, for keys.
pub(crate) fn hash_of<'w>(first: u128, words: impl Iterator<Item = &'w u64>) -> u128 {
    const FACTOR: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
    let next = |hash: u128, &word: &u64| (hash ^ u128::from(word)).wrapping_mul(FACTOR).rotate_left(64);
    words.fold(first, next).wrapping_mul(FACTOR)
}
