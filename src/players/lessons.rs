//! The games that a learner of n-tuples plays, with the type of the game erased.

use std::sync::Arc;

use super::catalogue::Catalogue;
use super::machine::Machine;
use super::recipe::{FitError, Recipe};
use super::spec::SearcherSpec;
use super::{PlayError, longest};
use crate::game::options::Part;
use crate::game::tuples::{Board, Seen};
use crate::game::{Game, NamedGame, Player};
use crate::learn::{Episode, Learner, LessonError, Opponent, Pupil, TdSettings, TupleSum, TupleValues};
use crate::rng::{PlayoutKey, Stream};
use crate::search::{Limits, MoveStream};

/// A game, an evaluation by n-tuples whose weights are learned, and the opponents that it learns from.
pub trait Lessons: Send + Sync {
    /// A learner that knows nothing.
    fn learner(&self, settings: TdSettings) -> Learner;

    /// Plays a game by the weights of a learner, against itself or against an opponent: its number, and its seat.
    ///
    /// # Errors
    /// If the game cannot be played to its end.
    fn play(
        &self,
        learner: &Learner,
        opponent: Option<(usize, Player)>,
        luck: Stream,
        limits: Limits,
    ) -> Result<Episode, PlayError>;
}

struct LessonsOf<G: Game> {
    game: G,
    board: Arc<dyn Board<G>>,
    sum: TupleSum,
    seen: Seen,
    opponents: Vec<Recipe<G>>,
}

/// The machine of an opponent.
struct Other<G: Game> {
    machine: Machine<G>,
    key: PlayoutKey,
    moves: u64,
    limits: Limits,
}

impl<G: Game> Opponent<G> for Other<G> {
    type Error = PlayError;

    fn choose(&mut self, game: &G, position: &G::Position) -> Result<G::Move, PlayError> {
        let stream = MoveStream::new(self.key.child(self.moves));
        self.moves += 1;
        Ok(self.machine.choose(game, position, stream, self.limits)?.0.chosen)
    }
}

impl<G: NamedGame> Catalogue<'_, G> {
    /// The lessons for the weights of a part `tuples`.
    pub(super) fn lessons(
        &self,
        evaluation: &Part,
        opponents: &[SearcherSpec],
    ) -> Result<Box<dyn Lessons>, FitError> {
        if self.game().facts().players != 2 {
            return Err(FitError::searcher("td learns from games for two, and this is a solitaire"));
        }
        let (board, tables, seen) = self.tuples_to_learn(evaluation)?;
        let (rows, columns) = board.size(self.game());
        let opponents = opponents.iter().map(|spec| self.build(spec)).collect::<Result<_, _>>()?;
        let sum = TupleSum::new(rows * columns, &tables);
        Ok(Box::new(LessonsOf { game: self.game().clone(), board, sum, seen, opponents }))
    }
}

impl<G: NamedGame> Lessons for LessonsOf<G> {
    fn learner(&self, settings: TdSettings) -> Learner {
        Learner::new(self.sum.clone(), self.seen, settings)
    }

    fn play(
        &self,
        learner: &Learner,
        opponent: Option<(usize, Player)>,
        luck: Stream,
        limits: Limits,
    ) -> Result<Episode, PlayError> {
        let mut other = opponent.map(|(number, seat)| {
            let machine = Machine::from(&self.opponents[number]);
            (seat, Other { machine, key: (luck / "opponent").playout_key(), moves: 0, limits })
        });
        let other = other.as_mut().map(|(seat, other)| (*seat, other));
        let values = TupleValues::new(&*self.board, learner);
        let longest = longest(&self.game.facts());
        let mut pupil = Pupil::new(&self.game, values, learner.settings().of_random(), longest);
        pupil.play(other, luck).map_err(|error| match error {
            LessonError::Endless(plies) => PlayError::Endless(plies),
            LessonError::Opponent(error) => error,
        })
    }
}
