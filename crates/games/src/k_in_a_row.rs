//! Games of k in a row on a rectangle: Gomoku, Connect Four, and all between.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, flag, integer, settings};
use crate::game::{
    Bits, Facts, Game, GameExt, NamedGame, Picture, Player, PositionError, SearchHints, Turn, nth_set_bit,
};
use crate::grid::{Grid, cells_of, side};
use crate::rng::PlayoutRng;

/// The most rows and columns.
const MOST: u8 = 15;

/// The rules. A move puts a stone on a free cell, with `gravity` on the lowest free cell of a column. Who first has `k` stones or more in a row, along a row, a column or a
/// diagonal, wins; a full board is a draw.
///
/// # References
/// Van den Herik, Uiterwijk, van Rijswijck 2002, "Games solved: now and in the future", Artificial Intelligence 134; Allis 1988,
/// "A knowledge-based approach of Connect-Four".
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::k_in_a_row::KInARow;
/// let connect_four = KInARow::new(6, 7, 4, true)?;
/// let end = connect_four.follow("d c d c d c d").unwrap();
/// assert_eq!((connect_four.turn(&end), connect_four.payoff(&end, Player::FIRST)), (Turn::Over, 1));
/// let small = KInARow::new(3, 4, 3, false)?;
/// assert_eq!(small.drawing(&small.follow("a1 b2").unwrap()), "   a b c d\n 1 x . . .\n 2 . o . .\n 3 . . . .\nx to move");
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KInARow {
    rows: u8,
    columns: u8,
    k: u8,
    gravity: bool,
}

/// A set of places: the bit of a place is in word place / 64. A row has a place more than the board has columns, which stays empty: so
/// no row of stones runs over the edge.
type Places = [u64; 4];

#[inline(always)]
const fn has(places: &Places, place: u8) -> bool {
    places[(place >> 6) as usize] >> (place & 63) & 1 == 1
}

#[inline(always)]
const fn flip(places: &mut Places, place: u8) {
    places[(place >> 6) as usize] ^= 1 << (place & 63);
}

/// The stones of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [Places; 2],
    /// The places where a stone can be put.
    open: Places,
    to_move: Player,
    /// Whether the last stone made a row.
    is_won: bool,
}

impl KInARow {
    /// The game on a board of 1 to 15 rows and columns.
    ///
    /// # Errors
    /// If `k` is larger than both sides of the board.
    ///
    /// # Panics
    /// If a side or `k` is out of range.
    pub fn new(rows: u8, columns: u8, k: u8, gravity: bool) -> Result<Self, OptionError> {
        assert!([rows, columns, k].iter().all(|side| (1..=MOST).contains(side)), "a side has 1 to 15 cells");
        if k > rows.max(columns) {
            let text = format!("no row of {k} has room on a board of {rows} rows and {columns} columns");
            return Err(OptionError::Other(text));
        }
        Ok(Self { rows, columns, k, gravity })
    }

    /// The places of a row: one more than its cells.
    const fn stride(self) -> u8 {
        self.columns + 1
    }

    /// Whether one word has all places.
    #[inline(always)]
    const fn is_small(self) -> bool {
        self.rows * self.stride() <= 64
    }

    /// Whether the stone at a place is in a row of `k`.
    #[inline(always)]
    fn is_in_a_row(self, stones: &Places, place: u8) -> bool {
        let stride = self.stride();
        let steps = [1, stride, stride + 1, stride - 1];
        if self.is_small() {
            // All rows of the board at once: twice as long, and then the rest.
            return steps.into_iter().any(|step| {
                let (mut runs, mut length) = (stones[0], 1);
                while length < self.k {
                    let more = length.min(self.k - length);
                    runs &= runs.unbounded_shr(u32::from(more) * u32::from(step));
                    length += more;
                }
                runs != 0
            });
        }
        // Above row 1 and below the last row there are empty places, up to 256, where the number wraps.
        steps.into_iter().any(|step| {
            let run = |step: u8| {
                let mut at = place.wrapping_add(step);
                let mut length = 0;
                while length < self.k && has(stones, at) {
                    (at, length) = (at.wrapping_add(step), length + 1);
                }
                length
            };
            1 + run(step) + run(step.wrapping_neg()) >= self.k
        })
    }

    /// The place of a cell that is counted row by row without gaps.
    const fn place(self, cell: u8) -> u8 {
        cell + cell / self.columns
    }

    const fn cell(self, place: u8) -> u8 {
        place - place / self.stride()
    }

    const fn grid(self) -> Grid {
        Grid { rows: self.rows, columns: self.columns }
    }

    fn letter(position: &Position, place: u8) -> char {
        match position.stones.each_ref().map(|stones| has(stones, place)) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        }
    }

    fn places(self) -> impl Iterator<Item = u8> {
        (0..self.grid().cells() as u8).map(move |cell| self.place(cell))
    }

    /// The position with these stones. With gravity none hangs in the air.
    fn position(self, stones: [Places; 2], to_move: Player) -> Position {
        let is_free = |place: u8| !has(&stones[0], place) && !has(&stones[1], place);
        let last = &stones[to_move.other().index()];
        let is_won = self.places().any(|place| has(last, place) && self.is_in_a_row(last, place));
        let mut position = Position { stones, open: [0; 4], to_move, is_won };
        let is_lowest = |place: u8| place / self.stride() + 1 == self.rows;
        let lies = |place: u8| !self.gravity || is_lowest(place) || !is_free(place + self.stride());
        let open = self.places().filter(|&place| !is_won && is_free(place) && lies(place));
        open.for_each(|place| flip(&mut position.open, place));
        position
    }

    /// The masks of the stones, on a board of at most 128 cells.
    fn masks(self, position: &Position) -> Option<[u128; 2]> {
        let mask = |stones: Places| {
            let own = self.places().filter(|&place| has(&stones, place));
            own.fold(0, |mask, place| mask | 1 << self.cell(place))
        };
        (self.grid().cells() <= 128).then(|| position.stones.map(mask))
    }
}

impl Game for KInARow {
    type Position = Position;
    /// The place where a stone is put.
    type Move = u8;

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid().cells())
    }

    fn start(&self) -> Position {
        self.position([[0; 4]; 2], Player::FIRST)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.open[0] == 0 && (self.is_small() || position.open == [0; 4]) {
            Turn::Over
        } else {
            Turn::Player(position.to_move)
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let words = (0..4).zip(position.open);
        words.flat_map(|(word, open)| Bits::new(open).map(move |place| place + 64 * word))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        let [first, others @ ..] = position.open.map(u64::count_ones);
        if self.is_small() { first } else { first + others.into_iter().sum::<u32>() }
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let (open, mut pick, mut word) = (position.open, draws.below(self.move_count(position)), 0);
        if self.is_small() {
            return nth_set_bit(open[0], pick).expect("a player's turn has a move");
        }
        while pick >= open[word].count_ones() {
            pick -= open[word].count_ones();
            word += 1;
        }
        nth_set_bit(open[word], pick).expect("the word has more open cells") + 64 * word as u8
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, place: u8) {
        let stones = &mut position.stones[position.to_move.index()];
        flip(stones, place);
        flip(&mut position.open, place);
        position.is_won = self.is_in_a_row(stones, place);
        if position.is_won {
            position.open = [0; 4];
        } else if self.gravity && place >= self.stride() {
            flip(&mut position.open, place - self.stride());
        }
        position.to_move = position.to_move.other();
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        match (position.is_won, player == position.to_move) {
            (false, _) => 0,
            (true, true) => -1,
            (true, false) => 1,
        }
    }

    #[inline(always)]
    fn hints(&self) -> impl SearchHints<Self> {
        FromTheMiddle
    }

    #[inline(always)]
    fn move_number(&self, place: u8) -> Option<u16> {
        Some(place.into())
    }

    /// The stones of both and the player to move, or on a board of more than 63 places a hash of them.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        const FACTOR: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        let side = (position.to_move.index() as u128) << 127;
        Some(
            side ^ if self.rows * self.stride() <= 63 {
                u128::from(position.stones[0][0]) << 63 | u128::from(position.stones[1][0])
            } else {
                let words = position.stones.into_iter().flatten();
                words.fold(0, |key: u128, word| (key ^ u128::from(word)).wrapping_mul(FACTOR).rotate_left(61))
            },
        )
    }

    /// The cell, with row 1 at the top; with gravity the column alone.
    fn notation(&self, _position: &Position, place: u8) -> String {
        let name = self.grid().name(self.cell(place));
        if self.gravity { name[..1].into() } else { name }
    }

    fn drawing(&self, position: &Position) -> String {
        let is_on = self.turn(position) != Turn::Over;
        self.grid().drawing(
            |cell| Self::letter(position, self.place(cell)),
            0,
            is_on.then(|| side(position.to_move)),
        )
    }

    /// A picture of a board of at most 128 cells.
    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.grid().picture(self.masks(position)?))
    }

    /// The rows of a board of at most 128 cells; larger boards have transcripts only.
    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid().text(self.masks(position)?, position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        (self.grid().cells() <= 128).then(|| self.grid().named_side(text))?
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        if self.grid().cells() > 128 {
            return self.follow(text).map_err(|error| PositionError(error.to_string()));
        }
        self.grid().read(self, text, |stones, to_move| {
            let words = stones.map(|mask| {
                let mut places = [0; 4];
                cells_of(mask).for_each(|cell| flip(&mut places, self.place(cell)));
                places
            });
            let position = self.position(words, to_move);
            let is_own_row = self.position(words, to_move.other()).is_won;
            let all = stones[0] | stones[1];
            let hangs = self.gravity && all << self.columns & self.grid().all() & !all != 0;
            match (is_own_row, hangs) {
                (true, _) => Err(PositionError(format!("the side to move has {} in a row already", self.k))),
                (_, true) => Err(PositionError("a stone hangs above a free cell".into())),
                _ => Ok(position),
            }
        })
    }
}

/// A move that wins comes first, then the nearest to the middle.
struct FromTheMiddle;

impl SearchHints<KInARow> for FromTheMiddle {
    #[inline(always)]
    fn order(&self, game: &KInARow, _position: &Position, place: u8, child: &Position) -> i32 {
        let [row, column] = [place / game.stride(), place % game.stride()].map(i32::from);
        let off =
            (2 * column + 1 - i32::from(game.columns)).abs() + (2 * row + 1 - i32::from(game.rows)).abs();
        if child.is_won { 1 << 20 } else { -off }
    }
}

settings! {
    struct KInARowOptions {
        /// rows of the board
        rows: u8 = integer(1..=15, 15),
        /// columns of the board
        columns: u8 = integer(1..=15, 15),
        /// stones in a row that win
        k: u8 = integer(1..=15, 5),
        /// whether a stone falls to the lowest free cell of its column: rows=6, columns=7, k=4 is Connect Four
        gravity: bool = flag(false),
    }
}

impl NamedGame for KInARow {
    const NAME: &'static str = "k-in-a-row";
    const ABOUT: &'static str = "k stones in a row win: Gomoku, and with gravity Connect Four";

    fn options() -> Vec<OptionDecl> {
        KInARowOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let KInARowOptions { rows, columns, k, gravity } = Settings::read(options);
        Self::new(rows, columns, k, gravity)
    }
}
