//! Left moves and leftmost path: two solitaires without chance and with known answers, for the study of nested
//! searches.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{Facts, Game, NamedGame, Outcome, Player, Turn};
use crate::words::counted;

/// The payoff of a game of left and right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// The number of moves to the left. Each move counts by itself, so that playouts are informative.
    #[default]
    LeftMoves,
    /// The number of moves to the left before the first to the right.
    LeftmostPath,
}

/// A game of `steps` turns, each with a move to the left and a move to the right, in this order. The score counts; the game is won
/// if every move went left.
///
/// The left move and leftmost path problems of Cazenave (2009, "Nested Monte-Carlo search", section 3), whose
/// values for a nested search of level 1 can be computed exactly.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::left_moves::{LeftMoves, Score};
/// let game = LeftMoves::new(4, Score::LeftMoves);
/// let position = game.follow("left left right left").unwrap();
/// assert_eq!(game.payoff(&position, Player::FIRST), 3);
/// assert_eq!(LeftMoves::new(4, Score::LeftmostPath).payoff(&position, Player::FIRST), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LeftMoves {
    steps: u16,
    score: Score,
}

/// The number of moves, of moves to the left, and of moves to the left before the first to the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    made: u16,
    left: u16,
    leftmost: u16,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl LeftMoves {
    /// A game of this many turns, at least 1 and at most 10 000.
    ///
    /// # Panics
    /// If `steps` is out of range.
    pub fn new(steps: u16, score: Score) -> Self {
        assert!((1..=10_000).contains(&steps), "a game has 1 to 10 000 turns, not {steps}");
        Self { steps, score }
    }
}

impl Game for LeftMoves {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire());

    fn facts(&self) -> Facts {
        Facts::solitaire()
            .with_payoffs(0, self.steps.into())
            .judged_by_score("left moves", 0, self.steps.into())
            .with_max_plies(self.steps.into())
    }

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Turn {
        if position.made < self.steps { Turn::Player(Player::FIRST) } else { Turn::Over }
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let count = if position.made < self.steps { 2 } else { 0 };
        [Move::Left, Move::Right].into_iter().take(count)
    }

    fn apply(&self, position: &mut Position, mv: Move) {
        if mv == Move::Left {
            position.leftmost += u16::from(position.left == position.made);
            position.left += 1;
        }
        position.made += 1;
    }

    fn payoff(&self, position: &Position, _player: Player) -> i32 {
        match self.score {
            Score::LeftMoves => position.left.into(),
            Score::LeftmostPath => position.leftmost.into(),
        }
    }

    fn outcome(&self, position: &Position, _player: Player) -> Outcome {
        if position.left == self.steps { Outcome::Win } else { Outcome::Loss }
    }

    fn notation(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Left => "left".into(),
            Move::Right => "right".into(),
        }
    }

    fn drawing(&self, position: &Position) -> String {
        let Position { made, left, leftmost } = position;
        format!(
            "{made} of {}, {left} to the left, {leftmost} of them before any to the right",
            counted(self.steps.into(), "move")
        )
    }
}

settings! {
    struct LeftMovesOptions {
        /// turns of each game
        steps: u16 = integer(1..=10_000, 60),
        /// payoff of a game
        score: Score = choice([
            ("left-moves", "the moves to the left", Score::LeftMoves),
            ("leftmost-path", "the moves to the left before the first to the right", Score::LeftmostPath),
        ]),
    }
}

impl NamedGame for LeftMoves {
    const NAME: &'static str = "left-moves";
    const ABOUT: &'static str = "left or right in every turn, for the study of nested searches";

    fn options() -> Vec<OptionDecl> {
        LeftMovesOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let LeftMovesOptions { steps, score } = Settings::read(options);
        Ok(Self::new(steps, score))
    }
}
