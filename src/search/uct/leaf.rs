//! The edge of the tree: playouts, to the end or cut off and evaluated.

use std::sync::Arc;

use super::conversation::range_of;
use super::heuristic::Evaluated;
use crate::game::{Batch, Game, Player, Policy, Tally, Turn};

/// How a position at the edge of the tree is valued.
#[derive(Clone)]
pub struct Leaf<G> {
    /// How playouts choose their moves.
    pub policy: Arc<dyn Policy<G>>,
    /// Where playouts are cut off; `None`: at the end of the game.
    pub cutoff: Option<Cutoff<G>>,
}

/// A playout that is cut off and evaluated (Lorentz 2008, "Amazons discover Monte-Carlo").
#[derive(Clone)]
pub struct Cutoff<G> {
    /// After so many plies; with 0 the position itself is evaluated, and nothing is played.
    pub plies: u32,
    /// What stands in.
    pub evaluated: Evaluated<G>,
}

/// What playouts gave: payoffs of the player at the root, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// How many playouts.
    pub playouts: u64,
    /// The plies that they took.
    pub plies: u64,
    /// The sum of the payoffs.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Sample {
    /// `playouts` playouts of no plies that each gave this payoff.
    pub(super) fn exactly(payoff: f64, playouts: u64) -> Self {
        let n = playouts as f64;
        Self { playouts, plies: 0, sum: payoff * n, squares: payoff * payoff * n }
    }

    /// What the meter counts.
    pub fn work(&self) -> Tally {
        Tally { playouts: self.playouts, plies: self.plies, ..Tally::default() }
    }
}

impl From<Tally> for Sample {
    fn from(tally: Tally) -> Self {
        let (sum, squares) = (tally.sum as f64, tally.sum_squares as f64);
        Self { playouts: tally.playouts, plies: tally.plies, sum, squares }
    }
}

impl<G: Game> Cutoff<G> {
    /// What an unfinished position counts as, as a payoff of `player`.
    pub(super) fn payoff(&self, game: &G, position: &G::Position, player: Player) -> f64 {
        range_of(game).1.payoff(self.evaluated.share(game, position, player))
    }
}

impl<G: Game> Leaf<G> {
    /// Plays a batch out from a position.
    ///
    /// # Cost
    /// One virtual call a batch; one a ply where playouts are cut off.
    pub fn play(&self, game: &G, from: &G::Position, player: Player, batch: Batch) -> Sample {
        let Some(cutoff) = &self.cutoff else {
            return self.policy.playouts(game, from, player, batch).into();
        };
        let mut sample = Sample { playouts: batch.count, ..Sample::default() };
        for index in batch.first..batch.first + batch.count {
            let mut position = *from;
            let mut draws = batch.key.playout(index);
            let mut plies = 0;
            let payoff = loop {
                let mv = match game.turn(&position) {
                    Turn::Over => break f64::from(game.payoff(&position, player)),
                    _ if plies == cutoff.plies => break cutoff.payoff(game, &position, player),
                    Turn::Player(_) => self.policy.choose(game, &position, &mut draws),
                    Turn::Chance => game.random_outcome(&position, &mut draws),
                };
                game.apply(&mut position, mv);
                plies += 1;
            };
            sample.plies += u64::from(plies);
            sample.sum += payoff;
            sample.squares += payoff * payoff;
        }
        sample
    }
}
