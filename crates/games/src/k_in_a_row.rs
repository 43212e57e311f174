//! Games of k in a row on a rectangle: Gomoku, Connect Four, and all between.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, flag, integer, settings};
use crate::game::{
    Bits, Entries, Facts, Game, GameExt, NamedGame, Picture, PlainBoard, Player, PositionError, SearchHints,
    Symmetry, Turn, nth_set_bit,
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
    /// Whether one word has all places.
    is_small: bool,
    /// Shifts that find rows of `k` on such a board: rounds, until one of 0, each with a shift for every direction.
    rounds: [[u64; 4]; 4],
}

/// A set of places: the bit of a place is in word place / 64. A row has a place more than the board has columns, which stays empty: so
/// no row of stones runs over the edge.
type Places<const WORDS: usize> = [u64; WORDS];

/// The stones of the player to move and of the other, and the places where a stone can be put. No index of a word varies, so that a playout
/// keeps them in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board<const WORDS: usize> {
    mine: Places<WORDS>,
    theirs: Places<WORDS>,
    open: Places<WORDS>,
}

impl<const WORDS: usize> Board<WORDS> {
    const EMPTY: Self = Self { mine: [0; WORDS], theirs: [0; WORDS], open: [0; WORDS] };

    /// A place alone.
    #[inline(always)]
    fn only(place: u8) -> Places<WORDS> {
        std::array::from_fn(|word| u64::from(usize::from(place >> 6) == word) << (place & 63))
    }

    /// A random open place.
    #[inline(always)]
    fn random(&self, draws: &mut PlayoutRng) -> u8 {
        let mut counted = 0;
        let pick = draws.below(self.open.iter().map(|word| word.count_ones()).sum());
        let mut found = (0, 0, 0);
        for (number, word) in (0..).zip(self.open) {
            // A choice of operands, and no branch.
            found = if pick >= counted { (word, pick - counted, 64 * number) } else { found };
            counted += word.count_ones();
        }
        nth_set_bit(found.0, found.1).expect("a player's turn has a move") + found.2
    }

    /// Puts a stone of the player to move. Returns whether it wins.
    #[inline(always)]
    fn put(&mut self, game: &KInARow, place: u8) -> bool {
        let stone = Self::only(place);
        let own = std::array::from_fn(|word| self.mine[word] | stone[word]);
        let above = match (game.gravity, WORDS) {
            (false, _) => [0; WORDS],
            (true, 1) => stone.map(|stone| stone >> (game.stride() & 63)),
            _ => place.checked_sub(game.stride()).map_or([0; WORDS], Self::only),
        };
        self.open = std::array::from_fn(|word| self.open[word] & !stone[word] | above[word]);
        (self.mine, self.theirs) = (self.theirs, own);
        Self::has_row(game, &own, place)
    }

    /// Whether the stone at a place is in a row of `k`.
    #[inline(always)]
    fn has_row(game: &KInARow, stones: &Places<WORDS>, place: u8) -> bool {
        if WORDS == 1 {
            // All directions and the whole board at once.
            let mut runs = [stones[0]; 4];
            for steps in game.rounds.iter().take_while(|steps| steps[0] > 0) {
                runs = std::array::from_fn(|way| runs[way] & runs[way] >> (steps[way] & 63));
            }
            return runs != [0; 4];
        }
        // Above row 1 and below the last row there are empty places, up to 256, where the number wraps.
        [1, game.stride(), game.stride() + 1, game.stride() - 1].into_iter().any(|step| {
            let run = |step: u8| {
                let (mut at, mut length) = (place.wrapping_add(step), 0);
                while length < game.k && has(stones, at) {
                    (at, length) = (at.wrapping_add(step), length + 1);
                }
                length
            };
            1 + run(step) + run(step.wrapping_neg()) >= game.k
        })
    }
}

/// The stones of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A board whose places are in one word.
    small: Board<1>,
    /// Any other.
    large: Board<4>,
    to_move: Player,
    /// Whether the last stone made a row. Open places stay, so that no later ply waits for it.
    is_won: bool,
}

#[inline(always)]
const fn has<const WORDS: usize>(places: &Places<WORDS>, place: u8) -> bool {
    places[(place >> 6) as usize] >> (place & 63) & 1 == 1
}

fn with(places: Places<4>, place: u8) -> Places<4> {
    let added = Board::<4>::only(place);
    std::array::from_fn(|word| places[word] | added[word])
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
        let stride = u64::from(columns + 1);
        let (mut rounds, mut length) = ([[0; 4]; 4], 1);
        for round in &mut rounds {
            // Runs become twice as long, and in the last round `k`. No stone is 63 places from another.
            let more = length.min(u64::from(k) - length);
            *round = [1, stride, stride + 1, stride - 1].map(|step| (more * step).min(63));
            length += more;
        }
        Ok(Self { rows, columns, k, gravity, is_small: u64::from(rows) * stride <= 64, rounds })
    }

    /// The places of a row: one more than its cells.
    const fn stride(self) -> u8 {
        self.columns + 1
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

    fn places(self) -> impl Iterator<Item = u8> {
        (0..self.grid().cells() as u8).map(move |cell| self.place(cell))
    }

    /// The stones of the first player and of the second.
    fn stones(self, position: &Position) -> [Places<4>; 2] {
        let Position { small, large, to_move, .. } = position;
        let wide = |[word]: Places<1>| [word, 0, 0, 0];
        let small = [small.mine, small.theirs].map(wide);
        let [mine, theirs] = if self.is_small { small } else { [large.mine, large.theirs] };
        if *to_move == Player::FIRST { [mine, theirs] } else { [theirs, mine] }
    }

    fn has_row(self, stones: &Places<4>) -> bool {
        self.places().any(|place| has(stones, place) && Board::has_row(&self, stones, place))
    }

    /// The position with these stones. With gravity none hangs in the air.
    fn position(self, stones: [Places<4>; 2], to_move: Player) -> Position {
        let is_free = |place: u8| stones.iter().all(|stones| !has(stones, place));
        let [mine, theirs] = [to_move, to_move.other()].map(|player| stones[player.index()]);
        let is_won = self.has_row(&theirs);
        let is_lowest = |place: u8| place / self.stride() + 1 == self.rows;
        let lies = |place: u8| !self.gravity || is_lowest(place) || !is_free(place + self.stride());
        let open = self.places().filter(|&place| is_free(place) && lies(place));
        let open = open.fold([0; 4], with);
        let large = Board { mine, theirs, open };
        let small = Board { mine: [mine[0]], theirs: [theirs[0]], open: [open[0]] };
        let (small, large) = if self.is_small { (small, Board::EMPTY) } else { (Board::EMPTY, large) };
        Position { small, large, to_move, is_won }
    }

    /// The masks of the stones, on a board of at most 128 cells.
    fn masks(self, position: &Position) -> Option<[u128; 2]> {
        let mask = |stones: Places<4>| {
            let own = self.places().filter(|&place| has(&stones, place));
            own.fold(0, |mask, place| mask | 1 << self.cell(place))
        };
        (self.grid().cells() <= 128).then(|| self.stones(position).map(mask))
    }
}

impl Game for KInARow {
    type Position = Position;
    /// The place where a stone is put.
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid().cells())
    }

    fn start(&self) -> Position {
        self.position([[0; 4]; 2], Player::FIRST)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let is_full = if self.is_small { position.small.open == [0] } else { position.large.open == [0; 4] };
        if position.is_won || is_full { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let words = if self.is_small { [position.small.open[0], 0, 0, 0] } else { position.large.open };
        let words = (0..4).zip(words).filter(|_| !position.is_won);
        words.flat_map(|(word, open)| Bits::new(open).map(move |place| place + 64 * word))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        let Position { small, large, .. } = position;
        match (position.is_won, self.is_small) {
            (true, _) => 0,
            (_, true) => small.open[0].count_ones(),
            _ => large.open.map(u64::count_ones).iter().sum(),
        }
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        if self.is_small { position.small.random(draws) } else { position.large.random(draws) }
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, place: u8) {
        let Position { small, large, to_move, is_won } = position;
        *is_won = if self.is_small { small.put(self, place) } else { large.put(self, place) };
        *to_move = to_move.other();
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
        let [first, second] = self.stones(position);
        Some(
            side ^ if self.rows * self.stride() <= 63 {
                u128::from(first[0]) << 63 | u128::from(second[0])
            } else {
                let words = [first, second].into_iter().flatten();
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
        let [first, second] = self.stones(position);
        let letter = |place: u8| match (has(&first, place), has(&second, place)) {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '.',
        };
        self.grid().drawing(|cell| letter(self.place(cell)), 0, is_on.then(|| side(position.to_move)))
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
            let words = stones.map(|mask| cells_of(mask).map(|cell| self.place(cell)).fold([0; 4], with));
            let position = self.position(words, to_move);
            let is_own_row = self.has_row(&words[to_move.index()]);
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

    fn entries(&self) -> Entries<Self> {
        let game = *self;
        let owner = move |position: &Position, cell: usize| {
            let place = game.place(cell as u8);
            game.stones(position)
                .iter()
                .position(|stones| has(stones, place))
                .map(|player| Player::new(player as u8))
        };
        let symmetries = if self.gravity { &[Symmetry::Mirror] } else { &Symmetry::ALL[..] };
        let board = PlainBoard::new(self.rows.into(), self.columns.into(), owner).alike_by(symmetries);
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
