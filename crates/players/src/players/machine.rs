//! A machine: the searcher at a seat of a game in progress.

use std::sync::Arc;

use super::{PlayError, Recipe};
use crate::game::{Game, GameExt, MoveReasons, Value, erased};
use crate::search::{
    AskTell, Budget, Decided, Decision, Limits, Meter, MoveStream, SearchError, Searcher, Stop,
    searches_are_abandoned,
};

pub(super) struct Machine<G: Game> {
    pub(super) searcher: Box<dyn Searcher<G>>,
    budget: Budget,
    follows: bool,
    pub(super) values_unvisited: bool,
}

impl<G: Game> Machine<G> {
    /// The search by ask and tell. `None` if the searcher does not support it, or if its budget limits time, which
    /// other games would use up.
    pub(super) fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.searcher.ask_tell().filter(|_| !self.budget.is_time_limited())
    }

    /// Tells it the moves of its game, if it wants to know them.
    pub(super) fn follow(&mut self, game: &G, start: &G::Position, moves: &[G::Move]) {
        if self.follows {
            self.searcher.follow(game, start, moves);
        }
    }

    /// The decision at a position, and the meter of its work. If its budget ends before it found anything, a random move: every player has
    /// one.
    pub(super) fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        limits: Limits,
    ) -> Result<(Decision<G::Move>, Meter), SearchError> {
        if searches_are_abandoned() {
            return Err(SearchError::Stopped);
        }
        let mut meter = self.meter(limits);
        let decision = self.searcher.choose(game, position, stream, &mut meter);
        meter.check_abandoned()?;
        let decision = decision.or_else(|failure| random_instead(failure, game, position, stream))?;
        Ok((decision, meter))
    }

    /// The reasons for its choice at a position, with moves in notation.
    pub(super) fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<String>>> {
        let mut written = Vec::new();
        for reason in self.searcher.reasons(game, position)? {
            let mv = game.notation(position, reason.mv);
            written.push(reason.of(mv));
        }
        Some(written)
    }

    pub(super) fn meter(&self, limits: Limits) -> Meter {
        let time = [self.budget.time, limits.time].into_iter().flatten().min();
        Meter::new(limits).of_a_player().with_budget(Budget { time, ..self.budget })
    }
}

/// A random move in place of a search that found nothing within its budget; other failures remain.
#[inline(never)]
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

struct Seated<'g, G: Game> {
    game: &'g G,
    recipe: Arc<Recipe<G>>,
    machine: Machine<G>,
}

pub(super) fn seated<G: Game>(game: &G, recipe: Arc<Recipe<G>>) -> Box<dyn AnyMachine + '_> {
    Box::new(Seated { game, machine: (&*recipe).into(), recipe })
}

erased! {
    /// A machine of a game of any type, at positions where it is to move.
    pub trait AnyMachine: [Send] for Seated<'_, G>, G: Game;

    /// A new machine of its searcher.
    fn another(&self) -> Box<dyn AnyMachine + '_> { seated(self.game, Arc::clone(&self.recipe)) }

    /// The decision.
    ///
    /// # Errors
    /// If the search gives none.
    fn choose(&mut self, at: &Value, stream: MoveStream, meter: &mut Meter) -> Result<Decision<Value>, SearchError> {
        Ok(self.machine.searcher.choose(self.game, at.of(), stream, meter)?.map(Value::new))
    }

    /// The relative weights of its moves, in the game's order. At least one is not 0. `None` if it does not state them.
    ///
    /// # Errors
    /// If a limit ends the search without a decision.
    fn chances(&mut self, at: &Value) -> Result<Option<Vec<u64>>, PlayError> {
        let (game, mut meter) = (self.game, self.machine.meter(Limits::default()));
        let Some(known) = self.machine.searcher.distribution(game, at.of(), &mut meter)? else {
            return Ok(None);
        };
        let legal: Vec<G::Move> = game.legal(at.of()).collect();
        let mut weights = vec![0; legal.len()];
        for (mv, weight) in known {
            let place = legal.iter().position(|&known| known == mv).expect("a player's move is legal");
            weights[place] += weight;
        }
        Ok(Some(weights))
    }

    /// The reasons for its scores, one for each move, if it follows rules.
    fn reasons(&self, at: &Value) -> Option<Vec<MoveReasons<String>>> {
        self.machine.reasons(self.game, at.of())
    }
}
