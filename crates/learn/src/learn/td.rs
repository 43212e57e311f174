//! Temporal-difference learning of n-tuple weights.
//!
//! The value of a position after a move is the expected points of its mover: the logistic function of the sum of its weights.
//! Each game moves the value after each move towards its target, which is a later value or the result: TD(λ) by λ-returns, a
//! whole game at a time (Sutton 1988; for tuples Lucas 2007, "Learning to play Othello with n-tuple systems").
//!
//! Arithmetic is in `f64` in a fixed order, and the logistic function is that of `libm`, so all machines learn the same
//! weights.

use super::batch_learner::BatchLearner;
use super::episode::{Episode, Step};
use super::tuple_sum::TupleSum;
use crate::game::tuples::Seen;

words! {
    /// The target of a value.
    pub enum Target {
        /// Random moves count too.
        Played = "the prediction of that move",
        /// λ is 0 where a random move was made instead.
        Best = "the prediction of the best move",
    }
}

/// The distance of places whose weights are changed one after the other: that of the places of a table.
const APART: usize = 8;

/// How weights are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct TdSettings {
    /// How far targets look ahead: 0 to the next value, 1 to the result.
    pub lambda: f64,
    /// The step size at the beginning and at the end, linear between: the share of the error that a step removes.
    pub step: [f64; 2],
    /// The chance of a random move in place of the best.
    pub random: f64,
    /// The target of a value.
    pub target: Target,
}

impl TdSettings {
    /// The chance of a random move, and what is learned then.
    pub const fn of_random(&self) -> (f64, Target) {
        (self.random, self.target)
    }
}

/// The expected points by a sum of weights.
pub(super) fn expected_points(sum: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-sum))
}

/// The weights that are learned, with what the step sizes depend on.
///
/// With *temporal coherence* (Beal and Smith 1999, "Temporal coherence and prediction decay in TD learning") a weight's step
/// is multiplied by |sum of its errors| / sum of their sizes: 1 while all errors have one sign, small once they cancel.
///
/// # Example: two weights of one square
/// ```
/// use shikou::game::Player;
/// use shikou::game::tuples::{Seen, TupleTable};
/// use shikou::learn::{Episode, Learner, Step, Target, TdSettings, TupleSum};
/// let sum = TupleSum::new(1, &[TupleTable { length: 1, places: vec![vec![0]] }]);
/// let settings = TdSettings { lambda: 0.0, step: [0.5, 0.5], random: 0.0, target: Target::Played };
/// let mut learner = Learner::new(sum, Seen::Inversion, settings, false);
/// // A game of one move, which was won: the value was ½, the error is ½.
/// let steps = vec![Step { player: Player::FIRST, expected: 0.5, is_random: false }];
/// learner.learn(&Episode { steps, seen: vec![2], points: 1.0 }, 0.0);
/// assert_eq!(learner.weights(), [0.0, 0.0, 0.25]);
/// ```
#[derive(Clone, Debug)]
pub struct Learner {
    sum: TupleSum,
    seen: Seen,
    settings: TdSettings,
    weights: Vec<f64>,
    /// With temporal coherence, for each weight the sum of its errors and that of their sizes.
    errors: Vec<[f64; 2]>,
}

impl Learner {
    /// A learner whose weights are 0; with `coherence` each has a step size of its own, by temporal coherence.
    pub fn new(sum: TupleSum, seen: Seen, settings: TdSettings, coherence: bool) -> Self {
        let weights = vec![0.0; sum.weights()];
        let errors = vec![[0.0; 2]; if coherence { weights.len() } else { 0 }];
        Self { sum, seen, settings, weights, errors }
    }

    /// The weights of all tables, in order.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The places and tables.
    pub const fn sum(&self) -> &TupleSum {
        &self.sum
    }

    /// How a position is seen.
    pub const fn seen(&self) -> Seen {
        self.seen
    }

    /// The settings.
    pub const fn settings(&self) -> &TdSettings {
        &self.settings
    }

    /// Learns from a game. `done` is the share of the training that is done, in `[0, 1]`.
    ///
    /// The game may have been played with older weights: the values that are corrected are those of the weights now, only
    /// targets are of the time of play.
    pub fn learn(&mut self, episode: &Episode, done: f64) {
        let [first, last] = self.settings.step;
        let step_size = first + (last - first) * done;
        let places = self.sum.places();
        let targets = episode.targets(self.settings.lambda);
        let steps = episode.steps.iter().zip(targets).zip(episode.seen.chunks_exact(places));
        for ((step, target), indices) in steps.rev() {
            self.correct(step, target, indices, step_size / places as f64);
        }
    }

    /// Takes over the weights of another learner, on which playing depends.
    pub fn play_like(&mut self, other: &Self) {
        self.weights.copy_from_slice(&other.weights);
    }

    fn correct(&mut self, step: &Step, target: f64, indices: &[u32], step_size: f64) {
        let sign = if self.seen.by(step.player).1 { -1.0 } else { 1.0 };
        let error = sign * (target - expected_points(sign * TupleSum::sum(&self.weights, indices)));
        // Neighbours often have one weight, which waits for the step before. All its steps are equal, so the order is free.
        for &index in (0..APART).flat_map(|first| indices.iter().skip(first).step_by(APART)) {
            let weight = &mut self.weights[index as usize];
            let Some(errors) = self.errors.get_mut(index as usize) else {
                *weight += step_size * error;
                continue;
            };
            let [sum, sizes] = errors;
            let coherence = if *sizes == 0.0 { 1.0 } else { sum.abs() / *sizes };
            *weight += step_size * coherence * error;
            *sum += error;
            *sizes += error.abs();
        }
    }
}

impl BatchLearner for Learner {
    type Played = Episode;

    fn learn_batch(&mut self, episodes: &[Episode], done: impl Fn(usize) -> f64) {
        episodes.iter().enumerate().for_each(|(number, episode)| self.learn(episode, done(number)));
    }

    fn state(&self) -> Vec<f64> {
        self.weights.iter().copied().chain(self.errors.iter().flatten().copied()).collect()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        if state.len() != self.weights.len() + 2 * self.errors.len() {
            return false;
        }
        let (weights, errors) = state.split_at(self.weights.len());
        self.weights.copy_from_slice(weights);
        for (error, new) in self.errors.iter_mut().zip(errors.chunks_exact(2)) {
            error.copy_from_slice(new);
        }
        true
    }

    fn is_finite(&self) -> bool {
        self.weights.iter().all(|weight| weight.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::game::tuples::TupleTable;

    const PLAIN: TdSettings =
        TdSettings { lambda: 0.0, step: [1.0, 1.0], random: 0.0, target: Target::Played };

    fn one_square(seen: Seen, settings: TdSettings, coherence: bool) -> Learner {
        let sum = TupleSum::new(1, &[TupleTable { length: 1, places: vec![vec![0]] }]);
        Learner::new(sum, seen, settings, coherence)
    }

    fn one_move(player: Player, index: u32, points: f64) -> Episode {
        let step = Step { player, expected: 0.5, is_random: false };
        Episode { steps: vec![step], seen: vec![index], points }
    }

    #[test]
    fn steps_with_temporal_coherence_are_those_by_hand() {
        let mut learner = one_square(Seen::Inversion, PLAIN, true);
        // Errors: ½, so the weight is ½; then σ(½) is too much by σ(½).
        learner.learn(&one_move(Player::FIRST, 1, 1.0), 0.0);
        assert_eq!(learner.weights(), [0.0, 0.5, 0.0]);
        learner.learn(&one_move(Player::FIRST, 1, 0.0), 0.0);
        let error = 1.0 / (1.0 + (-0.5_f64).exp());
        let expected = 0.5 - error;
        assert!((learner.weights()[1] - expected).abs() < 1e-15);
        // Now the errors are ½ and −σ(½): the coherence is their sum over the sum of their sizes.
        learner.learn(&one_move(Player::FIRST, 1, 1.0), 0.0);
        let coherence = (error - 0.5) / (error + 0.5);
        let third = 1.0 - 1.0 / (1.0 + (-expected).exp());
        assert!((learner.weights()[1] - (expected + coherence * third)).abs() < 1e-15);
        assert!(!learner.restore(&[0.0; 3]));
    }

    #[test]
    fn the_step_size_falls_to_the_last_one() {
        let mut learner = one_square(Seen::Inversion, TdSettings { step: [1.0, 0.2], ..PLAIN }, false);
        learner.learn(&one_move(Player::FIRST, 0, 1.0), 0.75);
        assert!((learner.weights()[0] - 0.5 * 0.4).abs() < 1e-15);
    }

    #[test]
    fn a_negated_sum_learns_for_the_first_player() {
        let mut learner = one_square(Seen::Negation, PLAIN, false);
        // The second player won: the sum must fall.
        learner.learn(&one_move(Player::SECOND, 2, 0.0), 0.0);
        assert_eq!(learner.weights(), [0.0, 0.0, -0.5]);
    }

    /// The random walk of Sutton 1988: five states in a row, a step left or right with equal chance, a win at the right
    /// end. From state n the chance to win is n/6. The learner's moves are the states, its own weights the values.
    #[test]
    fn a_random_walk_is_valued_as_it_should_be() {
        let mut rng = crate::rng::Stream::new(11).rng();
        for lambda in [0.0, 0.5, 1.0] {
            let settings = TdSettings { lambda, step: [0.2, 0.002], ..PLAIN };
            let table = |square: usize| TupleTable { length: 1, places: vec![vec![square]] };
            // A square for each state; that which is owned is the state.
            let tables: Vec<TupleTable> = (0..5).map(table).collect();
            let mut learner = Learner::new(TupleSum::new(5, &tables), Seen::Inversion, settings, false);
            let owners =
                |state: usize| (0..5).map(|square| 1 + u8::from(square == state)).collect::<Vec<_>>();
            for game in 0..20_000 {
                let (mut state, mut episode) = (2_usize, Episode::default());
                loop {
                    let indices = learner.sum().indices(&owners(state));
                    let expected = expected_points(TupleSum::sum(learner.weights(), &indices));
                    episode.steps.push(Step { player: Player::FIRST, expected, is_random: false });
                    episode.seen.extend(indices);
                    match (state, rng.below(2)) {
                        (0, 0) => break,
                        (4, 1) => {
                            episode.points = 1.0;
                            break;
                        }
                        (_, right) => state = state + 2 * right as usize - 1,
                    }
                }
                learner.learn(&episode, f64::from(game) / 20_000.0);
            }
            for state in 0..5 {
                let value =
                    expected_points(TupleSum::sum(learner.weights(), &learner.sum().indices(&owners(state))));
                let exact = (state + 1) as f64 / 6.0;
                assert!((value - exact).abs() < 0.03, "λ = {lambda}, state {state}: {value} for {exact}");
            }
        }
    }
}
