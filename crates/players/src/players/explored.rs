//! A game with an erased type, enumerated for exact comparisons.

use super::catalogue::Catalogue;
use super::machine::Machine;
use super::play_error::PlayError;
use super::recipe::FitError;
use super::spec::SearcherSpec;
use crate::game::{GameGraph, Graph, GraphError, MoveReasons, NamedGame, PositionError};

/// All positions of a game, by number; see [`Graph`].
///
/// # Example: the corners that a rule prefers
/// ```
/// use shikou::players::Registry;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("b2", 10_000).unwrap();
/// let start = all.graph().start();
/// let rules = game.read_searcher(r#"rules(list="a1: 2; corner: 1")"#).unwrap();
/// let mut player = all.player(&rules).unwrap();
/// assert_eq!(all.moves(start)[0], "a1");
/// assert_eq!(player.chances(start).unwrap().unwrap(), [1, 0, 0, 0, 0, 0, 0, 0]);
/// ```
pub trait Explored: Send + Sync {
    /// The positions and their edges.
    fn graph(&self) -> &Graph;

    /// The moves or outcomes of a position, in notation and in edge order.
    fn moves(&self, number: u32) -> Vec<String>;

    /// The drawing of a position.
    fn drawing(&self, number: u32) -> String;

    /// The text of a position; `None` if the game has no text form.
    fn text(&self, number: u32) -> Option<String>;

    /// Builds a player for one game from the spec of a searcher.
    ///
    /// # Errors
    /// Returns an error if it does not fit.
    fn player(&self, searcher: &SearcherSpec) -> Result<Box<dyn GraphPlayer + '_>, FitError>;
}

/// A player of an enumerated game. All position numbers are at a player's turn.
pub trait GraphPlayer: Send {
    /// The relative weights of its moves, in edge order. At least one is not 0. `None` if it does not state them.
    ///
    /// # Errors
    /// Returns an error if a limit ends the search without a decision.
    fn chances(&mut self, number: u32) -> Result<Option<Vec<u64>>, PlayError>;

    /// The reasons for its scores, one for each edge, if it follows rules.
    fn reasons(&mut self, number: u32) -> Option<Vec<MoveReasons<String>>>;
}

/// The reason why a game was not explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The text is not a position.
    #[error("no position: {0}")]
    Position(#[from] PositionError),
    /// The graph cannot be built.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// A game of a known type behind [`Explored`].
pub(super) struct Exploration<'g, G: NamedGame> {
    catalogue: Catalogue<'g, G>,
    all: GameGraph<G>,
}

impl<'g, G: NamedGame> Exploration<'g, G> {
    pub(super) fn new(
        catalogue: Catalogue<'g, G>,
        position: &str,
        most: usize,
    ) -> Result<Self, ExploreError> {
        let game = catalogue.game();
        let from = if position.trim().is_empty() { game.start() } else { game.parse_position(position)? };
        Ok(Self { catalogue, all: GameGraph::new(game, from, most)? })
    }
}

impl<G: NamedGame> Explored for Exploration<'_, G> {
    fn graph(&self) -> &Graph {
        self.all.graph()
    }

    fn moves(&self, number: u32) -> Vec<String> {
        let position = self.all.position(number);
        self.all.moves(number).iter().map(|&mv| self.catalogue.game().notation(position, mv)).collect()
    }

    fn drawing(&self, number: u32) -> String {
        self.catalogue.game().drawing(self.all.position(number))
    }

    fn text(&self, number: u32) -> Option<String> {
        self.catalogue.game().position_text(self.all.position(number))
    }

    fn player(&self, searcher: &SearcherSpec) -> Result<Box<dyn GraphPlayer + '_>, FitError> {
        let machine = (&self.catalogue.build(searcher)?).into();
        Ok(Box::new(Seated { game: self.catalogue.game(), all: &self.all, machine }))
    }
}

/// A machine with positions given by number.
struct Seated<'g, G: NamedGame> {
    game: &'g G,
    all: &'g GameGraph<G>,
    machine: Machine<G>,
}

impl<G: NamedGame> Seated<'_, G> {
    fn edge(&self, number: u32, mv: G::Move) -> usize {
        self.all.moves(number).iter().position(|&known| known == mv).expect("a player's move is legal")
    }
}

impl<G: NamedGame> GraphPlayer for Seated<'_, G> {
    fn chances(&mut self, number: u32) -> Result<Option<Vec<u64>>, PlayError> {
        let Some(known) = self.machine.distribution(self.game, self.all.position(number))? else {
            return Ok(None);
        };
        let mut weights = vec![0; self.all.moves(number).len()];
        for (mv, weight) in known {
            weights[self.edge(number, mv)] += weight;
        }
        Ok(Some(weights))
    }

    fn reasons(&mut self, number: u32) -> Option<Vec<MoveReasons<String>>> {
        self.machine.reasons(self.game, self.all.position(number))
    }
}
