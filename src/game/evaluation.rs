//! Evaluations: heuristic values of positions where a depth-limited search stops.

use std::sync::Arc;

use super::{Game, Player};

/// A heuristic value of a position for a named player. Larger is better; integers, so that ties are ties.
///
/// # Laws
/// - `evaluate` depends on the game, the position and the player only.
/// - In a zero-sum game the values for the two players add up to 0.
/// - Both lie within `range`.
/// - `|evaluate| < 2²⁰` wherever `finished` is not overridden, so that a sure win outweighs every guess.
pub trait Evaluation<G: Game>: Send + Sync {
    /// The value of an unfinished position for `player`.
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64;

    /// The value of a finished position for `player`, comparable with [`Evaluation::evaluate`]: the payoff
    /// times 2²⁰. To be overridden where the evaluation estimates the payoff in its own units.
    fn finished(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        i64::from(game.payoff(position, player)) << 20
    }

    /// The range of all values, of finished positions too, for whichever player. By default what follows from the
    /// laws where `finished` is not overridden. The narrower it is, the more a search of a game of chance can cut.
    fn range(&self, game: &G) -> (i64, i64) {
        let facts = game.facts();
        let (low, high) = (i64::from(facts.min_payoff) << 20, i64::from(facts.max_payoff) << 20);
        (low.min(-1 << 20), high.max(1 << 20))
    }
}

/// An evaluation as a game offers it to manifests: a name, a line about it, and the evaluation.
#[derive(Clone)]
pub struct NamedEvaluation<G> {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// What it values, in a line.
    pub about: &'static str,
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation<G>>,
}

impl<G: Game> NamedEvaluation<G> {
    /// An evaluation under a name.
    pub fn new(name: &'static str, about: &'static str, evaluation: impl Evaluation<G> + 'static) -> Self {
        Self { name, about, evaluation: Arc::new(evaluation) }
    }
}
