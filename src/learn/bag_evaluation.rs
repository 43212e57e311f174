//! Networks of bags as evaluations of a solitaire.

use std::sync::Arc;

use super::bag_network::BagNetwork;
use super::bag_values::{BagValues, points};
use crate::game::{Bags, Evaluation, Game, Player, Turn};

/// The points that a network of bags promises, rounded to multiples of a unit; a win is 1, a loss 0.
///
/// The network knows positions before chance. A position at the player's turn is worth the best that its lines of moves reach:
/// a position before chance, or an end of the game, which counts as what it is. So a search may stop at any position.
///
/// # Cost
/// A pass of the network for each position before chance; at the player's turn there are several, and some allocation.
pub struct BagEvaluation<G> {
    network: Arc<BagNetwork>,
    bags: Arc<dyn Bags<G>>,
    unit: f64,
}

impl<G: Game> BagEvaluation<G> {
    /// The evaluation by a network.
    ///
    /// # Panics
    /// If the network is for another number of things, the game is no solitaire, or the unit is not above 0.
    pub fn new(game: &G, network: Arc<BagNetwork>, bags: Arc<dyn Bags<G>>, unit: f64) -> Self {
        assert_eq!(network.kinds(), bags.kinds(game), "the network knows these things");
        assert_eq!(game.facts().players, 1, "a network of bags values a solitaire");
        assert!(unit > 0.0, "a unit is above 0");
        Self { network, bags, unit }
    }

    fn rounded(&self, points: f64) -> i64 {
        (points / self.unit).round() as i64
    }
}

impl<G: Game> Evaluation<G> for BagEvaluation<G> {
    fn evaluate(&self, game: &G, position: &G::Position, _player: Player) -> i64 {
        let mut values = BagValues::new(game, &*self.bags, &self.network);
        self.rounded(match game.turn(position) {
            Turn::Over => points(game, position),
            Turn::Chance => values.before_chance(position),
            Turn::Player(_) => values.look(position).iter().copied().fold(0.0, f64::max),
        })
    }

    fn unit(&self) -> f64 {
        self.unit
    }

    fn largest(&self, _game: &G) -> i64 {
        self.rounded(1.0)
    }

    fn finished(&self, game: &G, position: &G::Position, _player: Player) -> i64 {
        self.rounded(points(game, position))
    }

    fn range(&self, _game: &G) -> (i64, i64) {
        (0, self.rounded(1.0))
    }
}
