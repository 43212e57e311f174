//! A game of any type, enumerated for exact comparisons.

use super::any_game::AnyGame;
use super::machine::AnyMachine;
use super::recipe::FitError;
use super::spec::SearcherSpec;
use crate::game::{Graph, GraphError, PositionError};

/// All positions of a game, by number; see [`Graph`].
///
/// # Example: the corners that a rule prefers
/// ```
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("b2", 10_000).unwrap();
/// let start = all.graph().start();
/// let rules = game.read_searcher(r#"rules(list="a1: 2; corner: 1")"#).unwrap();
/// let mut player = all.player(&rules).unwrap();
/// assert_eq!(all.moves(start)[0], "a1");
/// let chances = player.chances(all.graph().position(start)).unwrap();
/// assert_eq!(chances.unwrap(), [1, 0, 0, 0, 0, 0, 0, 0]);
/// ```
pub struct Explored<'g> {
    game: &'g dyn AnyGame,
    graph: Graph,
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

impl dyn AnyGame + '_ {
    /// Enumerates all positions that are reachable from a position; the empty text is the start.
    ///
    /// # Errors
    /// If the text is not a position, more than `most` positions are found, or the game is not finite.
    pub fn explore(&self, position: &str, most: usize) -> Result<Explored<'_>, ExploreError> {
        let rules = self.object();
        let from = if position.trim().is_empty() { rules.start() } else { rules.parse_position(position)? };
        Ok(Explored { game: self, graph: Graph::new(rules, from, most)? })
    }
}

impl Explored<'_> {
    /// The positions and their edges.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The moves or outcomes of a position, in notation and in edge order.
    pub fn moves(&self, number: u32) -> Vec<String> {
        self.game.object().notations(self.graph.position(number))
    }

    /// The drawing of a position.
    pub fn drawing(&self, number: u32) -> String {
        self.game.object().drawing(self.graph.position(number))
    }

    /// The text of a position; `None` if the game has no text form.
    pub fn text(&self, number: u32) -> Option<String> {
        self.game.object().position_text(self.graph.position(number))
    }

    /// Builds a player for one game from the spec of a searcher.
    ///
    /// # Errors
    /// Returns an error if it does not fit.
    pub fn player(&self, searcher: &SearcherSpec) -> Result<Box<dyn AnyMachine + '_>, FitError> {
        self.game.machine(searcher)
    }
}
