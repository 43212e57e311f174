//! EinStein würfelt nicht: six numbered pieces each, of which a die chooses the one that moves. Two players and chance.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{
    Bits, Entries, Facts, Game, NamedGame, Picture, Player, PositionError, Symmetry, Tone, Turn, nth_set_bit,
};
use crate::grid::{Grid, cells_of};
use crate::rng::PlayoutRng;

/// The order of the pieces at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Each player puts their own pieces in turns, the first player before the second.
    Chosen,
    /// Chance puts them.
    Random,
    /// 1 to 6, as the player reads them from their own corner.
    Rows,
}

/// The rules. The six pieces of a player stand in a triangle in a corner, a1 of the first player, opposite that of the second, and go one
/// cell towards the other corner: along the row, the column or the diagonal. They take what is there, an own piece too. A die says
/// which piece goes; if it is gone, the next lower or the next higher one that is left. Who reaches the other corner or takes the last piece of
/// the other wins.
///
/// # References
/// Ingo Althöfer 2004. Bonnet, Viennot 2017, "Toward solving EinStein würfelt nicht!", Advances in Computer Games.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::einstein::{Einstein, Placement};
/// let game = Einstein::new(5, Placement::Rows);
/// assert_eq!(game.turn(&game.start()), Turn::Chance);
/// let position = game.follow("6 6-b4 1").unwrap();
/// assert_eq!(
///     game.drawing(&position),
///     "   a b c d e\n 1 1 2 3 . .\n 2 4 5 . . .\n 3 . . . . F\n 4 . 6 . E D\n 5 . . C B A\nplayer 2 has rolled 1"
/// );
/// assert_eq!(game.moves(&position).count(), 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Einstein {
    size: u8,
    placement: Placement,
}

/// The pieces of the first player and of the second.
const LETTERS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "A", "B", "C", "D", "E", "F"];

/// The byte of a piece that is not on the board.
const GONE: u8 = u8::MAX;

/// The pieces of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A byte for each piece, the first the lowest: the rows that it has to go, above four bits, and the columns.
    ahead: [u64; 2],
    to_move: Player,
    /// The number of the die, or 0.
    die: u8,
    /// The pieces that are not yet on the board.
    unplaced: u8,
    is_over: bool,
}

/// The highest bit in the byte of each piece that is on the board.
#[inline(always)]
const fn present(ahead: u64) -> u64 {
    !ahead & 0x8080_8080_8080
}

/// The pieces without the one on this cell, if there is one.
#[inline(always)]
const fn without(ahead: u64, cell: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (other, low) = (ahead ^ (cell as u64 * ONES), 0x7f * ONES);
    // The lowest bit of each byte that is equal.
    let equal = !(((other & low) + low) | other | low) >> 7;
    ahead | (equal * 0xff)
}

/// The pieces after that of this number has gone from one cell to another.
#[inline(always)]
const fn moved(ahead: u64, number: u8, from: u8, to: u8) -> u64 {
    ahead ^ (((from ^ to) as u64) << (8 * (number - 1)))
}

/// A move of a player, or the number of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The piece of this number, 1 to 6, comes onto the next cell of its triangle.
    Put(u8),
    /// The die shows 1 to 6.
    Die(u8),
    /// The piece of this number goes along its row (0), its column (1) or the diagonal (2).
    Step(u8, u8),
}

/// The change of [`Position::ahead`] by each way.
const WAYS: [u8; 3] = [0x01, 0x10, 0x11];

impl Einstein {
    /// The game on a board of 4 to 8 rows and columns.
    ///
    /// # Panics
    /// If the size is out of range.
    pub fn new(size: u8, placement: Placement) -> Self {
        assert!((4..=8).contains(&size), "a side has 4 to 8 cells");
        Self { size, placement }
    }

    /// The same cell as the other player counts it.
    #[inline(always)]
    const fn turned(self, ahead: u8) -> u8 {
        ((self.size - 1) * 0x11).wrapping_sub(ahead)
    }

    /// The cell of this number in the triangle of a player.
    const fn triangle(self, number: usize) -> u8 {
        self.turned([0x00, 0x01, 0x02, 0x10, 0x11, 0x20][number])
    }

    /// The byte of a piece of the player to move.
    #[inline(always)]
    const fn piece(position: &Position, number: u8) -> u8 {
        (position.ahead[position.to_move.index()] >> (8 * (number - 1))) as u8
    }

    /// The pieces that may go, by number, with the ways that stay on the board: a bit for each.
    #[inline(always)]
    fn movers(position: &Position) -> [(u8, u8); 2] {
        if position.die == 0 {
            return [(0, 0); 2];
        }
        let (pieces, wanted) = (present(position.ahead[position.to_move.index()]), 8 * (position.die - 1));
        let (higher, lower) = (pieces >> wanted << wanted, pieces & ((1 << wanted) - 1));
        // Of the number whose byte has this bit.
        let ways = |bit: u32| {
            let number = 1 + bit as u8 / 8;
            let ahead = Self::piece(position, number);
            let (row, column) = (u8::from(ahead & 0x0f != 0), u8::from(ahead & 0xf0 != 0));
            (number, row | column << 1 | (row & column) << 2)
        };
        let is_there = higher >> wanted & 0x80 != 0;
        // Without branches, which could not be predicted: a number in place of none, and no way.
        let [below, above] = [(lower | 1).ilog2(), (higher | 1 << 63).trailing_zeros()].map(ways);
        let only = |(number, ways): (u8, u8), may_go: bool| (number, ways & u8::from(may_go).wrapping_neg());
        [only(below, !is_there && lower != 0), only(above, higher != 0)]
    }

    /// The pieces that the player whose triangle is incomplete has not yet put.
    #[inline(always)]
    fn in_hand(position: &Position) -> impl Iterator<Item = Move> + use<> {
        let position = *position;
        let is_left = move |number: &u8| position.unplaced > 0 && Self::piece(&position, *number) == GONE;
        (1..=6).filter(is_left).map(Move::Put)
    }

    const fn grid(self) -> Grid {
        Grid { rows: self.size, columns: self.size }
    }

    /// The cell of a piece of this player.
    const fn cell(self, player: Player, ahead: u8) -> u8 {
        let at = if player.index() == 0 { self.turned(ahead) } else { ahead };
        (at >> 4) * self.size + (at & 15)
    }

    /// The cell of each piece as a mask, those of the first player first.
    fn masks(self, position: &Position) -> [u128; 12] {
        std::array::from_fn(|number| {
            let player = Player::new(number as u8 / 6);
            let ahead = position.ahead[player.index()].to_le_bytes()[number % 6];
            if ahead == GONE { 0 } else { 1 << self.cell(player, ahead) }
        })
    }

    /// The pieces of each player as a mask.
    fn stones(self, position: &Position) -> [u128; 2] {
        let masks = self.masks(position);
        [&masks[..6], &masks[6..]].map(|masks| masks.iter().fold(0, |all, mask| all | mask))
    }

    /// The position with all pieces put, of which those that are left are on these cells.
    fn position(self, masks: [u128; 12], to_move: Player, die: u8) -> Option<Position> {
        let mut ahead = [u64::MAX; 2];
        for (number, mask) in (0_u8..).zip(masks) {
            for cell in cells_of(mask) {
                let at = ((cell / self.size) << 4) | (cell % self.size);
                let own = &mut ahead[usize::from(number / 6)];
                *own = moved(*own, number % 6 + 1, GONE, if number < 6 { self.turned(at) } else { at });
            }
        }
        let [has_won, is_over] = [to_move, to_move.other()].map(|player| {
            let [own, theirs] = [player, player.other()].map(|player| ahead[player.index()]);
            without(own, 0) != own || present(theirs) == 0
        });
        let is_possible =
            masks.iter().all(|mask| mask.count_ones() <= 1) && !has_won && die <= if is_over { 0 } else { 6 };
        is_possible.then_some(Position { ahead, to_move, die, unplaced: 0, is_over })
    }

    /// The player who puts the next piece, while this many are unplaced.
    #[inline(always)]
    const fn putter(unplaced: u8) -> Player {
        if matches!(unplaced, 1..=6) { Player::SECOND } else { Player::FIRST }
    }
}

impl Game for Einstein {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::two_player().with_chance());

    fn facts(&self) -> Facts {
        // A roll and a step that takes one piece at least one cell nearer, of twelve pieces, after twelve have been put.
        Facts::two_player().with_chance().with_max_plies(12 + 2 * 12 * 2 * (u32::from(self.size) - 1))
    }

    fn start(&self) -> Position {
        let none =
            Position { ahead: [u64::MAX; 2], to_move: Player::FIRST, die: 0, unplaced: 12, is_over: false };
        if self.placement != Placement::Rows {
            return none;
        }
        let put = |ahead, number| moved(ahead, number, GONE, self.triangle(usize::from(number - 1)));
        Position { ahead: none.ahead.map(|ahead| (1..=6).fold(ahead, put)), unplaced: 0, ..none }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let is_chance =
            if position.unplaced == 0 { position.die == 0 } else { self.placement == Placement::Random };
        match (position.is_over, is_chance) {
            (true, _) => Turn::Over,
            (_, true) => Turn::Chance,
            _ => Turn::Player(position.to_move),
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let put = (self.placement == Placement::Chosen).then(|| Self::in_hand(position));
        let steps = Self::movers(position)
            .into_iter()
            .flat_map(|(piece, ways)| Bits::new(ways.into()).map(move |way| Move::Step(piece, way)));
        put.into_iter().flatten().chain(steps)
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        if position.unplaced != 0 {
            let pick = draws.below(self.move_count(position));
            return self.moves(position).nth(pick as usize).expect("a piece is in hand");
        }
        let [lower, higher] = Self::movers(position);
        let of_lower = lower.1.count_ones();
        let pick = draws.below(of_lower + higher.1.count_ones());
        let ((piece, ways), rank) = if pick < of_lower { (lower, pick) } else { (higher, pick - of_lower) };
        let way = nth_set_bit(ways.into(), rank).expect("the piece has more ways");
        Move::Step(piece, way)
    }

    #[inline(always)]
    fn outcomes(&self, position: &Position) -> impl Iterator<Item = (Move, u32)> {
        let is_chance = self.turn(position) == Turn::Chance;
        let put = is_chance.then(|| Self::in_hand(position));
        let sides = if is_chance && position.unplaced == 0 { 6 } else { 0 };
        put.into_iter().flatten().chain((1..=sides).map(Move::Die)).map(|outcome| (outcome, 1))
    }

    #[inline(always)]
    fn random_outcome(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        if position.unplaced == 0 {
            return Move::Die(1 + draws.below(6) as u8);
        }
        let in_hand = 1 + (position.unplaced - 1) % 6;
        Self::in_hand(position).nth(draws.below(in_hand.into()) as usize).expect("a piece is in hand")
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: Move) {
        let mover = position.to_move;
        match mv {
            Move::Put(piece) => {
                let cell = self.triangle(usize::from(12 - position.unplaced) % 6);
                position.ahead[mover.index()] = moved(position.ahead[mover.index()], piece, GONE, cell);
                position.unplaced -= 1;
                position.to_move = Self::putter(position.unplaced);
            }
            Move::Die(side) => position.die = side,
            Move::Step(piece, way) => {
                let from = Self::piece(position, piece);
                let to = from - WAYS[usize::from(way)];
                let own = without(position.ahead[mover.index()], to);
                let theirs = without(position.ahead[mover.other().index()], self.turned(to));
                position.ahead[mover.index()] = moved(own, piece, from, to);
                position.ahead[mover.other().index()] = theirs;
                position.is_over = to == 0 || present(theirs) == 0;
                position.to_move = mover.other();
                position.die = 0;
            }
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if player == position.to_move { -1 } else { 1 }
    }

    #[inline(always)]
    fn move_number(&self, mv: Move) -> Option<u16> {
        Some(match mv {
            Move::Put(piece) => piece.into(),
            Move::Die(side) => 8 + u16::from(side),
            Move::Step(piece, way) => 16 * (1 + u16::from(way)) + u16::from(piece),
        })
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        let Position { ahead, to_move, die, unplaced, is_over } = *position;
        let [first, second] = ahead.map(|own| u128::from(own) & 0xffff_ffff_ffff);
        let state = [die, unplaced, to_move.index() as u8, is_over.into()].map(u128::from);
        Some(state.into_iter().fold(first << 48 | second, |key, part| key << 4 | part))
    }

    /// The number of the piece and its new cell: `3-b2`; `=3` for a piece that is put, and `3` for the die.
    fn notation(&self, position: &Position, mv: Move) -> String {
        match mv {
            Move::Put(piece) => format!("={piece}"),
            Move::Die(side) => side.to_string(),
            Move::Step(piece, way) => {
                let ahead = Self::piece(position, piece) - WAYS[usize::from(way)];
                format!("{piece}-{}", self.grid().name(self.cell(position.to_move, ahead)))
            }
        }
    }

    fn drawing(&self, position: &Position) -> String {
        let player = position.to_move;
        let state = match position {
            Position { is_over: true, .. } => format!("{} has won", player.other()),
            Position { unplaced: 1.., .. } => format!("{player} puts a piece"),
            Position { die: 0, .. } => format!("{player} rolls"),
            Position { die, .. } => format!("{player} has rolled {die}"),
        };
        let letters = Grid::letters_of(self.masks(position), LETTERS);
        format!("{}\n{state}", self.grid().drawing(letters, 0, None))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let mut picture = self.grid().picture([0; 2]);
        for (number, mask) in (0..).zip(self.masks(position)) {
            for cell in cells_of(mask) {
                let centre = [cell % self.size, cell / self.size].map(|at| 10 * u16::from(at) + 5);
                let tone = if number < 6 { Tone::First } else { Tone::Second };
                let name = (number % 6 + 1).to_string();
                picture =
                    picture.disc(tone, centre, 5).disc(Tone::Card, centre, 3).text(Tone::Ink, centre, name);
            }
        }
        Some(picture)
    }

    /// The rows with 1 to 6 and A to F for the pieces, the side to move (x or o), and the number of the die if it has rolled. Before all pieces are
    /// on the board, the moves that put them.
    fn position_text(&self, position: &Position) -> Option<String> {
        if position.unplaced > 0 {
            let name = |number: usize| {
                let own = position.ahead[number / 6].to_le_bytes();
                let piece = own.iter().position(|&ahead| ahead == self.triangle(number % 6));
                piece.map(|piece| format!("={}", piece + 1))
            };
            let names: Option<Vec<String>> = (0..usize::from(12 - position.unplaced)).map(name).collect();
            return Some(names?.join(" "));
        }
        let text = self.grid().text_of(Grid::letters_of(self.masks(position), LETTERS), position.to_move);
        Some(if position.die == 0 { text } else { format!("{text} {}", position.die) })
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.parse_position(text).ok().filter(|_| text.contains('/')).map(|position| position.to_move)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let rolled = text.rsplit_once(' ').filter(|(board, _)| board.contains('/') && board.contains(' '));
        let (board, die) = rolled.map_or((text, Ok(0)), |(board, die)| (board, die.parse()));
        self.grid().read_letters(self, LETTERS, board, |masks, to_move| {
            die.ok().and_then(|die| self.position(masks, to_move, die)).ok_or_else(|| {
                PositionError(format!(
                    "`{}` is no position: each piece is there at most once, after the side to move comes 1 to 6 if the die has rolled, and the \
                     side to move has not won",
                    text.escape_debug()
                ))
            })
        })
    }
}

settings! {
    struct EinsteinOptions {
        /// rows and columns of the board
        size: u8 = integer(4..=8, 5),
        /// the order of the pieces at the start
        placement: Placement = choice([
            ("chosen", "each player puts their own pieces, the first player before the second", Placement::Chosen),
            ("random", "chance puts the pieces of both", Placement::Random),
            ("rows", "1 to 6, as the player reads them from their own corner", Placement::Rows),
        ]),
    }
}

impl NamedGame for Einstein {
    const NAME: &'static str = "einstein";
    const ABOUT: &'static str =
        "EinStein würfelt nicht: a die chooses the piece that goes towards the other corner";

    fn options() -> Vec<OptionDecl> {
        EinsteinOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let EinsteinOptions { size, placement } = Settings::read(options);
        Ok(Self::new(size, placement))
    }

    fn entries(&self) -> Entries<Self> {
        let game = *self;
        let board = game
            .grid()
            .board(move |position| game.stones(position))
            .alike_by(&[Symmetry::Transpose])
            .exchanged_by(Symmetry::HalfTurn);
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
