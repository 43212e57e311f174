//! The rules that choose which move gets the next playouts, and which is finally played.

use super::anytime_halving::AnytimeHalving;
use super::arms::Arms;
use super::gumbel::{Gumbel, GumbelState};
use super::halving::Halving;
use super::thompson::Thompson;
use super::ucb1::Ucb1;
use crate::game::Game;
use crate::rng::Rng;
use crate::search::Ties;

/// The rule that divides the playouts among the moves.
#[derive(Clone)]
pub enum Sharing<G> {
    /// Flat UCB1 (Auer, Cesa-Bianchi, Fischer 2002, "Finite-time analysis of the multiarmed bandit problem",
    /// Machine Learning 47, figure 1): always the move with the largest mean plus
    /// `exploration · √(2 ln n / nᵢ)`, payoffs scaled to [0, 1]. The paper's exploration is 1. The move with the most
    /// playouts is played (Bubeck, Munos, Stoltz 2009, "Pure exploration in multi-armed bandits
    /// problems").
    Ucb1 {
        /// The factor of the confidence term, at least 0.
        exploration: f64,
    },
    /// Sequential halving (Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits",
    /// ICML, algorithm 3): the budget is divided into equal rounds. In each round all remaining moves get equally many
    /// playouts, and then the worse half is dropped.
    Halving,
    /// Anytime sequential halving (Sagers, Winands, Soemers 2024, "Anytime sequential halving in Monte-Carlo tree
    /// search", Computers and Games): repeats halving, from all moves to one, with the smallest possible budget. The
    /// move with the best mean is played.
    AnytimeHalving,
    /// Thompson sampling (Thompson 1933, "On the likelihood that one unknown probability exceeds another",
    /// Biometrika 25; for payoffs in a range Agrawal and Goyal 2012, "Analysis of Thompson sampling for the
    /// multi-armed bandit problem", COLT, algorithm 2): gives each move a playout with the probability that it is the
    /// best. The move with the most playouts is played.
    Thompson,
    /// The root policy of Danihelka et al. 2022, with values from playouts; see [`Gumbel`].
    Gumbel(Gumbel<G>),
}

impl<G: Game> Sharing<G> {
    /// Begins a decision over these moves. `budget` is the number of playouts, if known.
    pub(super) fn begin(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        budget: Option<u64>,
        rng: &mut Rng,
    ) -> Box<dyn Allocation> {
        match self {
            Self::Ucb1 { exploration } => Box::new(Ucb1::new(*exploration)),
            Self::Halving => Box::new(Halving::new(moves.len(), budget)),
            Self::AnytimeHalving => Box::new(AnytimeHalving::new(moves.len())),
            Self::Thompson => Box::new(Thompson::new(moves.len())),
            Self::Gumbel(gumbel) => Box::new(GumbelState::new(gumbel, game, position, moves, budget, rng)),
        }
    }
}

/// A rule during a decision.
pub(super) trait Allocation: Send + Sync {
    /// The move that gets the next playouts, and their number, at least 1. At the end of the budget the caller may
    /// reduce the number.
    fn next(&mut self, arms: &Arms, rng: &mut Rng) -> (usize, u64);

    /// Whether the next move is another one, and does not depend on the result of the last: one call can play both.
    fn is_round_open(&self) -> bool {
        false
    }

    /// The move that is played, after at least one playout.
    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize;
}
