//! The rules that choose which move gets the next playouts, and which is finally played.

use super::gumbel::{Gumbel, GumbelState};
use super::rules::{AnytimeHalving, Flat, Halving, Rounds, Ucb1};
use super::thompson::Thompson;
use crate::game::{Facts, Game, Tally};
use crate::rng::Rng;
use crate::search::Ties;

/// The rule that divides the playouts among the moves.
#[derive(Clone)]
pub enum Sharing<G> {
    /// Flat Monte Carlo (Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12;
    /// Brügmann 1993, "Monte Carlo Go"): equally many playouts for each move, all in one round; the move with the best mean is
    /// played. It needs no budget, and keeps none.
    Flat {
        /// The playouts of each move, at least 1.
        playouts: u64,
    },
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
    /// Begins a decision over these moves, of which the one with the number `begin` is the first arm. `budget` is the number of
    /// playouts, if known.
    pub(super) fn begin(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        begin: usize,
        budget: Option<u64>,
        rng: &mut Rng,
    ) -> Box<dyn Allocation> {
        match self {
            Self::Flat { playouts } => Box::new(Flat { playouts: *playouts, next: 0 }),
            Self::Ucb1 { exploration } => Box::new(Ucb1 { exploration: *exploration, pulls: 0 }),
            Self::Halving => Box::new(Halving(Rounds::new((0..moves.len()).collect(), budget))),
            Self::AnytimeHalving => Box::new(AnytimeHalving::new(moves.len())),
            Self::Thompson => Box::new(Thompson::new(moves.len())),
            Self::Gumbel(gumbel) => {
                let prior = gumbel.prior(game, position, moves);
                let &Gumbel { considered, visit_offset, scale, .. } = gumbel;
                Box::new(GumbelState::new((considered, visit_offset, scale), prior, begin, budget, rng))
            }
        }
    }
}

/// The playouts of each move so far, in the game's order, and the range of the payoffs.
pub(super) struct Arms {
    pub(super) tallies: Vec<Tally>,
    min: f64,
    range: f64,
}

impl Arms {
    /// `count` moves without a playout, in a game with these facts.
    pub(super) fn new(count: usize, facts: &Facts) -> Self {
        let (min, max) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        // If all payoffs are equal, each move is worth 0.
        let range = if max > min { max - min } else { 1.0 };
        Self { tallies: vec![Tally::default(); count], min, range }
    }

    pub(super) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// The number of playouts of a move.
    pub(super) fn pulls(&self, arm: usize) -> u64 {
        self.tallies[arm].playouts
    }

    /// The normalised mean payoff of a move, in [0, 1]. 0 without playouts.
    pub(super) fn mean(&self, arm: usize) -> f64 {
        let tally = &self.tallies[arm];
        if tally.playouts == 0 { 0.0 } else { (tally.mean() - self.min) / self.range }
    }

    /// The sum of the normalised payoffs of a move.
    pub(super) fn sum(&self, arm: usize) -> f64 {
        let tally = &self.tallies[arm];
        (tally.sum as f64 - tally.playouts as f64 * self.min) / self.range
    }

    /// The move with the best mean among those with a playout.
    pub(super) fn best_mean(&self, ties: Ties, rng: &mut Rng) -> usize {
        let value = |arm| if self.pulls(arm) == 0 { f64::NEG_INFINITY } else { self.mean(arm) };
        ties.best((0..self.len()).map(value), rng)
    }

    /// The move with the most playouts; among equals the one with the best mean.
    pub(super) fn most_pulled(&self, ties: Ties, rng: &mut Rng) -> usize {
        ties.best((0..self.len()).map(|arm| (self.pulls(arm), self.mean(arm))), rng)
    }
}

/// A rule during a decision.
pub(super) trait Allocation: Send + Sync {
    /// The move that gets the next playouts, and their number, at least 1. At the end of the budget the caller may
    /// reduce the number.
    fn next(&mut self, arms: &Arms, rng: &mut Rng) -> (usize, u64);

    /// Whether the next move is another one, and does not depend on the result of the last: one call can play both.
    fn is_round_open(&self, _: &Arms) -> bool {
        false
    }

    /// The move that is played, after at least one playout.
    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize;
}
