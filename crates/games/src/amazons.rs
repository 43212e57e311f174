//! Amazons: queens that move and then burn a cell, in one move or in two turns; who cannot move loses.

use arrayvec::ArrayVec;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{Facts, Game, NamedGame, Picture, Player, PositionError, Tone, Turn};
use crate::grid::{Grid, cells_of, nth_cell, side};
use crate::rng::PlayoutRng;

/// The most amazons of a player.
const MOST: usize = 4;
/// The most cells that an amazon can reach on 10 × 10.
const MOST_STEPS: usize = 35;
/// No amazon has to shoot.
const NOBODY: u8 = u8::MAX;

/// The rules. A player moves an amazon like a queen of chess, and from its new cell shoots an arrow, also like a queen. The arrow stays; nothing passes amazons
/// or arrows. Who cannot move loses. Each player begins with four amazons: on a4, d1, g1 and j4 of 10 × 10 and opposite, on other boards a third of the way along as there.
///
/// # References
/// Walter Zamkauskas 1988. Song, Müller 2014, "An enhanced solver for the game of Amazons", IEEE Transactions on Computational Intelligence
/// and AI in Games 7(1): boards up to 5×6 and 4×7.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::amazons::Amazons;
/// let game = Amazons::new(4, 5, false);
/// let position = game.follow("b1-b3/d3").unwrap();
/// assert_eq!(game.drawing(&position), "   a b c d e\n 1 . . . x .\n 2 x . . . x\n 3 o x . # o\n 4 . o . o .\no to move");
/// let split = Amazons::new(4, 5, true);
/// assert_eq!(split.drawing(&split.follow("b1-b3 d3").unwrap()), game.drawing(&position));
/// assert_eq!(split.follow("b1-b3").unwrap().to_move(), Player::FIRST);
/// ```
#[derive(Clone, Debug)]
pub struct Amazons {
    grid: Grid,
    /// Whether the arrow is a turn of its own.
    is_split: bool,
    /// The cells that have one to their left, and those that have one to their right.
    sides: [u128; 2],
    /// For each cell the rays to higher cells, and those to lower ones.
    rays: Box<[[[u128; 4]; 2]]>,
}

/// The amazons of both players, and the arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    amazons: [u128; 2],
    arrows: u128,
    to_move: Player,
    /// The cell of the amazon that moved and has to shoot, or [`NOBODY`].
    shooter: u8,
}

impl Position {
    /// The player who moves or shoots next.
    pub const fn to_move(&self) -> Player {
        self.to_move
    }
}

/// A move of an amazon with its arrow, or one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The cells of the amazon before and after, and that of the arrow.
    Whole(u8, u8, u8),
    /// The cells of the amazon before and after.
    Step(u8, u8),
    /// The cell of the arrow.
    Shot(u8),
}

impl Amazons {
    /// The game on a board of 4 to 10 rows and columns; with `is_split` move and arrow are two turns of the same player.
    ///
    /// # Panics
    /// If a side is out of range.
    pub fn new(rows: u8, columns: u8, is_split: bool) -> Self {
        assert!([rows, columns].iter().all(|side| (4..=10).contains(side)), "a side has 4 to 10 cells");
        let grid = Grid { rows, columns };
        let sides = [0, columns - 1].map(|column| grid.all() & !grid.column(column));
        let ray = |cell: u8, down: i8, right: i8| {
            let on_board = |at: &(u8, u8)| at.0 < rows && at.1 < columns;
            let next = |&(row, column): &(u8, u8)| {
                Some((row.checked_add_signed(down)?, column.checked_add_signed(right)?)).filter(on_board)
            };
            std::iter::successors(next(&(cell / columns, cell % columns)), next)
                .fold(0, |mask, (row, column)| mask | 1_u128 << (row * columns + column))
        };
        let ahead = [(0, 1), (1, -1), (1, 0), (1, 1)];
        let rays = (0..grid.cells() as u8)
            .map(|cell| [1, -1].map(|sign| ahead.map(|(down, right)| ray(cell, sign * down, sign * right))));
        Self { grid, is_split, sides, rays: rays.collect() }
    }

    /// The cells that a queen reaches.
    #[inline(always)]
    fn reach(&self, from: u8, occupied: u128) -> u128 {
        let [ahead, behind] = &self.rays[usize::from(from)];
        let mut cells = 0;
        for ray in ahead {
            // Up to the lowest that is met; the whole ray if nothing is.
            let met = ray & occupied;
            cells |= ray & (met ^ met.wrapping_sub(1));
        }
        for ray in behind {
            // Down to the highest.
            let met = ray & occupied | 1;
            cells |= ray & u128::MAX << met.ilog2();
        }
        cells & !occupied
    }

    #[inline(always)]
    fn occupied(position: &Position) -> u128 {
        position.amazons[0] | position.amazons[1] | position.arrows
    }

    /// The amazons that may move.
    #[inline(always)]
    fn movers(position: &Position) -> u128 {
        if position.shooter == NOBODY { position.amazons[position.to_move.index()] } else { 0 }
    }

    /// The steps of all amazons that may move.
    #[inline(always)]
    fn steps(&self, position: &Position) -> impl Iterator<Item = (u8, u8)> {
        let occupied = Self::occupied(position);
        cells_of(Self::movers(position))
            .flat_map(move |from| cells_of(self.reach(from, occupied)).map(move |to| (from, to)))
    }

    /// The cells of the arrow after a step.
    #[inline(always)]
    fn arrows(&self, position: &Position, (from, to): (u8, u8)) -> u128 {
        self.reach(to, Self::occupied(position) ^ 1 << from)
    }

    /// The cells of the arrow of the amazon that has to shoot.
    #[inline(always)]
    fn shots(&self, position: &Position) -> u128 {
        if position.shooter == NOBODY { 0 } else { self.reach(position.shooter, Self::occupied(position)) }
    }

    /// The masks of `x`, `o`, `#` for an arrow and `*` for the amazon that has to shoot.
    fn masks(position: &Position) -> [u128; 4] {
        let shooter = 1_u128.checked_shl(position.shooter.into()).unwrap_or(0);
        let [first, second] = position.amazons.map(|amazons| amazons & !shooter);
        [first, second, position.arrows, shooter]
    }
}

const LETTERS: [&str; 4] = ["x", "o", "#", "*"];

impl Game for Amazons {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.grid.cells() * if self.is_split { 2 } else { 1 })
    }

    fn start(&self) -> Position {
        let Grid { rows, columns } = self.grid;
        let (down, right) = ((rows - 1) / 3, (columns - 1) / 3);
        let four = |edge: u8, row: u8| {
            [(edge, right), (edge, columns - 1 - right), (row, 0), (row, columns - 1)]
                .into_iter()
                .fold(0, |mask, (row, column)| mask | 1 << (row * columns + column))
        };
        let amazons = [four(0, down), four(rows - 1, rows - 1 - down)];
        Position { amazons, arrows: 0, to_move: Player::FIRST, shooter: NOBODY }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let (amazons, [has_left, has_right]) = (Self::movers(position), self.sides);
        let wide = amazons | (amazons & has_left) >> 1 | (amazons & has_right) << 1;
        let near = wide | self.grid.down(wide) | self.grid.up(wide);
        if position.shooter == NOBODY && near & self.grid.all() & !Self::occupied(position) == 0 {
            Turn::Over
        } else {
            Turn::Player(position.to_move)
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let steps = self.steps(position).flat_map(move |(from, to)| {
            let arrows = if self.is_split { 1 } else { self.arrows(position, (from, to)) };
            cells_of(arrows).map(move |arrow| {
                if self.is_split { Move::Step(from, to) } else { Move::Whole(from, to, arrow) }
            })
        });
        steps.chain(cells_of(self.shots(position)).map(Move::Shot))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        if position.shooter != NOBODY {
            self.shots(position).count_ones()
        } else if self.is_split {
            let occupied = Self::occupied(position);
            cells_of(Self::movers(position)).map(|from| self.reach(from, occupied).count_ones()).sum()
        } else {
            self.steps(position).map(|step| self.arrows(position, step).count_ones()).sum()
        }
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        if position.shooter != NOBODY {
            let shots = self.shots(position);
            return Move::Shot(nth_cell(shots, draws.below(shots.count_ones())));
        }
        // The numbers of moves up to each amazon, or to each step, are found once.
        let (occupied, mut sum) = (Self::occupied(position), 0);
        if self.is_split {
            let mut reached = ArrayVec::<_, MOST>::new();
            cells_of(Self::movers(position)).for_each(|from| {
                let cells = self.reach(from, occupied);
                reached.push((from, cells, sum));
                sum += cells.count_ones();
            });
            let pick = draws.below(sum);
            let found = reached.iter().rfind(|(.., before)| *before <= pick);
            let &(from, cells, before) = found.expect("the first has 0");
            Move::Step(from, nth_cell(cells, pick - before))
        } else {
            let mut steps = ArrayVec::<_, { MOST * MOST_STEPS }>::new();
            cells_of(Self::movers(position)).for_each(|from| {
                let others = occupied ^ 1 << from;
                cells_of(self.reach(from, others)).for_each(|to| {
                    steps.push(((from, to), sum));
                    sum += self.reach(to, others).count_ones();
                });
            });
            let pick = draws.below(sum);
            let found = steps.iter().rfind(|(_, before)| *before <= pick);
            let &((from, to), before) = found.expect("the first has 0");
            Move::Whole(from, to, nth_cell(self.arrows(position, (from, to)), pick - before))
        }
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: Move) {
        let mover = position.to_move;
        if let Move::Whole(from, to, _) | Move::Step(from, to) = mv {
            position.amazons[mover.index()] ^= 1 << from | 1 << to;
            position.shooter = to;
        }
        if let Move::Whole(_, _, arrow) | Move::Shot(arrow) = mv {
            position.arrows |= 1 << arrow;
            position.shooter = NOBODY;
            position.to_move = mover.other();
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if player == position.to_move { -1 } else { 1 }
    }

    /// The cells as digits; whole moves have numbers on boards of up to 40 cells.
    #[inline(always)]
    fn move_number(&self, mv: Move) -> Option<u16> {
        let cells = self.grid.cells();
        let number =
            |digits: [u8; 3]| digits.into_iter().fold(0, |number, digit| number * cells + u32::from(digit));
        match mv {
            Move::Whole(from, to, arrow) if cells <= 40 => Some(number([from, to, arrow]) as u16),
            Move::Whole(..) => None,
            Move::Step(from, to) => Some(number([1, from, to]) as u16),
            Move::Shot(arrow) => Some(arrow.into()),
        }
    }

    /// The stones of both, arrows as stones of both; with another hash of the amazon that has to shoot.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        const FACTOR: u128 = 0xD6E8_FEB8_6659_FD93_A076_1D64_78BD_642F;
        let stones = position.amazons.map(|amazons| amazons | position.arrows);
        let shooter = u128::from(position.shooter.wrapping_add(1)).wrapping_mul(FACTOR);
        Some(self.grid.key(stones, position.to_move) ^ shooter)
    }

    /// The cells of the amazon and that of the arrow: `d1-d7/g7`, or as two turns `d1-d7` and `g7`.
    fn notation(&self, _position: &Position, mv: Move) -> String {
        let name = |cell| self.grid.name(cell);
        match mv {
            Move::Whole(from, to, arrow) => format!("{}-{}/{}", name(from), name(to), name(arrow)),
            Move::Step(from, to) => format!("{}-{}", name(from), name(to)),
            Move::Shot(arrow) => name(arrow),
        }
    }

    fn drawing(&self, position: &Position) -> String {
        self.grid.drawing(Grid::letters_of(Self::masks(position), LETTERS), 0, Some(side(position.to_move)))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let centre =
            |cell: u8| [cell % self.grid.columns, cell / self.grid.columns].map(|at| 10 * u16::from(at) + 5);
        let burnt = cells_of(position.arrows).map(|cell| (Tone::Card, centre(cell), 3));
        let picture = burnt.fold(self.grid.picture(position.amazons), |picture, (tone, at, size)| {
            picture.disc(tone, at, size)
        });
        let shooter = cells_of(Self::masks(position)[3]);
        Some(shooter.fold(picture, |picture, cell| picture.ring(Tone::Line, centre(cell), 5)))
    }

    /// The rows with `#` for an arrow, and `*` for the amazon that has to shoot.
    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.grid.text_of(Grid::letters_of(Self::masks(position), LETTERS), position.to_move))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.grid.named_side(text)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.grid.read_letters(self, LETTERS, text, |[first, second, arrows, shooter], to_move| {
            let mut amazons = [first, second];
            amazons[to_move.index()] |= shooter;
            let shooters = shooter.count_ones();
            let shooter = cells_of(shooter).next().unwrap_or(NOBODY);
            let position = Position { amazons, arrows, to_move, shooter };
            let is_few = |amazons: u128| (1..=MOST as u32).contains(&amazons.count_ones());
            if !amazons.into_iter().all(is_few) {
                return Err(PositionError(format!("a player has 1 to {MOST} amazons")));
            }
            if shooters > 1 || shooters == 1 && (!self.is_split || self.shots(&position) == 0) {
                let text = "`*` is the amazon that has to shoot: one, beside a free cell, and with `moves=split` only";
                return Err(PositionError(text.into()));
            }
            Ok(position)
        })
    }
}

settings! {
    struct AmazonsOptions {
        /// rows of the board
        rows: u8 = integer(4..=10, 10),
        /// columns of the board
        columns: u8 = integer(4..=10, 10),
        /// whether a move and its arrow are one turn
        moves: bool = choice([
            ("whole", "a move and its arrow are one turn: 2176 at the start", false),
            ("split", "a move and its arrow are two turns of the same player", true),
        ]),
    }
}

impl NamedGame for Amazons {
    const NAME: &'static str = "amazons";
    const ABOUT: &'static str = "queens that move and burn a cell; who cannot move loses";

    fn options() -> Vec<OptionDecl> {
        AmazonsOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let AmazonsOptions { rows, columns, moves } = Settings::read(options);
        Ok(Self::new(rows, columns, moves))
    }
}
