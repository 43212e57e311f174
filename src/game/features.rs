//! Features: numbers that describe a position, for evaluations that are weighted sums.

use std::sync::Arc;

use super::{Evaluation, Game, Player};

/// A description of a position by integers, from a player's point of view.
///
/// # Laws
/// - `names` depends on the game only, and no two names are equal.
/// - `values` depends on the game, the position and the player only.
/// - In a zero-sum game the values for one player are the negated values for the other.
/// - `weighted` is the sum of weight · value.
pub trait Features<G: Game>: Send + Sync {
    /// The names of the numbers, in order.
    fn names(&self, game: &G) -> Vec<String>;

    /// Writes the numbers of a position.
    ///
    /// # Panics
    /// May panic if `values` is not as long as `names`.
    fn values(&self, game: &G, position: &G::Position, player: Player, values: &mut [i32]);

    /// The sum of weight · value over all numbers. A game may override it for speed.
    ///
    /// # Panics
    /// May panic if `weights` is not as long as `names`.
    fn weighted(&self, game: &G, position: &G::Position, player: Player, weights: &[i64]) -> i64 {
        let mut values = vec![0; weights.len()];
        self.values(game, position, player, &mut values);
        values.iter().zip(weights).map(|(&value, &weight)| i64::from(value) * weight).sum()
    }
}

/// Features in a game's catalogue: a name, a description, and the features.
#[derive(Clone)]
pub struct NamedFeatures<G> {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The features.
    pub features: Arc<dyn Features<G>>,
}

impl<G: Game> NamedFeatures<G> {
    /// Features under a name.
    pub fn new(name: &'static str, about: &'static str, features: impl Features<G> + 'static) -> Self {
        Self { name, about, features: Arc::new(features) }
    }
}

/// An evaluation that is linear in some features: the sum of weight · value, clamped below 2²⁰ so that a certain win
/// outweighs it. Only the ratios of the weights matter to a search that compares values.
///
/// # Example: the weighted piece counter from the ten kinds of squares
/// ```
/// use shikou::game::{Evaluation, GameExt, Linear, NamedGame, Player};
/// use shikou::games::othello::{Othello, Weights};
/// let game = Othello::default();
/// let kinds = game.features().into_iter().find(|features| features.name == "square-kinds").unwrap();
/// assert_eq!(kinds.features.names(&game), ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"]);
/// let linear = Linear::new(kinds.features, vec![100, -25, 10, 5, -25, 1, 1, 5, 2, 1]);
/// let position = game.follow("f5d6c3").unwrap();
/// let value = linear.evaluate(&game, &position, Player::FIRST);
/// assert_eq!(value, Weights.evaluate(&game, &position, Player::FIRST));
/// ```
#[derive(Clone)]
pub struct Linear<G> {
    features: Arc<dyn Features<G>>,
    weights: Vec<i64>,
}

impl<G: Game> Linear<G> {
    /// The evaluation with a weight for each feature, in the order of their names.
    pub fn new(features: Arc<dyn Features<G>>, weights: Vec<i64>) -> Self {
        Self { features, weights }
    }
}

impl<G: Game> Evaluation<G> for Linear<G> {
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        const LARGEST: i64 = (1 << 20) - 1;
        self.features.weighted(game, position, player, &self.weights).clamp(-LARGEST, LARGEST)
    }
}
