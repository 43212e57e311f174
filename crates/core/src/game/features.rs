use std::sync::Arc;

use super::evaluation::each_made_child;
use super::{ChildValues, Found, Game, GameExt, Player};

/// A description of a position by integers, from a player's point of view.
///
/// # Laws
/// - `names` depends on the game only, and no two names are equal.
/// - `values` depends on the game, the position and the player only.
/// - In a zero-sum game the values for one player are the negated values for the other.
/// - The sum of `prepared` is that of weight · value.
/// - No absolute value exceeds `largest`.
/// - `after_moves` shows the differences between the `values` after any two moves.
pub trait Features<G: Game>: Send + Sync {
    /// The names of the numbers, in order.
    fn names(&self, game: &G) -> Vec<String>;

    /// Writes the numbers of a position.
    ///
    /// # Panics
    /// May panic if `values` is not as long as `names`.
    fn values(&self, game: &G, position: &G::Position, player: Player, values: &mut [i32]);

    /// The largest absolute value of any of the numbers, if one is known. Real weights need it: their sums must not
    /// leave the range of integers.
    fn largest(&self, _game: &G) -> Option<i32> {
        None
    }

    /// Shows the numbers that are not 0 after each legal move of the player: the number of the move, the index of a number, and its
    /// value, or a part of its value, in the order of the moves. The same amount may be left out after all moves: only differences
    /// between moves count, as in a policy that is a softmax of a weighted sum.
    ///
    /// # Cost
    /// The default allocates, and makes every move.
    fn after_moves(
        &self,
        game: &G,
        position: &G::Position,
        player: Player,
        show: &mut dyn FnMut(usize, usize, i32),
    ) {
        let mut values = vec![0; self.names(game).len()];
        for (number, (_, child)) in game.children(position).enumerate() {
            self.values(game, &child, player, &mut values);
            let numbers = values.iter().enumerate().filter(|(_, value)| **value != 0);
            numbers.for_each(|(index, &value)| show(number, index, value));
        }
    }

    /// The sum of weight · value over all numbers, prepared for these weights, without allocation for each position. `None`,
    /// the default, if `values` is as fast.
    ///
    /// # Panics
    /// May panic if `weights` is not as long as `names`.
    fn prepared(&self, _game: &G, _weights: &[i64]) -> Option<Arc<dyn WeightedSum<G>>> {
        None
    }
}

/// A weighted sum of some features with fixed weights.
///
/// # Laws
/// If sums are only compared, `each_child` shows as many children in the same order, and the same differences between them. It
/// shows a payoff only if all sums are exact.
pub trait WeightedSum<G: Game>: Send + Sync {
    /// The sum for a position from a player's point of view.
    fn sum(&self, position: &G::Position, player: Player) -> i64;

    /// Shows each child of a position at a player's turn to `found`, in the order of the moves, until that breaks off.
    fn each_child(&self, game: &G, position: &G::Position, wanted: ChildValues, found: Found<'_, ChildSum>);
}

/// A weighted sum as a function, which makes each move to see its children.
pub fn made_sum<G: Game>(sum: impl Fn(&G::Position, Player) -> i64 + Send + Sync) -> impl WeightedSum<G> {
    MadeSum(sum)
}

struct MadeSum<F>(F);

impl<G: Game, F: Fn(&G::Position, Player) -> i64 + Send + Sync> WeightedSum<G> for MadeSum<F> {
    fn sum(&self, position: &G::Position, player: Player) -> i64 {
        self.0(position, player)
    }

    fn each_child(&self, game: &G, position: &G::Position, wanted: ChildValues, found: Found<'_, ChildSum>) {
        let player = wanted.player;
        let payoff = |child: &G::Position| ChildSum::Payoff(game.payoff(child, player));
        let sum = |child: &G::Position| ChildSum::Sum(self.0(child, player));
        each_made_child(game, position, wanted.ends, &payoff, &sum, found);
    }
}

/// The finding of a weighted sum at a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildSum {
    /// The sum.
    Sum(i64),
    /// The payoff of a game that is over, if the ends are known.
    Payoff(i32),
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
