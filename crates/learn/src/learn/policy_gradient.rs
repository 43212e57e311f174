//! Policy gradients: the weights of a policy, learned from its own games.
//!
//! The key decision: the games of a group have the same deal, and the mean of their rewards is what each of them is compared
//! with. So the chance of the deal cancels, and no value of positions has to be learned beside the policy.

use super::batch_learner::BatchLearner;
use super::environment::{At, Environment, EpisodeError, Sight, play_to_end};
use super::optimiser::{Optimiser, Steps};
use crate::game::Player;
use crate::rng::{PlayoutKey, PlayoutRng};

/// How a policy learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicySettings {
    /// The optimiser, with the rate of the first steps.
    pub optimiser: Optimiser,
    /// The rate of the last steps, as a share of the first; linear between.
    pub last: f64,
    /// The addition of a point of the score to the reward of the first games (shaping).
    pub shaping: f64,
    /// The share of the training after which it adds nothing; linear before.
    pub shaped: f64,
}

/// A game as a policy played it: its result, and the gradient of the logarithm of its probability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyGame {
    /// The payoff of the first player, from 0 for the least to 1 for the largest.
    pub payoff: f64,
    /// The score of the first player.
    pub score: f64,
    /// Weights by number, each with what it adds; a weight may occur several times. The moves of a second player count with the
    /// opposite sign, because that player gains what the first one loses.
    pub gradient: Vec<(u32, f32)>,
}

/// Plays game number `number` of a group by a policy: the probability of a move is proportional to the exponential of the weighted
/// sum of the features after it. Chance is the same in all games of a group, as far as their moves are.
///
/// # Errors
/// If the game does not end within `longest` plies.
///
/// # Cost
/// Nothing is allocated for a ply, once the lists have their size.
pub fn play_by_policy<E>(
    environment: &mut dyn Environment<E>,
    weights: &[f32],
    (group, number): (PlayoutKey, u64),
    longest: u32,
) -> Result<PolicyGame, EpisodeError<E>> {
    let (mut deal, mut draws) = (group.child(0).playout(0), group.child(1).playout(number));
    let mut policy = Policy { weights, ..Policy::default() };
    let mut play = |environment: &mut (dyn Environment<E> + '_), player| {
        let chosen = policy.choose(environment, player, &mut draws);
        environment.make(chosen);
        Ok(())
    };
    play_to_end(environment, longest, &mut |sum| deal.below(sum as u32).into(), &mut play)?;
    let [payoff, score] = environment.payoff_and_score();
    Ok(PolicyGame { payoff, score, gradient: policy.gradient })
}

#[derive(Default)]
struct Policy<'w> {
    weights: &'w [f32],
    gradient: Vec<(u32, f32)>,
    /// The numbers after the moves of a position: move, feature, value.
    after: Vec<(u32, u32, f32)>,
    /// The sum after each move, then its probability.
    chances: Vec<f64>,
}

impl Policy<'_> {
    /// The number of a move; its gradient is added.
    fn choose<E>(
        &mut self,
        environment: &dyn Environment<E>,
        player: Player,
        draws: &mut PlayoutRng,
    ) -> usize {
        let Self { weights, gradient, after, chances } = self;
        let count = environment.count_moves() as usize;
        if count == 1 {
            return 0;
        }
        after.clear();
        chances.clear();
        chances.resize(count, 0.0);
        let mut see = |mv, index, value| {
            chances[mv] += f64::from(weights[index]) * f64::from(value);
            after.push((mv as u32, index as u32, value as f32));
        };
        environment.show(player, At::Each, Sight::Features(&mut see));
        let largest = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for chance in chances.iter_mut() {
            *chance = libm::exp(*chance - largest);
            sum += *chance;
        }
        let mut pick = f64::from(draws.next_u32()) / f64::from(u32::MAX) * sum;
        // Rounding may leave a little after the last move.
        let mut chosen = count - 1;
        for (number, &chance) in chances.iter().enumerate() {
            if pick < chance {
                chosen = number;
                break;
            }
            pick -= chance;
        }
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        gradient.extend(after.iter().map(|&(mv, index, value)| {
            let was_played = f64::from(u8::from(mv as usize == chosen));
            (index, value * (sign * (was_played - chances[mv as usize] / sum)) as f32)
        }));
        chosen
    }
}

/// The weights of a policy, and what the steps of their training depend on.
#[derive(Clone, Debug)]
pub struct PolicyLearner {
    weights: Vec<f32>,
    steps: Steps,
    settings: PolicySettings,
}

impl PolicyLearner {
    /// A learner whose weights are 0: its policy is the uniform one.
    pub fn new(weights: usize, settings: PolicySettings) -> Self {
        Self { weights: vec![0.0; weights], steps: Steps::new(settings.optimiser, weights), settings }
    }

    /// The weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The slope of the mean of the negated rewards.
    fn gradient(&self, groups: &[Vec<PolicyGame>], done: f64) -> Vec<f32> {
        let PolicySettings { shaping, shaped, .. } = self.settings;
        let shaping = if done < shaped { shaping * (1.0 - done / shaped) } else { 0.0 };
        let reward = |game: &PolicyGame| game.payoff + shaping * game.score;
        let games: usize = groups.iter().map(Vec::len).sum();
        let mut gradient = vec![0.0; self.weights.len()];
        for group in groups {
            let mean = group.iter().map(reward).sum::<f64>() / group.len() as f64;
            for game in group {
                let factor = ((mean - reward(game)) / games as f64) as f32;
                if factor != 0.0 {
                    game.gradient
                        .iter()
                        .for_each(|&(index, slope)| gradient[index as usize] += factor * slope);
                }
            }
        }
        gradient
    }
}

impl BatchLearner for PolicyLearner {
    /// The games of a deal.
    type Played = Vec<PolicyGame>;

    /// Takes a step along the mean gradient of some groups of games, each weighted with its reward less the mean of its group
    /// (Williams 1992, "Simple statistical gradient-following algorithms for connectionist reinforcement learning").
    fn learn_batch(&mut self, groups: &[Vec<PolicyGame>], done: impl Fn(usize) -> f64) {
        let done = done(0);
        let gradient = self.gradient(groups, done);
        let rate = 1.0 + (self.settings.last - 1.0) * done;
        self.steps.step(&mut self.weights, &gradient, rate as f32);
    }

    fn state(&self) -> Vec<f64> {
        self.steps.state_of(&self.weights)
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.steps.restore_with(&mut self.weights, state)
    }

    fn is_finite(&self) -> bool {
        self.weights.iter().all(|weight| weight.is_finite())
    }
}

#[cfg(test)]
mod tests;
