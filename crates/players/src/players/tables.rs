//! Tables: players resolved for a game, from which tables are made for any seating.

use super::catalogue::Catalogue;
use super::machine::Machine;
use super::table::Seats;
use super::{FitError, LockStep, Recipe, SearcherSpec, Table};
use crate::game::{Game, NamedGame, erased};

/// A player does not fit its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct UnfitPlayer {
    /// The index of the player.
    pub player: usize,
    /// Why it does not fit.
    pub error: FitError,
}

impl From<UnfitPlayer> for FitError {
    fn from(unfit: UnfitPlayer) -> Self {
        unfit.error
    }
}

pub(super) struct Prepared<G: Game> {
    game: G,
    start: G::Position,
    recipes: Vec<Recipe<G>>,
}

impl<G: NamedGame> Prepared<G> {
    pub(super) fn new(catalogue: &Catalogue<'_, G>, players: &[SearcherSpec]) -> Result<Self, UnfitPlayer> {
        let mut recipes = Vec::new();
        for (player, spec) in players.iter().enumerate() {
            recipes.push(catalogue.build(spec).map_err(|error| UnfitPlayer { player, error })?);
        }
        let game = catalogue.game();
        Ok(Self { game: game.clone(), start: game.start(), recipes })
    }

    fn recipes(&self, seats: &[usize]) -> impl Iterator<Item = &Recipe<G>> {
        assert_eq!(seats.len(), usize::from(self.game.facts().players), "one player a seat");
        seats.iter().map(|&player| &self.recipes[player])
    }

    fn seats(&self, seats: &[usize]) -> Seats<'_, G> {
        let mut machines = [None, None];
        for (machine, recipe) in machines.iter_mut().zip(self.recipes(seats)) {
            *machine = Some(recipe.into());
        }
        Seats::new(&self.game, self.start, machines)
    }
}

erased! {
    /// Players resolved for one game, which makes tables for any seating.
    ///
    /// `seats` are indices of the players in seat order; a player may have both seats. All methods panic if an index is out
    /// of range or there are not as many seats as the game has players.
    pub trait Tables: [Send + Sync] for Prepared<G>, G: NamedGame;

    /// A new game, with new machines.
    ///
    /// # Cost
    /// Four allocations in a game for two: the table, each machine, and the list of moves.
    fn table(&self, seats: &[usize]) -> Box<dyn Table + '_> { Box::new(self.seats(seats)) }

    /// Whether any of the machines decides by ask and tell, so that [`Tables::lock_step`] can batch its requests.
    fn ask_and_tell(&self, seats: &[usize]) -> bool {
        // An engine's game is lost where it fails, and a lock-step knows no lost games.
        !self.recipes(seats).any(|recipe| recipe.follows)
            && self.recipes(seats).any(|recipe| Machine::from(recipe).ask_tell().is_some())
    }

    /// Whether any machine's decisions depend on its earlier ones; see [`Searcher::remembers`](crate::search::Searcher::remembers).
    fn remember(&self, seats: &[usize]) -> bool {
        self.recipes(seats).any(|recipe| recipe.machine().remembers())
    }

    /// `games` new games in lock-step, each with new machines.
    fn lock_step(&self, seats: &[usize], games: usize) -> LockStep<'_> {
        LockStep::new(&self.game, (0..games).map(|_| self.seats(seats)).collect())
    }
}
