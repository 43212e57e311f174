//! A game in progress as learners see it: moves are numbers, and what is seen of positions is numbers.
//!
//! The key decision: a learner asks its game a few times a ply, through an object. So those who play and learn are compiled once
//! for all games.

use super::input::{Input, Inputs, Source};
use crate::game::tuples::SquareChange;
use crate::game::{Game, GameExt, Player, Turn, erased};

/// The positions that a learner sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The present one.
    Now,
    /// The position after a legal move, given by its number.
    After(usize),
    /// The positions after each legal move, in order.
    Each,
}

/// The view that a learner asks for.
pub enum Sight<'s> {
    /// The owner of each square of a board, at one position.
    Owners(&'s mut [u8]),
    /// The squares that each move changes.
    Changes(&'s mut dyn FnMut(&[SquareChange])),
    /// The inputs of a network, which are appended.
    Inputs(&'s mut Inputs),
    /// The features after each move; see [`Features::after_moves`](crate::game::Features::after_moves).
    Features(&'s mut dyn FnMut(usize, usize, i32)),
}

/// The moves of a player at the other seat, or in place of one that learns from its games; an error if it has none.
pub(super) type Choose<'o, G, E> = dyn FnMut(&<G as Game>::Position) -> Result<<G as Game>::Move, E> + 'o;

/// A environment of a game of a known type.
pub struct GameEnvironment<'g, G: Game, E> {
    pub(super) game: &'g G,
    /// The present position.
    pub position: G::Position,
    input: Option<&'g Input<G>>,
    other: Option<Box<Choose<'g, G, E>>>,
}

impl<'g, G: Game, E> GameEnvironment<'g, G, E> {
    /// A environment from the start, with what learners see of it.
    pub fn new(game: &'g G, input: Option<&'g Input<G>>) -> Self {
        Self { game, position: game.start(), input, other: None }
    }

    /// The environment with another player.
    #[must_use]
    pub fn with_other(self, other: Box<Choose<'g, G, E>>) -> Self {
        Self { other: Some(other), ..self }
    }

    fn each(&self, at: At, see: &mut dyn FnMut(&G::Position)) {
        let Self { game, position, .. } = self;
        let (first, most) = match at {
            At::Now => return see(position),
            At::After(mv) => (mv, 1),
            At::Each => (0, usize::MAX),
        };
        for mv in game.moves(position).skip(first).take(most) {
            let mut after = *position;
            game.apply(&mut after, mv);
            see(&after);
        }
    }
}

erased! {
    /// A game in progress, with the type of its positions erased.
    pub trait Environment<E> for GameEnvironment<'_, G, E>, G: Game, E;

    /// Whose turn it is.
    fn turn(&self) -> Turn { self.game.turn(&self.position) }

    /// The number of legal moves.
    fn count_moves(&self) -> u32 { self.game.move_count(&self.position) }

    /// Makes a legal move, given by its number.
    fn make(&mut self, mv: usize) {
        let mv = self.game.moves(&self.position).nth(mv).expect("a player's turn has a move");
        self.game.apply(&mut self.position, mv);
    }

    /// Lets chance choose by a draw below a number.
    fn draw(&mut self, below: &mut dyn FnMut(u64) -> u64) {
        let (_, outcome) = self.game.outcome_by(&self.position, below);
        self.game.apply(&mut self.position, outcome);
    }

    /// Lets another player move in the learner's place.
    ///
    /// # Errors
    /// If it has no move.
    fn let_other_move(&mut self) -> Result<(), E> {
        let mv = self.other.as_mut().expect("there is another player")(&self.position)?;
        self.game.apply(&mut self.position, mv);
        Ok(())
    }

    /// Shows what `viewer` sees.
    ///
    /// # Panics
    /// If the environment was not made for this.
    fn show(&self, viewer: Player, at: At, sight: Sight<'_>) {
        let Self { game, position, input, .. } = self;
        match (&input.expect("the environment is seen").source, sight) {
            (Source::Squares(board, ..), Sight::Owners(owners)) => {
                self.each(at, &mut |position| board.owners(game, position, viewer, owners));
            }
            (Source::Squares(board, ..), Sight::Changes(show)) => {
                board.each_change(game, position, viewer, show);
            }
            (Source::Features(features), Sight::Features(show)) => {
                features.after_moves(game, position, viewer, show);
            }
            (_, Sight::Inputs(inputs)) => {
                let input = input.expect("the environment is seen");
                self.each(at, &mut |position| input.append(game, position, viewer, inputs));
            }
            _ => panic!("a learner asks for what the environment shows"),
        }
    }

    /// The points of the first player of the finished game: 1, ½ or 0.
    fn points(&self) -> f64 { points(self.game, &self.position) }

    /// The payoff of the first player, from 0 for the least to 1 for the largest, and its score.
    fn payoff_and_score(&self) -> [f64; 2] {
        let Self { game, position, .. } = self;
        let facts = game.facts();
        let range = f64::from(facts.max_payoff - facts.min_payoff).max(1.0);
        let payoff = f64::from(game.payoff(position, Player::FIRST) - facts.min_payoff) / range;
        [payoff, game.score(position, Player::FIRST).into()]
    }
}

pub(super) fn points<G: Game>(game: &G, position: &G::Position) -> f64 {
    f64::from(game.outcome(position, Player::FIRST).half_points()) / 2.0
}

/// Why a game could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpisodeError<E> {
    /// The game is longer than it may be.
    #[error("the game did not end within {0} plies")]
    Endless(u32),
    /// The opponent has no move.
    #[error(transparent)]
    Opponent(E),
}

/// Plays a game on to its end: chance draws `below` a number, and `play` lets the players move.
pub(super) fn play_to_end<E, C: Environment<E> + ?Sized>(
    environment: &mut C,
    longest: u32,
    below: &mut dyn FnMut(u64) -> u64,
    play: &mut dyn FnMut(&mut C, Player) -> Result<(), E>,
) -> Result<(), EpisodeError<E>> {
    for _ in 0..=longest {
        match environment.turn() {
            Turn::Over => return Ok(()),
            Turn::Chance => environment.draw(below),
            Turn::Player(player) => play(environment, player).map_err(EpisodeError::Opponent)?,
        }
    }
    Err(EpisodeError::Endless(longest))
}
