//! Tic-tac-toe against its exact numbers, by full enumeration and exact fractions.
#![expect(clippy::trivially_copy_pass_by_ref, reason = "positions are passed as games take them")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, Mul};

use shikou::game::conformance::assert_conforms;
use shikou::game::{FinishedGames, Game, GameExt, Outcome, Player, Turn, perft};
use shikou::games::tic_tac_toe::{Position, TicTacToe};

use crate::support::reachable;

const GAME: TicTacToe = TicTacToe;

fn children(position: &Position) -> Vec<Position> {
    GAME.moves(position).map(|mv| GAME.after(position, mv)).collect()
}

/// The identity of a position: the marks of both, which also determine the turn.
fn marks(position: &Position) -> (u16, u16) {
    (position.marks(Player::FIRST), position.marks(Player::SECOND))
}

#[test]
fn conforms() {
    assert_conforms(&GAME);
}

/// Lines of exactly n plies: the falling factorials of 9 as long as no win is possible before the last ply.
#[test]
fn the_tree_has_the_known_size_at_every_depth() {
    let lines = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    for (depth, expected) in (0..).zip(lines) {
        assert_eq!(perft(&GAME, &GAME.start(), depth, FinishedGames::Skip), expected, "depth {depth}");
    }
}

#[test]
fn there_are_255_168_games() {
    fn games(position: &Position) -> u64 {
        let children = children(position);
        if children.is_empty() { 1 } else { children.iter().map(games).sum() }
    }
    assert_eq!(games(&GAME.start()), 255_168);
    assert_eq!(perft(&GAME, &GAME.start(), 9, FinishedGames::Count), 255_168);
}

#[test]
fn there_are_5_478_positions_and_765_up_to_symmetry() {
    /// The board turned by a quarter and optionally mirrored.
    fn image(marks: u16, turns: u8, mirrored: bool) -> u16 {
        (0..9).filter(|square| marks >> square & 1 == 1).fold(0, |image, square| {
            let (mut x, mut y) = (square % 3, square / 3);
            for _ in 0..turns {
                (x, y) = (2 - y, x);
            }
            if mirrored {
                x = 2 - x;
            }
            image | 1 << (3 * y + x)
        })
    }
    let positions = reachable(&GAME);
    assert_eq!(positions.len(), 5_478);
    let canonical = |position: &Position| {
        let (x, o) = marks(position);
        let images = (0..4).flat_map(|turns| [(turns, false), (turns, true)]);
        images.map(|(turns, mirrored)| (image(x, turns, mirrored), image(o, turns, mirrored))).min()
    };
    assert_eq!(positions.iter().map(canonical).collect::<BTreeSet<_>>().len(), 765);
}

/// The value of a position for the first player under best play, by a slow and simple recursion.
fn minimax(position: &Position) -> i32 {
    let values = GAME.moves(position).map(|mv| minimax(&GAME.after(position, mv)));
    match GAME.turn(position) {
        Turn::Player(Player::FIRST) => values.max().unwrap(),
        Turn::Player(_) => values.min().unwrap(),
        _ => GAME.payoff(position, Player::FIRST),
    }
}

#[test]
fn best_play_is_a_draw() {
    assert_eq!(minimax(&GAME.start()), 0);
}

/// How games from a position end: the first player's wins, the second's, draws, and the mean plies left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    first: Fraction,
    second: Fraction,
    draw: Fraction,
    plies: Fraction,
}

impl Ends {
    /// The ends of games if each player chooses uniformly among the positions that `choices` returns.
    fn of(position: &Position, choices: &dyn Fn(&Position) -> Vec<Position>) -> Self {
        let share = |outcome| Fraction::new(i128::from(GAME.outcome(position, Player::FIRST) == outcome), 1);
        let zero = Fraction::new(0, 1);
        if GAME.turn(position) == Turn::Over {
            let (first, second) = (share(Outcome::Win), share(Outcome::Loss));
            return Self { first, second, draw: share(Outcome::Draw), plies: zero };
        }
        let next = choices(position);
        let each = Fraction::new(1, next.len() as i128);
        let begin = Self { first: zero, second: zero, draw: zero, plies: Fraction::new(1, 1) };
        next.iter().map(|child| Self::of(child, choices)).fold(begin, |sum, ends| Self {
            first: sum.first + each * ends.first,
            second: sum.second + each * ends.second,
            draw: sum.draw + each * ends.draw,
            plies: sum.plies + each * ends.plies,
        })
    }
}

#[test]
fn random_games_end_as_enumeration_says() {
    let ends = Ends::of(&GAME.start(), &children);
    assert_eq!(ends.first, Fraction::new(737, 1260));
    assert_eq!(ends.second, Fraction::new(121, 420));
    assert_eq!(ends.draw, Fraction::new(8, 63));
    assert_eq!(ends.plies, Fraction::new(3203, 420));
}

#[test]
fn the_centre_is_the_best_first_move_against_random_play() {
    let half = Fraction::new(1, 2);
    let score = |square| {
        let ends = Ends::of(&GAME.after(&GAME.start(), square), &children);
        (ends.first, ends.first + half * ends.draw)
    };
    let (b2, a1, b1) = (score(4), score(0), score(1));
    assert_eq!((b2.0, a1.0, b1.0), (Fraction::new(97, 140), Fraction::new(17, 28), Fraction::new(15, 28)));
    assert_eq!(b2.1, Fraction::new(3, 4));
    assert!((a1.1.to_f64() - 0.671429).abs() < 5e-7, "{a1:?}");
    assert_eq!(b1.1, Fraction::new(3, 5));
}

#[test]
fn an_optimal_player_does_not_lose_to_a_random_one() {
    let values: BTreeMap<_, i32> = reachable(&GAME).iter().map(|p| (marks(p), minimax(p))).collect();
    // One player chooses equally among the moves that keep the value, the other among all.
    let ends = |optimal: Player| {
        Ends::of(&GAME.start(), &|position| {
            let mut next = children(position);
            if GAME.turn(position) == Turn::Player(optimal) {
                next.retain(|child| values[&marks(child)] == values[&marks(position)]);
            }
            next
        })
    };
    let near =
        |found: Fraction, published: f64| assert!((found.to_f64() - published).abs() < 5e-6, "{found:?}");
    let none = Fraction::new(0, 1);
    let first = ends(Player::FIRST);
    near(first.first, 0.96781);
    near(first.draw, 0.03219);
    assert_eq!(first.second, none);
    let second = ends(Player::SECOND);
    near(second.second, 0.77748);
    near(second.draw, 0.22252);
    assert_eq!(second.first, none);
}

/// An exact fraction in lowest terms, for expectations by enumeration. Every overflow is an error in tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    /// `above / below`.
    fn new(above: i128, below: i128) -> Self {
        let (mut a, mut b) = (above.abs(), below.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a * below.signum();
        Self { above: above / divisor, below: below / divisor }
    }

    /// The nearest floating-point number.
    fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}

impl Add for Fraction {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.above * other.below + other.above * self.below, self.below * other.below)
    }
}

impl Mul for Fraction {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.above * other.above, self.below * other.below)
    }
}
