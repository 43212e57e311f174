//! 2048: tiles slide, equal ones merge, and chance puts another. A board is 16 cells of four bits; a table has every row of four slid.

use std::sync::LazyLock;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{
    Facts, Game, GameExt, LARGEST_PAYOFF, NamedGame, Outcome, Picture, Player, PositionError, Tone, Turn,
    nth_set_bit,
};
use crate::grid::Grid;
use crate::rng::PlayoutRng;

/// The payoff of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// 1 if the target was reached, else 0.
    Success,
    /// The sum of the merged tiles, divided by a power of two if it could be larger than a payoff may be.
    Score,
}

/// The rules, on a board of 2 to 4 rows and columns. Chance puts two tiles on free cells. Then the player slides all tiles to one side, if one
/// moves, and chance puts a tile: each free cell is equally likely, 2 has probability .9 and 4 has .1. Of tiles that meet, two equal ones
/// merge into their sum, which is added to the score, those at the side first; a merged tile does not merge again. The game ends with a
/// tile of the target, or without a slide.
///
/// # References
/// Cirulli 2014, "2048"; Szubert, Jaśkowski 2014, "Temporal difference learning of n-tuple networks for the game 2048"; Lees-Miller 2018,
/// "The mathematics of 2048": the exact values of small boards.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::twenty_forty_eight::{Reward, TwentyFortyEight};
/// let game = TwentyFortyEight::new(2, 8, Reward::Score).unwrap();
/// let end = game.follow("a1=2 b1=2 left b1=4 left").unwrap();
/// assert_eq!(game.position_text(&end).unwrap(), "8,./.,. 12 points");
/// assert_eq!(game.payoff(&end, Player::FIRST), 12);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TwentyFortyEight {
    size: u8,
    /// The target is 2 to this power.
    target: u8,
    reward: Reward,
    /// Payoffs are the score divided by 2 to this power.
    shift: u32,
    /// All bits of the cells of the board.
    board: u64,
    /// Each row of four cells, slid to its lowest and to its highest.
    slid: [&'static [u16]; 2],
}

/// The tiles, and the tiles that chance puts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The logarithm of the tile of each cell, four bits each, 16 for each row from the top; 0 is a free cell.
    tiles: u64,
    /// The tiles of 4 that chance put, whose merging gave no points; 0 if points do not count.
    fours: u32,
    /// The tiles that chance puts before the next slide.
    coming: u8,
    /// The slides that move a tile, as bits in the order of [`Move::SLIDES`].
    slides: u8,
}

/// A slide of the player, or a tile of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// All tiles to column a.
    Left,
    /// All tiles to the last column.
    Right,
    /// All tiles to row 1.
    Up,
    /// All tiles to the last row.
    Down,
    /// A tile on a free cell.
    Tile {
        /// The cell: 4 for each row from the top, 1 for each column.
        cell: u8,
        /// 1 for a tile of 2, 2 for a tile of 4.
        exponent: u8,
    },
}

impl Move {
    /// The slides, in the order of moves.
    pub const SLIDES: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];
}

/// The lowest bit of each cell.
const CELLS: u64 = 0x1111_1111_1111_1111;

/// The lowest bit of the cells of the last column of four.
const LAST: u64 = 0x1000_1000_1000_1000;

/// Each row of four cells, slid to its lowest.
static LOWER: LazyLock<Vec<u16>> = LazyLock::new(|| (0..=u16::MAX).map(slide_row).collect());

/// Each slid to its highest.
static HIGHER: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mirrored = |row: u16| row >> 12 | row >> 4 & 0xF0 | row << 4 & 0xF00 | row << 12;
    (0..=u16::MAX).map(|row| mirrored(slide_row(mirrored(row)))).collect()
});

fn slide_row(row: u16) -> u16 {
    let (mut slid, mut at, mut waiting) = (0, 0, 0);
    for tile in (0..4).map(|cell| row >> (4 * cell) & 15).filter(|&tile| tile > 0) {
        // No game has two tiles of 2 to the 15th, since the first ends it.
        let merges = tile == waiting && tile < 15;
        (at, waiting) = if merges { (at - 4, 0) } else { (at, tile) };
        slid = slid & !(15 << at) | (tile + u16::from(merges)) << at;
        at += 4;
    }
    slid
}

/// The rows and columns swapped.
#[inline(always)]
const fn swapped(tiles: u64) -> u64 {
    let one = (tiles ^ tiles >> 12) & 0x0000_F0F0_0000_F0F0;
    let tiles = tiles ^ one ^ one << 12;
    let two = (tiles ^ tiles >> 24) & 0x0000_0000_FF00_FF00;
    tiles ^ two ^ two << 24
}

/// The lowest bit of each cell with a tile.
#[inline(always)]
const fn occupied(tiles: u64) -> u64 {
    (tiles | tiles >> 1 | tiles >> 2 | tiles >> 3) & CELLS
}

/// The tiles' exponents, free cells left out.
fn exponents(tiles: u64) -> impl Iterator<Item = u32> {
    (0..16).map(move |cell| (tiles >> (4 * cell) & 15) as u32).filter(|&exponent| exponent > 0)
}

/// The points for merging two tiles of 2, four of them, … into each of these tiles.
fn merged(exponents: impl Iterator<Item = u32>) -> u32 {
    exponents.map(|exponent| (exponent - 1) << exponent).sum()
}

impl TwentyFortyEight {
    /// The game on a board of `size` rows and columns, 2 to 4, to a tile of `target`, a power of two from 8 to 32 768.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(size: u8, target: u16, reward: Reward) -> Result<Self, OptionError> {
        if !(2..=4).contains(&size) || !target.is_power_of_two() || target < 8 {
            let text = format!(
                "a board of {size} and the target {target}: expected 2 to 4, and 8, 16, 32 … or 32768"
            );
            return Err(OptionError::Other(text));
        }
        let row = u64::from(u16::MAX >> (16 - 4 * size));
        let board = (row * 0x0001_0001_0001_0001) & (u64::MAX >> (64 - 16 * u32::from(size)));
        let game =
            Self { size, target: target.ilog2() as u8, reward, shift: 0, board, slid: [&LOWER, &HIGHER] };
        let most = game.most_points();
        Ok(Self { shift: (0..16).find(|shift| most >> shift <= LARGEST_PAYOFF).unwrap_or(16), ..game })
    }

    /// The largest exponent of the tile of each rank in size: the last made of the `rank` largest had `cells` − `rank` cells more than its own,
    /// and with j cells a tile of 2 to the power of j + 1 can be made.
    fn largest(&self) -> impl Iterator<Item = u32> {
        let (most, cells) = (u32::from(self.target) - 1, u32::from(self.size).pow(2));
        (0..cells).map(move |rank| most.min(cells - rank + 1))
    }

    /// A bound on the points of a game: those of the largest tiles, half of which the last slide merges.
    fn most_points(&self) -> u32 {
        let most = u32::from(self.target) - 1;
        let last = self.largest().filter(|&exponent| exponent == most).count() as u32 / 2;
        merged(self.largest()) + (last << self.target)
    }

    fn points(position: &Position) -> u32 {
        merged(exponents(position.tiles)) - 4 * position.fours
    }

    fn reached(&self, tiles: u64) -> bool {
        let differs = tiles ^ (CELLS * u64::from(self.target));
        occupied(differs) != CELLS
    }

    /// The free cells, as their lowest bits.
    #[inline(always)]
    fn free(&self, tiles: u64) -> u64 {
        !occupied(tiles) & CELLS & self.board
    }

    /// The slides that move a tile, as bits.
    #[inline(always)]
    fn slides(&self, tiles: u64) -> u8 {
        let (there, board) = (occupied(tiles), self.board);
        // Of each cell and the next one: whether they are equal, whether only the second has a tile, whether only the first has.
        let pairs = |step: u32, cells: u64| {
            let both = board & board >> step & cells;
            let next = there >> step;
            let equal = both & there & !occupied(tiles ^ tiles >> step);
            [equal | both & !there & next, equal | both & there & !next].map(|some| u8::from(some != 0))
        };
        let ([left, right], [up, down]) = (pairs(4, CELLS & !LAST), pairs(16, CELLS));
        left | right << 1 | up << 2 | down << 3
    }

    #[inline(always)]
    fn slid(&self, tiles: u64, slide: usize) -> u64 {
        // A row without its last cells is slid beyond them, and back.
        let unused = 16 - 4 * u32::from(self.size);
        let slid = |tiles: u64, rows: &[u16]| {
            let row = |row: u32| u64::from(rows[usize::from((tiles >> (16 * row)) as u16)]) << (16 * row);
            row(0) | row(1) | row(2) | row(3)
        };
        let (columns, [lower, higher]) = (swapped(tiles), self.slid);
        // All four, before it is known which one is played: a choice could not be predicted.
        let [up, down] = [slid(columns, lower), slid(columns, higher) >> unused].map(swapped);
        [slid(tiles, lower), slid(tiles, higher) >> unused, up, down][slide & 3]
    }

    fn grid(&self) -> Grid {
        Grid { rows: self.size, columns: self.size }
    }

    /// The texts of the cells of each row: tiles, or points.
    fn cells(&self, position: &Position) -> Vec<Vec<String>> {
        let tile = |row: u8, column: u8| match position.tiles >> (16 * row + 4 * column) & 15 {
            0 => ".".into(),
            exponent => (1 << exponent).to_string(),
        };
        (0..self.size).map(|row| (0..self.size).map(|column| tile(row, column)).collect()).collect()
    }

    fn read(&self, text: &str) -> Option<Position> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, words) = words.split_first()?;
        let (coming, words) = match words {
            [coming, "to", "come", words @ ..] => (coming.parse().ok()?, words),
            _ => (0, words),
        };
        let points = match words {
            [] => None,
            [points, "points"] if self.reward == Reward::Score => Some(points.parse::<u32>().ok()?),
            _ => return None,
        };
        let rows: Vec<Vec<&str>> = board.split('/').map(|row| row.split(',').collect()).collect();
        let size = usize::from(self.size);
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return None;
        }
        let mut tiles = 0;
        for (cell, text) in rows.iter().enumerate().flat_map(|(row, cells)| (4 * row..).zip(cells)) {
            let exponent = match text.parse::<u16>() {
                Ok(tile) if tile.is_power_of_two() && tile > 1 => tile.ilog2(),
                Err(_) if *text == "." => 0,
                _ => return None,
            };
            tiles |= u64::from(exponent) << (4 * cell);
        }
        let mut sorted: Vec<u32> = exponents(tiles).collect();
        sorted.sort_unstable_by_key(|&exponent| std::cmp::Reverse(exponent));
        let is_over = self.reached(tiles);
        let most =
            |rank: u32| if is_over { self.target.into() } else { u32::from(self.size).pow(2) + 1 - rank };
        let fits = (0..).zip(&sorted).all(|(rank, &exponent)| exponent <= most(rank).min(self.target.into()));
        let coming_fits =
            u32::from(coming) <= self.free(tiles).count_ones().min(2) && !(is_over && coming > 0);
        if !fits || !coming_fits || sorted.is_empty() && coming != 2 {
            return None;
        }
        let all = merged(exponents(tiles));
        let unmerged = points.map_or(Some(0), |points| all.checked_sub(points))?;
        let slides = if coming > 0 || is_over { 0 } else { self.slides(tiles) };
        let is_possible = unmerged % 4 == 0 && all - unmerged <= self.most_points();
        is_possible.then_some(Position { tiles, fours: unmerged / 4, coming, slides })
    }
}

impl Game for TwentyFortyEight {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire().with_chance());

    fn facts(&self) -> Facts {
        // Each tile of chance adds at least 2 to the sum of the tiles, and a slide follows it.
        let plies = self.largest().map(|exponent| 1 << exponent).sum();
        let facts = Facts::solitaire().with_chance().with_max_plies(plies);
        let most = self.most_points() as i32;
        match self.reward {
            Reward::Success => facts,
            Reward::Score => facts.with_payoffs(0, most >> self.shift).judged_by_score("points", 0, most),
        }
    }

    fn start(&self) -> Position {
        Position { tiles: 0, fours: 0, coming: 2, slides: 0 }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        match (position.coming, position.slides) {
            (0, 0) => Turn::Over,
            (0, _) => Turn::Player(Player::FIRST),
            _ => Turn::Chance,
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let slides = position.slides;
        (0..4).filter(move |slide| slides >> slide & 1 == 1).map(|slide| Move::SLIDES[slide])
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        position.slides.count_ones()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        let slide = nth_set_bit(position.slides.into(), draws.below(position.slides.count_ones()));
        Move::SLIDES[usize::from(slide.expect("a player's turn has a slide"))]
    }

    #[inline(always)]
    fn outcomes(&self, position: &Position) -> impl Iterator<Item = (Move, u32)> {
        let free = if position.coming > 0 { self.free(position.tiles) } else { 0 };
        let cells = (0..16).filter(move |cell| free >> (4 * cell) & 1 == 1);
        cells.flat_map(|cell| [(Move::Tile { cell, exponent: 1 }, 9), (Move::Tile { cell, exponent: 2 }, 1)])
    }

    #[inline(always)]
    fn random_outcome(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        let free = self.free(position.tiles);
        let pick = draws.below(10 * free.count_ones());
        let cell = nth_set_bit(free, pick / 10).expect("a chance turn has a free cell") / 4;
        Move::Tile { cell, exponent: 1 + u8::from(pick % 10 == 9) }
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: Move) {
        match mv {
            Move::Tile { cell, exponent } => {
                position.tiles |= u64::from(exponent) << (4 * cell);
                position.fours += u32::from(exponent == 2 && self.reward == Reward::Score);
                position.coming -= 1;
                if position.coming == 0 {
                    position.slides = self.slides(position.tiles);
                }
            }
            slide => {
                let number = Move::SLIDES.iter().position(|&known| known == slide);
                position.tiles = self.slid(position.tiles, number.expect("a slide"));
                position.coming = u8::from(!self.reached(position.tiles));
                position.slides = 0;
            }
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, _player: Player) -> i32 {
        match self.reward {
            Reward::Success => self.reached(position.tiles).into(),
            Reward::Score => (Self::points(position) >> self.shift) as i32,
        }
    }

    fn outcome(&self, position: &Position, _player: Player) -> Outcome {
        if self.reached(position.tiles) { Outcome::Win } else { Outcome::Loss }
    }

    fn score(&self, position: &Position, player: Player) -> i32 {
        match self.reward {
            Reward::Success => self.payoff(position, player),
            Reward::Score => Self::points(position) as i32,
        }
    }

    #[inline(always)]
    fn move_number(&self, mv: Move) -> Option<u16> {
        Move::SLIDES.iter().position(|&slide| slide == mv).map(|slide| slide as u16)
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        let Position { tiles, fours, coming, .. } = *position;
        Some(u128::from(tiles) | u128::from(fours) << 64 | u128::from(coming) << 96)
    }

    /// A side, or a cell and its tile such as `b1=4`.
    fn notation(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Tile { cell, exponent } => {
                format!("{}={}", self.grid().name(cell / 4 * self.size + cell % 4), 1 << exponent)
            }
            slide => format!("{slide:?}").to_lowercase(),
        }
    }

    fn drawing(&self, position: &Position) -> String {
        let row = |row: &Vec<String>| row.iter().fold(String::new(), |text, tile| format!("{text}{tile:>6}"));
        let mut text = self.cells(position).iter().map(row).collect::<Vec<_>>().join("\n");
        if self.reward == Reward::Score {
            text = format!("{text}\n{} points", Self::points(position));
        }
        text
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let side = 20 * u16::from(self.size);
        let mut picture = Picture::new(side, side).rect(Tone::Board, [0, 0], [side, side]);
        for (y, row) in (0..).zip(self.cells(position)) {
            for (x, tile) in (0..).zip(row).filter(|(_, tile)| tile != ".") {
                let [x, y] = [20 * x, 20 * y];
                picture = picture.rect(Tone::Card, [x + 1, y + 1], [18, 18]).text(
                    Tone::Ink,
                    [x + 10, y + 10],
                    tile,
                );
            }
        }
        Some(picture)
    }

    /// The rows from the top, such as `2,./.,4`, what chance puts next, such as `1 to come`, and the points if they count.
    fn position_text(&self, position: &Position) -> Option<String> {
        let rows: Vec<String> = self.cells(position).iter().map(|row| row.join(",")).collect();
        let mut text = rows.join("/");
        if position.coming > 0 {
            text = format!("{text} {} to come", position.coming);
        }
        if self.reward == Reward::Score {
            text = format!("{text} {} points", Self::points(position));
        }
        Some(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        if !text.contains('/') {
            return self.follow(text).map_err(|error| PositionError(error.to_string()));
        }
        self.read(text).ok_or_else(|| {
            PositionError(format!(
                "`{}` is no position: expected {} rows of tiles that a game can have, such as `2,./.,4`, and if chance is to put tiles their \
                 number, such as `1 to come`; with the reward score then the points, such as `8 points`",
                text.escape_debug(),
                self.size
            ))
        })
    }
}

settings! {
    struct TwentyFortyEightOptions {
        /// rows, and columns
        size: u8 = integer(2..=4, 4),
        /// the tile that ends the game, a power of two
        target: u16 = integer(8..=32_768, 2048),
        /// payoff of a game
        reward: Reward = choice([
            ("success", "whether the target is reached", Reward::Success),
            ("score", "the sum of the merged tiles; divided by a power of two if it can be larger than a payoff may be", Reward::Score),
        ]),
    }
}

impl NamedGame for TwentyFortyEight {
    const NAME: &'static str = "2048";
    const ABOUT: &'static str =
        "tiles slide, equal ones merge, and chance puts another: one player and chance";

    fn options() -> Vec<OptionDecl> {
        TwentyFortyEightOptions::options()
    }

    /// # Errors
    /// If the target is no power of two.
    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let TwentyFortyEightOptions { size, target, reward } = Settings::read(options);
        Self::new(size, target, reward)
    }
}
