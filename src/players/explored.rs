//! A game whose type is forgotten, with all its positions: what exact comparisons need of it.

use super::recipe::{Misfit, Recipe, build};
use super::table::Machine;
use super::{Failure, SearcherSpec};
use crate::game::{GameGraph, Graph, MoveReasons, NamedGame, NoGraph, PositionError};

/// All positions of a game, by number; see [`Graph`].
///
/// # Example: which corners does a rule like?
/// ```
/// use shikou::players::Registry;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("b2", 10_000).unwrap();
/// let start = all.graph().start();
/// let mut player = all.player(&r#"rules(list="a1: 2; corner: 1")"#.parse().unwrap()).unwrap();
/// assert_eq!(all.moves(start)[0], "a1");
/// assert_eq!(player.chances(start).unwrap().unwrap(), [1, 0, 0, 0, 0, 0, 0, 0]);
/// ```
pub trait Explored: Send + Sync {
    /// The positions and how they hang together.
    fn graph(&self) -> &Graph;

    /// The moves or outcomes of a position as they are written, in the order of its edges.
    fn moves(&self, number: u32) -> Vec<String>;

    /// A position, drawn.
    fn drawing(&self, number: u32) -> String;

    /// A position as the game writes it; `None` where it does not.
    fn text(&self, number: u32) -> Option<String>;

    /// A searcher as a player of this game, for one game.
    ///
    /// # Errors
    /// Where it does not fit.
    fn player(&self, searcher: &SearcherSpec) -> Result<Box<dyn GraphPlayer + '_>, Misfit>;
}

/// A player of a game of which all positions are known. Every number is that of a position at a player's turn.
pub trait GraphPlayer: Send {
    /// The chance with which it plays each move, as relative weights in the order of the edges; not all are 0. `None`: it
    /// cannot state it.
    ///
    /// # Errors
    /// Where a limit leaves no decision.
    fn chances(&mut self, number: u32) -> Result<Option<Vec<u64>>, Failure>;

    /// Why it plays as it does, for players that go by rules; a piece for each edge.
    fn reasons(&mut self, number: u32) -> Option<Vec<MoveReasons<String>>>;
}

/// Why a game was not explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoExploration {
    /// The text stands for no position.
    #[error("no position: {0}")]
    Position(#[from] PositionError),
    /// There is no graph.
    #[error(transparent)]
    Graph(#[from] NoGraph),
}

/// A game of a known type behind [`Explored`].
pub(super) struct Exploration<'g, G: NamedGame> {
    game: &'g G,
    all: GameGraph<G>,
}

impl<'g, G: NamedGame> Exploration<'g, G> {
    pub(super) fn new(game: &'g G, position: &str, most: usize) -> Result<Self, NoExploration> {
        let from = if position.trim().is_empty() { game.start() } else { game.parse_position(position)? };
        Ok(Self { game, all: GameGraph::new(game, from, most)? })
    }
}

impl<G: NamedGame> Explored for Exploration<'_, G> {
    fn graph(&self) -> &Graph {
        self.all.graph()
    }

    fn moves(&self, number: u32) -> Vec<String> {
        let position = self.all.position(number);
        self.all.moves(number).iter().map(|&mv| self.game.notation(position, mv)).collect()
    }

    fn drawing(&self, number: u32) -> String {
        self.game.drawing(self.all.position(number))
    }

    fn text(&self, number: u32) -> Option<String> {
        self.game.position_text(self.all.position(number))
    }

    fn player(&self, searcher: &SearcherSpec) -> Result<Box<dyn GraphPlayer + '_>, Misfit> {
        let recipe: Recipe<G> = build(self.game, searcher)?;
        Ok(Box::new(Seated { game: self.game, all: &self.all, machine: (&recipe).into() }))
    }
}

/// A machine that is asked about positions by number.
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
    fn chances(&mut self, number: u32) -> Result<Option<Vec<u64>>, Failure> {
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
