use std::sync::Arc;

use super::allocation::{Allocation, Arms};
use super::rules::{RoundLength, Rounds};
use super::sampling::gumbel;
use crate::game::{Game, Policy, sort_indices};
use crate::rng::Rng;
use crate::search::Ties;

/// The Gumbel root policy (Danihelka, Guez, Schrittwieser, Silver 2022, "Policy improvement by planning with
/// Gumbel", ICLR, algorithm 1): a Gumbel number is added to each move's logit under the prior, the `considered`
/// largest sums enter sequential halving, and moves are compared by *g* + logit + *σ*(*q*), where *q* is the mean
/// payoff scaled to [0, 1] and *σ*(*q*) = (`visit_offset` + max *N*) · `scale` · *q* (equation 8).
///
/// The prior is the distribution of a policy of the game. A move with prior 0 is never considered. In the paper a
/// network gives prior and values, but the root policy works with any.
#[derive(Clone)]
pub struct Gumbel<G> {
    /// The prior.
    pub prior: Arc<dyn Policy<G>>,
    /// The most moves that are considered, at least 1. The paper's value is 16.
    pub considered: u32,
    /// `c_visit`; the paper's value is 50.
    pub visit_offset: f64,
    /// `c_scale`; the paper's value is 1.
    pub scale: f64,
}

/// A Gumbel rule during a decision.
pub(in crate::search) struct GumbelState {
    /// For each move, the sum of its Gumbel number and its logit.
    noisy_logits: Vec<f64>,
    rounds: Rounds,
    visit_offset: f64,
    scale: f64,
}

impl<G: Game> Gumbel<G> {
    /// The relative weight of each move under the prior, and their sum.
    pub(super) fn prior(&self, game: &G, position: &G::Position, moves: &[G::Move]) -> (Vec<f64>, f64) {
        let distribution = self.prior.distribution(game, position);
        let weight = |mv: &G::Move| {
            let named = distribution.iter().filter(|(named, _)| named == mv);
            named.map(|&(_, weight)| f64::from(weight)).sum()
        };
        let total = distribution.iter().map(|&(_, weight)| f64::from(weight)).sum();
        (moves.iter().map(weight).collect(), total)
    }
}

impl GumbelState {
    /// The rule with the numbers of a [`Gumbel`], for moves with these weights and their sum.
    pub(in crate::search) fn new(
        (considered, visit_offset, scale): (u32, f64, f64),
        (weights, total): (&[f64], f64),
        budget: Option<u64>,
        rng: &mut Rng,
    ) -> Self {
        let logit = |&weight: &f64| libm::log(weight / total);
        let noisy_logits: Vec<f64> = weights.iter().map(|weight| gumbel(rng) + logit(weight)).collect();
        let mut remaining: Vec<usize> =
            (0..weights.len()).filter(|&arm| noisy_logits[arm] > f64::NEG_INFINITY).collect();
        sort_indices(&mut remaining, &|a, b| noisy_logits[b].total_cmp(&noisy_logits[a]));
        // Algorithm 1: m is at most the number of simulations.
        let most = budget.map_or(considered.into(), |budget| budget.min(considered.into()));
        remaining.truncate(most.max(1) as usize);
        Self {
            noisy_logits,
            rounds: Rounds::new(remaining, budget, RoundLength::Ceiling),
            visit_offset,
            scale,
        }
    }

    /// g(a) + logit(a) + σ(q(a)).
    fn score(&self, arms: &Arms, arm: usize) -> f64 {
        let most = arms.most_pulls() as f64;
        self.noisy_logits[arm] + (self.visit_offset + most) * self.scale * arms.mean(arm)
    }
}

impl Allocation for GumbelState {
    fn next(&mut self, arms: &Arms, _rng: &mut Rng) -> (usize, u64) {
        let scores: Vec<f64> = (0..arms.len()).map(|arm| self.score(arms, arm)).collect();
        self.rounds.next(|arm| scores[arm])
    }

    fn is_round_open(&self, _: &Arms) -> bool {
        self.rounds.is_open()
    }

    /// The move with the best score among the remaining ones.
    fn choose(&self, arms: &Arms, ties: Ties, rng: &mut Rng) -> usize {
        self.rounds.best(arms, |arm| self.score(arms, arm), ties, rng)
    }
}
