//! Morpion Solitaire: a point is added where it completes a line. The lines that can be drawn are kept as masks, since a move changes only
//! those through its point or along its line; rejected: a list of moves, which has no proved bound and depends on the order of play.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{Bits, Facts, Game, NamedGame, Picture, Player, Tone, Turn, nth_set_bit};
use crate::rng::PlayoutRng;
use crate::rng::mixing::mix;

/// Whether lines of one direction may share an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Lines may share an end, but no segment: the variants 5T and 4T.
    Touching,
    /// Lines share no point: 5D and 4D.
    Disjoint,
}

/// The points of a row of the board, and its rows.
const SIDE: usize = 32;

/// The steps along a line to its next point, as columns and rows: to the right, down, and down to either side.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The longest line.
const LONGEST: usize = 5;

/// The rules, on a grid of 32 × 32 points with a cross of 36 points in its middle. A move adds a point and draws a line through five
/// neighbouring points in a row, in one of four directions, of which the new point is one and the others were there. Two lines of one direction
/// share no segment; where lines are disjoint they share no point either. The score is the number of moves. With lines of four points the
/// cross has 24.
///
/// The most moves known are 178 with lines of five that touch and 82 with disjoint ones, and at most 705 and 121 are possible; with lines of
/// four 62 and 35 are the most possible.
///
/// # References
/// Demaine, Demaine, Langerman, Langerman 2006, "Morpion Solitaire", Theory of Computing Systems 39; Cazenave 2009, "Nested Monte-Carlo
/// search"; Rosin 2011, "Nested rollout policy adaptation for Monte Carlo tree search"; Kawamura, Okamoto, Tatsu, Uno, Yamato 2013,
/// "Morpion Solitaire 5D: a new upper bound of 121 on the maximum score"; Boyer, morpionsolitaire.com: the bounds of the others.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt};
/// use shikou::games::morpion::{Lines, Morpion};
/// let game = Morpion::new(5, Lines::Touching);
/// assert_eq!(game.move_count(&game.start()), 28);
/// // The new point is n12. The line o12-s12 would share segments.
/// let position = game.follow("n12-r12").unwrap();
/// assert_eq!(game.move_count(&position), 26);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Morpion {
    length: usize,
    lines: Lines,
}

/// The points, the lines, and the lines that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// For each point, bit 0: whether it is there; bit 1 + d: whether a line of direction d joins it to the next.
    points: [u8; SIDE * SIDE],
    /// For each direction, the first points of the lines that can be drawn.
    open: [[u64; SIDE * SIDE / 64]; 4],
    /// The number of these.
    counts: [u16; 4],
    moves: u16,
    /// A hash of the set of the lines.
    hash: u128,
}

impl Position {
    #[inline(always)]
    fn set(&mut self, direction: usize, first: usize, is_open: bool) {
        let (word, bit) = (&mut self.open[direction][first / 64], 1 << (first % 64));
        if (*word & bit != 0) != is_open {
            *word ^= bit;
            self.counts[direction] = self.counts[direction] + u16::from(is_open) - u16::from(!is_open);
        }
    }
}

/// The difference of the numbers of a point and the next one along a line.
#[inline(always)]
const fn stride(direction: usize) -> usize {
    (STEPS[direction].1 * SIDE as i32 + STEPS[direction].0) as usize
}

/// The letters of a column and the number of a row.
fn name(point: usize) -> String {
    let (column, row) = (point % SIDE, point / SIDE + 1);
    let before = if column < 26 { "" } else { "a" };
    format!("{before}{}{row}", (b'a' + (column % 26) as u8) as char)
}

impl Morpion {
    /// The game with lines of 4 or 5 points.
    ///
    /// # Panics
    /// If the length is another.
    pub fn new(length: usize, lines: Lines) -> Self {
        assert!((4..=LONGEST).contains(&length), "a line has 4 or 5 points, not {length}");
        Self { length, lines }
    }

    /// Opens and closes the lines through a point.
    #[inline(always)]
    fn look(&self, position: &mut Position, point: usize) {
        let (x, y, reach) = ((point % SIDE) as i32, (point / SIDE) as i32, self.length as i32);
        for (direction, (right, down)) in STEPS.into_iter().enumerate() {
            // Bit `reach` + k is the k-th point from here along the line.
            let (mut there, mut joined, mut inside) = (0_u32, 0_u32, 0_u32);
            for k in -reach..=reach {
                let (x, y) = (x + k * right, y + k * down);
                if (0..SIDE as i32).contains(&x) && (0..SIDE as i32).contains(&y) {
                    let cell = position.points[y as usize * SIDE + x as usize];
                    let bit = (k + reach) as u32;
                    there |= u32::from(cell & 1) << bit;
                    joined |= u32::from(cell >> (1 + direction) & 1) << bit;
                    inside |= 1 << bit;
                }
            }
            // A line has a segment less than points; a disjoint one has neither the segment before nor the one behind.
            let segments = match self.lines {
                Lines::Touching => (1 << reach) - 2,
                Lines::Disjoint => (2 << reach) - 1,
            };
            for back in 0..reach {
                let first = (reach - back) as u32;
                let all = ((1 << reach) - 1) << first;
                let is_open = inside & all == all
                    && (there & all).count_ones() == reach as u32 - 1
                    && joined << 1 & segments << first == 0;
                if inside >> first & 1 == 1 {
                    position.set(direction, point - back as usize * stride(direction), is_open);
                }
            }
        }
    }
}

impl Game for Morpion {
    type Position = Position;
    /// The first point of a line, and its direction above 10 bits.
    type Move = u16;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire());

    fn facts(&self) -> Facts {
        let most = match (self.length, self.lines) {
            (LONGEST, Lines::Touching) => 705,
            (LONGEST, Lines::Disjoint) => 121,
            (_, Lines::Touching) => 62,
            (_, Lines::Disjoint) => 35,
        };
        Facts::solitaire().with_payoffs(0, most).judged_by_score("moves", 0, most).with_max_plies(most as u32)
    }

    fn start(&self) -> Position {
        let mut position =
            Position { points: [0; SIDE * SIDE], open: [[0; 16]; 4], counts: [0; 4], moves: 0, hash: 0 };
        // The outline of a cross of five squares: its points with a neighbour outside.
        let (arm, size) = (self.length as i32 - 2, 3 * self.length as i32 - 5);
        let is_middle = |at: i32| (arm..=2 * arm).contains(&at);
        let is_in = |x: i32, y: i32| {
            (0..size).contains(&x) && (0..size).contains(&y) && (is_middle(x) || is_middle(y))
        };
        let corner = (SIDE as i32 - size) / 2;
        for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|&(x, y)| is_in(x, y)) {
            let mut around = (-1..=1).flat_map(|right| (-1..=1).map(move |down| (x + right, y + down)));
            if around.any(|(x, y)| !is_in(x, y)) {
                position.points[(corner + y) as usize * SIDE + (corner + x) as usize] = 1;
            }
        }
        (0..SIDE * SIDE).for_each(|point| self.look(&mut position, point));
        position
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.counts == [0; 4] { Turn::Over } else { Turn::Player(Player::FIRST) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u16> {
        let words = (0..).zip(position.open.as_flattened());
        words.flat_map(|(word, &bits)| Bits::new(bits).map(move |bit| 64 * word + u16::from(bit)))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        position.counts.into_iter().map(u32::from).sum()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u16 {
        let (mut pick, mut direction) = (draws.below(self.move_count(position)), 0);
        while pick >= position.counts[direction].into() {
            pick -= u32::from(position.counts[direction]);
            direction += 1;
        }
        for (word, &bits) in position.open[direction].iter().enumerate() {
            match nth_set_bit(bits, pick) {
                Some(bit) => return (direction << 10 | word << 6) as u16 | u16::from(bit),
                None => pick -= bits.count_ones(),
            }
        }
        unreachable!("the counts are those of the masks")
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, line: u16) {
        let (first, direction) = (usize::from(line) % (SIDE * SIDE), usize::from(line) / (SIDE * SIDE));
        let stride = stride(direction);
        let mut new = first;
        while position.points[new] & 1 == 1 {
            new += stride;
        }
        position.points[new] |= 1;
        for segment in 0..self.length - 1 {
            position.points[first + segment * stride] |= 2 << direction;
        }
        // Lines that would share a segment, or a point.
        let reach = self.length - 2 + usize::from(self.lines == Lines::Disjoint);
        for other in 1..=reach {
            let [behind, before] = [first + other * stride, first.wrapping_sub(other * stride)];
            let near = |at: &usize| *at < SIDE * SIDE && (at % SIDE).abs_diff(first % SIDE) < self.length;
            for other in [behind, before].into_iter().filter(near) {
                position.set(direction, other, false);
            }
        }
        self.look(position, new);
        position.moves += 1;
        let code = u64::from(line);
        position.hash ^= u128::from(mix(code + 1)) << 64 | u128::from(mix(code + (1 << 12) + 1));
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, _player: Player) -> i32 {
        position.moves.into()
    }

    #[inline(always)]
    fn move_number(&self, line: u16) -> Option<u16> {
        Some(line)
    }

    /// A hash of the lines: the points follow from them.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(position.hash)
    }

    /// The ends of the line; the new point is the one that was not there.
    fn notation(&self, _position: &Position, line: u16) -> String {
        let (first, direction) = (usize::from(line) % (SIDE * SIDE), usize::from(line) / (SIDE * SIDE));
        format!("{}-{}", name(first), name(first + (self.length - 1) * stride(direction)))
    }

    /// The points in the rows and columns that have any.
    fn drawing(&self, position: &Position) -> String {
        let there = |x: usize, y: usize| position.points[y * SIDE + x] & 1 == 1;
        let columns: Vec<usize> = (0..SIDE).filter(|&x| (0..SIDE).any(|y| there(x, y))).collect();
        let letters = columns.iter().map(|x| (b'a' + (x % 26) as u8) as char);
        let mut text = format!("   {}", letters.collect::<String>());
        for y in (0..SIDE).filter(|&y| (0..SIDE).any(|x| there(x, y))) {
            let row: String = columns.iter().map(|&x| if there(x, y) { 'o' } else { '.' }).collect();
            text = format!("{text}\n{:>2} {row}", y + 1);
        }
        format!("{text}\n{} moves", position.moves)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let side = 10 * SIDE as u16;
        let mut picture = Picture::new(side, side).rect(Tone::Board, [0, 0], [side, side]);
        let centre = |point: usize| [point % SIDE, point / SIDE].map(|at| 10 * at as u16 + 5);
        for (point, cell) in position.points.iter().enumerate().filter(|(_, cell)| **cell > 0) {
            for direction in (0..4).filter(|direction| cell >> (1 + direction) & 1 == 1) {
                picture = picture.line(Tone::Line, centre(point), centre(point + stride(direction)));
            }
            picture = picture.disc(Tone::First, centre(point), 2);
        }
        Some(picture)
    }
}

settings! {
    struct MorpionOptions {
        /// points of a line
        length: usize = integer(4..=5, 5),
        /// what lines of one direction may share
        lines: Lines = choice([
            ("touching", "an end: 5T, or 4T", Lines::Touching),
            ("disjoint", "nothing: 5D, or 4D", Lines::Disjoint),
        ]),
    }
}

impl NamedGame for Morpion {
    const NAME: &'static str = "morpion";
    const ABOUT: &'static str = "Morpion Solitaire: points on a grid, each completing a line";

    fn options() -> Vec<OptionDecl> {
        MorpionOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let MorpionOptions { length, lines } = Settings::read(options);
        Ok(Self::new(length, lines))
    }
}
