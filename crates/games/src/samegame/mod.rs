//! `SameGame`: groups of stones of one colour are taken, stones fall, columns close. A board is a mask of 256 bits for each bit of the
//! colours, 16 bits a column, so that all neighbours are compared at once; rejected: an array of cells, whose groups are found one by one.

mod boards;
mod tabu;

pub use tabu::TabuColour;

use crate::game::{Bits, Facts, Game, Outcome, Picture, Player, PositionError, Turn};
use crate::grid::{Grid, hash_of, random_of};
use crate::rng::{PlayoutRng, Rng};

/// The points for an empty board.
const EMPTIED: i32 = 1000;

/// The most rows, and the most columns.
const MOST: u8 = 15;

/// A bit for each cell, 16 for each column from the left, the lowest row first.
type Mask = [u64; 4];

/// The rules. A move takes a group of two or more stones of one colour that touch at their sides: n stones give (n − 2)² points. Stones
/// fall, and empty columns close to the left. The game ends without a group. An empty board gives 1000 points; else each colour of
/// which r > 2 stones are left costs (r − 2)² points, unless the penalty is off. An empty board is a win.
///
/// # References
/// Moribe 1985, "Chain Shot!"; Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008, "Single-player Monte-Carlo tree search";
/// Cazenave 2009, "Nested Monte-Carlo search", whose program has no penalty.
///
/// # Example
/// ```
/// use shikou::game::{Game, Player, Turn};
/// use shikou::games::samegame::SameGame;
/// let game = SameGame::random(2, 3, 3, 0).unwrap();
/// let mut end = game.parse_position("001/110").unwrap();
/// for cell in ["a2", "a2"] {
///     let group = game.parse_move(&end, cell).unwrap();
///     game.apply(&mut end, group);
/// }
/// assert_eq!(game.drawing(&end), "   a b c\n 1 . . .\n 2 1 . .\n1 points");
/// assert_eq!((game.turn(&end), game.payoff(&end, Player::FIRST)), (Turn::Over, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SameGame {
    start: Position,
    grid: Grid,
    colours: u8,
    has_penalty: bool,
}

/// The stones, the points and the moves so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The bits of the colours, counted from 1; 0 is an empty cell.
    planes: [Mask; 3],
    /// The lowest cell of each group of two or more, in its leftmost column.
    groups: Mask,
    points: u32,
    moves: u16,
}

#[inline(always)]
fn zip(one: Mask, other: Mask, of: impl Fn(u64, u64) -> u64) -> Mask {
    std::array::from_fn(|word| of(one[word], other[word]))
}

/// Each cell one row up. The top row of a column is free.
#[inline(always)]
fn up(mask: Mask) -> Mask {
    mask.map(|word| word << 1)
}

/// Each cell one row down.
#[inline(always)]
fn down(mask: Mask) -> Mask {
    mask.map(|word| word >> 1)
}

/// Each cell one column to the right.
#[inline(always)]
fn right([a, b, c, d]: Mask) -> Mask {
    [a << 16, b << 16 | a >> 48, c << 16 | b >> 48, d << 16 | c >> 48]
}

/// Each cell one column to the left.
#[inline(always)]
fn left([a, b, c, d]: Mask) -> Mask {
    [a >> 16 | b << 48, b >> 16 | c << 48, c >> 16 | d << 48, d >> 16]
}

#[inline(always)]
fn count(mask: Mask) -> u32 {
    mask.into_iter().map(u64::count_ones).sum()
}

#[inline(always)]
fn cells_of(mask: Mask) -> impl Iterator<Item = u8> {
    (0..).zip(mask).flat_map(|(word, bits)| Bits::new(bits).map(move |bit| 64 * word + bit))
}

#[inline(always)]
fn cell_mask(cell: u8) -> Mask {
    std::array::from_fn(|word| u64::from(usize::from(cell / 64) == word) << (cell % 64))
}

/// The cells whose colour is that of the cell below them, and those whose colour is that of the cell to their left.
struct Links {
    below: Mask,
    left: Mask,
}

impl Links {
    #[inline(always)]
    fn of(position: &Position) -> Self {
        let stones = position.stones();
        let same = |neighbours: fn(Mask) -> Mask| {
            let differs = position.planes.map(|plane| zip(plane, neighbours(plane), |a, b| a ^ b));
            std::array::from_fn(|word| {
                stones[word] & !(differs[0][word] | differs[1][word] | differs[2][word])
            })
        };
        Self { below: same(up), left: same(right) }
    }

    /// The group of a cell.
    #[inline(always)]
    fn group(&self, cell: u8) -> Mask {
        let mut group = cell_mask(cell);
        loop {
            let vertical = zip(
                zip(up(group), self.below, |a, b| a & b),
                down(zip(group, self.below, |a, b| a & b)),
                |a, b| a | b,
            );
            let column = zip(group, vertical, |a, b| a | b);
            let to_right = zip(right(column), self.left, |a, b| a & b);
            let to_left = left(zip(column, self.left, |a, b| a & b));
            let grown = std::array::from_fn(|word| column[word] | to_right[word] | to_left[word]);
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// The first cell of each group. From a cell go down or left within its group as long as possible. Where both ways are open and the
    /// cells they lead to have no common one below and left, they may end in two places; elsewhere all ways from a cell end in one
    /// (Newman 1942). So only groups with such a fork are looked at one by one.
    #[inline(always)]
    fn firsts(&self) -> Mask {
        let (onwards, beyond) = (zip(down(self.below), left(self.left), |a, b| a | b), right(self.below));
        let backwards = zip(self.below, self.left, |a, b| a | b);
        let mut firsts = zip(onwards, backwards, |a, b| a & !b);
        let mut forks: Mask = std::array::from_fn(|word| self.below[word] & self.left[word] & !beyond[word]);
        while let Some(fork) = cells_of(forks).next() {
            let group = self.group(fork);
            let first = cells_of(zip(group, firsts, |a, b| a & b)).next().expect("a group has a first cell");
            firsts = zip(zip(firsts, group, |a, b| a & !b), cell_mask(first), |a, b| a | b);
            forks = zip(forks, group, |a, b| a & !b);
        }
        firsts
    }
}

impl Position {
    #[inline(always)]
    fn stones(&self) -> Mask {
        std::array::from_fn(|word| self.planes[0][word] | self.planes[1][word] | self.planes[2][word])
    }

    /// The stones of a colour, counted from 0.
    #[inline(always)]
    fn of_colour(&self, colour: u8) -> Mask {
        let plane = |plane: usize, word: usize| {
            let bits = self.planes[plane][word];
            if (colour + 1) >> plane & 1 == 1 { bits } else { !bits }
        };
        std::array::from_fn(|word| plane(0, word) & plane(1, word) & plane(2, word))
    }

    /// The colour of the stone on a cell.
    fn colour(&self, cell: u8) -> Option<u8> {
        let bit =
            |plane: u8| (self.planes[usize::from(plane)][usize::from(cell / 64)] >> (cell % 64) & 1) as u8;
        (bit(0) | bit(1) << 1 | bit(2) << 2).checked_sub(1)
    }

    fn put(&mut self, cell: u8, colour: u8) {
        for (plane, mask) in self.planes.iter_mut().enumerate() {
            mask[usize::from(cell / 64)] |= u64::from((colour + 1) >> plane & 1) << (cell % 64);
        }
    }

    /// Takes a group away: the stones above fall, and empty columns close.
    #[inline(always)]
    fn take(&mut self, group: Mask) {
        let mut emptied = 0_u16;
        for (word, mut gone) in group.into_iter().enumerate() {
            // The highest run of cells first, so that the others keep their places.
            while gone != 0 {
                let top = gone.ilog2();
                let run = (gone << (63 - top)).leading_ones();
                let below = (1 << (top + 1 - run)) - 1;
                let column = 0xFFFF << (top & !15);
                let fallen = column & !below;
                for plane in &mut self.planes {
                    let bits = plane[word];
                    plane[word] = bits & !fallen | (bits & fallen) >> run & fallen;
                }
                if self.planes.iter().all(|plane| plane[word] & column == 0) {
                    emptied |= 1 << (4 * word as u32 + top / 16);
                }
                gone &= below;
            }
        }
        while emptied != 0 {
            let column = emptied.ilog2();
            let before: Mask =
                std::array::from_fn(|word| match (16 * column).saturating_sub(64 * word as u32) {
                    bits if bits < 64 => (1 << bits) - 1,
                    _ => u64::MAX,
                });
            for plane in &mut self.planes {
                let closed = left(*plane);
                *plane =
                    std::array::from_fn(|word| plane[word] & before[word] | closed[word] & !before[word]);
            }
            emptied ^= 1 << column;
        }
    }
}

impl SameGame {
    /// The place in the masks of a cell of the grid, whose row 1 is at the top.
    fn place(&self, cell: u8) -> u8 {
        16 * (cell % self.grid.columns) + self.grid.rows - 1 - cell / self.grid.columns
    }

    /// A full board with stones of equally likely colours.
    pub fn random_board(&self, rng: &mut Rng) -> Position {
        let mut position = Position::default();
        for cell in 0..self.grid.cells() as u8 {
            position.put(self.place(cell), rng.below(self.colours.into()) as u8);
        }
        position.groups = Links::of(&position).firsts();
        position
    }

    /// Turns the penalty for stones left at the end on or off; it is on in a new game.
    #[must_use]
    pub const fn with_penalty(self, has_penalty: bool) -> Self {
        Self { has_penalty, ..self }
    }
}

impl Game for SameGame {
    type Position = Position;
    /// The lowest cell of a group in its leftmost column: 16 for each column, 1 for each row from the bottom.
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire());

    fn facts(&self) -> Facts {
        let square = |stones: i32| (stones - 2).max(0).pow(2);
        let cells = self.grid.cells() as i32;
        // No two of the stones left of a colour touch, so they are at most half of the cells.
        let least = if self.has_penalty { -square(cells / 2) - square(cells - cells / 2) } else { 0 };
        let most = square(cells) + EMPTIED;
        Facts::solitaire()
            .with_payoffs(least, most)
            .judged_by_score("points", least, most)
            .with_max_plies(cells as u32 / 2)
    }

    /// A [random board](SameGame::random_board), with a group to take.
    fn random_position(&self, rng: &mut Rng) -> Option<Position> {
        let boards = std::iter::repeat_with(|| self.random_board(rng));
        boards.take(1000).find(|position| position.groups != [0; 4])
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.groups == [0; 4] { Turn::Over } else { Turn::Player(Player::FIRST) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        cells_of(position.groups)
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        count(position.groups)
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let (word, bit) = random_of(position.groups, draws);
        64 * word + bit
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, cell: u8) {
        let group = Links::of(position).group(cell);
        position.take(group);
        position.points += (count(group) - 2).pow(2);
        position.moves += 1;
        position.groups = Links::of(position).firsts();
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, _player: Player) -> i32 {
        let points = position.points as i32;
        if position.stones() == [0; 4] {
            return points + EMPTIED;
        }
        let penalty = |colour| (count(position.of_colour(colour)) as i32 - 2).max(0).pow(2);
        if self.has_penalty { points - (0..self.colours).map(penalty).sum::<i32>() } else { points }
    }

    fn outcome(&self, position: &Position, _player: Player) -> Outcome {
        if position.stones() == [0; 4] { Outcome::Win } else { Outcome::Loss }
    }

    #[inline(always)]
    fn move_number(&self, cell: u8) -> Option<u16> {
        Some(cell.into())
    }

    /// A hash of the cells of the group, as in Cazenave 2016, "Nested rollout policy adaptation with selective policies".
    fn move_code(&self, position: &Position, cell: u8) -> Option<u16> {
        let group = Links::of(position).group(cell);
        Some((hash_of(0, group.iter()) >> 112) as u16)
    }

    /// A hash of the stones and the points.
    fn key(&self, position: &Position) -> Option<u128> {
        Some(hash_of(position.points.into(), position.planes.iter().flatten()))
    }

    fn notation(&self, _position: &Position, place: u8) -> String {
        let Grid { rows, columns } = self.grid;
        self.grid.name((rows - 1 - place % 16) * columns + place / 16)
    }

    /// A group is named by any of its cells.
    fn parse_move(&self, position: &Position, text: &str) -> Option<u8> {
        let mut cells = 0..self.grid.cells() as u8;
        let cell = cells.find(|&cell| self.grid.name(cell).eq_ignore_ascii_case(text))?;
        let group = Links::of(position).group(self.place(cell));
        cells_of(zip(group, position.groups, |a, b| a & b)).next()
    }

    fn drawing(&self, position: &Position) -> String {
        let board = self.grid.drawing(|cell| self.letter(position, cell), 0, None);
        let is_over = self.turn(position) == Turn::Over;
        let points = if is_over { self.payoff(position, Player::FIRST) } else { position.points as i32 };
        format!("{board}\n{points} points")
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.paint(position))
    }

    /// The rows from the top, such as `311/204`, with a point for a free cell; after moves also the points and the number of the moves.
    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.write(position))
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.read(text)
    }
}
