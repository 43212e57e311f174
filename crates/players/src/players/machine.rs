//! A machine: the searcher at a seat of a game in progress.

use super::Recipe;
use crate::game::{Game, MoveReasons};
use crate::search::{
    AskTell, Budget, Decided, Decision, Distribution, Limits, Meter, MoveStream, SearchError, Searcher,
    Spent, Stop, searches_are_abandoned,
};

/// The searcher at a seat, and its budget for a move.
pub(super) struct Machine<G: Game> {
    pub(super) searcher: Box<dyn Searcher<G>>,
    budget: Budget,
    follows: bool,
    /// Whether it knows the value of moves that it never tried.
    pub(super) values_unvisited: bool,
}

impl<G: Game> Machine<G> {
    /// Its search by ask and tell. `None` if the searcher does not support it, or if its budget limits time, which
    /// other games would use up.
    pub(super) fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.searcher.ask_tell().filter(|_| self.budget.time.is_none())
    }

    /// Tells it the moves of its game, if it wants to know them.
    pub(super) fn follow(&mut self, game: &G, start: &G::Position, moves: &[G::Move]) {
        if self.follows {
            self.searcher.follow(game, start, moves);
        }
    }

    /// Its decision at a position, and the work. If its budget ends before it found anything, a random move: every player has
    /// one.
    pub(super) fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        limits: Limits,
    ) -> Result<(Decision<G::Move>, Spent), SearchError> {
        if searches_are_abandoned() {
            return Err(SearchError::Stopped);
        }
        let mut meter = self.meter(limits);
        let decision = self.searcher.choose(game, position, stream, &mut meter);
        meter.check_abandoned()?;
        let decision = decision.or_else(|failure| random_instead(failure, game, position, stream))?;
        Ok((decision, meter.spent()))
    }

    /// The probabilities of its moves at a position, if it can state them.
    pub(super) fn distribution(&mut self, game: &G, position: &G::Position) -> Distribution<G> {
        let mut meter = self.meter(Limits::default());
        self.searcher.distribution(game, position, &mut meter)
    }

    /// The reasons for its choice at a position, with moves in notation.
    pub(super) fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<String>>> {
        let written = |reason: MoveReasons<G::Move>| {
            let mv = game.notation(position, reason.mv);
            reason.of(mv)
        };
        Some(self.searcher.reasons(game, position)?.into_iter().map(written).collect())
    }

    /// A new meter for a move.
    pub(super) fn meter(&self, limits: Limits) -> Meter {
        let time = [self.budget.time, limits.time].into_iter().flatten().min();
        Meter::new(limits).of_a_player().with_budget(Budget { time, ..self.budget })
    }
}

/// A random move in place of a search that found nothing within its budget; other failures remain.
pub(super) fn random_instead<G: Game>(
    failure: SearchError,
    game: &G,
    position: &G::Position,
    stream: MoveStream,
) -> Decided<G> {
    let SearchError::Budget { limit } = failure else { return Err(failure) };
    let number = stream.rng().below(game.move_count(position).into());
    let chosen = game.moves(position).nth(number as usize).expect("it is below the number of moves");
    Ok(Decision::unsearched(chosen, Stop::Limit(limit)))
}

impl<G: Game> From<&Recipe<G>> for Machine<G> {
    fn from(recipe: &Recipe<G>) -> Self {
        Self {
            searcher: recipe.machine(),
            budget: recipe.budget(),
            follows: recipe.follows,
            values_unvisited: recipe.values_unvisited,
        }
    }
}
