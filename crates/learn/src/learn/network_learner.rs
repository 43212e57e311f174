//! Temporal-difference learning of networks.
//!
//! The value of a network after a move is the logit of the expected points of the mover, as the sum of weights of
//! n-tuples is. Targets are the same λ-returns of whole games. The games of a batch are learned in one step of an optimiser,
//! along the gradient of the mean cross-entropy of all their values: by a network, the derivative of which by the value is
//! the error of the value (Sutton 1988; Tesauro 1995, "Temporal difference learning and TD-Gammon").

use super::batch_learner::BatchLearner;
use super::descent::Descent;
use super::episode::{Episode, Step};
use super::loss::Loss;
use super::network::Network;
use super::optimiser::Optimiser;
use super::td::TdSettings;
use crate::game::tuples::Seen;

/// The network that is learned, with what the optimiser remembers.
pub struct NetworkLearner {
    network: Network,
    pub(super) seen: Seen,
    pub(super) settings: TdSettings,
    descent: Descent,
}

impl NetworkLearner {
    /// A learner that begins with a network. [`TdSettings::step`] is a factor of the optimiser's rate, at the beginning and
    /// at the end.
    pub fn new(network: Network, seen: Seen, settings: TdSettings, optimiser: Optimiser) -> Self {
        let descent = Descent::new(optimiser, network.parameters().len(), Loss::Logistic {}, [0.0; 2]);
        Self { network, seen, settings, descent }
    }

    /// The network as it is.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The targets of the moves of some games, as the network sees them.
    fn targets(&self, episodes: &[Episode]) -> Vec<f32> {
        let of_game = |episode: &Episode| {
            let targets = episode.targets(self.settings.lambda).into_iter().zip(&episode.steps);
            let is_negated = |step: &Step| self.seen.by(step.player).1;
            let seen = |(target, step)| if is_negated(step) { 1.0 - target } else { target };
            targets.map(|target| seen(target) as f32).collect::<Vec<_>>()
        };
        episodes.iter().flat_map(of_game).collect()
    }
}

impl BatchLearner for NetworkLearner {
    type Played = Episode;

    fn learn_batch(&mut self, episodes: &[Episode], done: impl Fn(usize) -> f64) {
        let targets = self.targets(episodes);
        if targets.is_empty() {
            return;
        }
        let inputs: Vec<&[u32]> =
            episodes.iter().flat_map(|episode| episode.seen.chunks(self.network.inputs())).collect();
        let [first, last] = self.settings.step;
        let factor = first + (last - first) * done(0);
        self.descent.step(&mut self.network, factor as f32, targets.len(), |samples, part| {
            for input in &inputs[samples.clone()] {
                part.inputs.extend(input.iter().map(|&bits| f32::from_bits(bits)));
            }
            part.targets.extend_from_slice(&targets[samples]);
        });
    }

    fn state(&self) -> Vec<f64> {
        self.descent.steps.state_of(self.network.parameters())
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.descent.steps.restore_with(self.network.parameters_mut(), state)
    }

    fn is_finite(&self) -> bool {
        self.network.parameters().iter().all(|parameter| parameter.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::Player;
    use crate::learn::actor::tests::{Middle, Row, play};
    use crate::learn::{
        Activation, Actor, Input, Layer, Samples, Settings, Split, Squares, Target, Trainer, Unit,
    };
    use crate::rng::Stream;

    const SETTINGS: TdSettings =
        TdSettings { lambda: 0.0, step: [1.0, 0.01], random: 1.0, target: Target::Played };

    fn network(inputs: usize, width: usize) -> Network {
        let layers = [
            Layer { width, activation: Activation::Tanh },
            Layer { width: 1, activation: Activation::Linear },
        ];
        Network::random(inputs, &layers, Stream::new(1)).unwrap()
    }

    fn episodes() -> Vec<Episode> {
        let mut rng = Stream::new(2).rng();
        let mut game = |_| Episode {
            steps: [Player::FIRST, Player::SECOND, Player::FIRST]
                .map(|player| Step { player, expected: rng.unit(), is_random: false })
                .into(),
            seen: (0..3 * 9).map(|_| (rng.unit() as f32 - 0.5).to_bits()).collect(),
            points: rng.below(3) as f64 / 2.0,
        };
        (0..7).map(&mut game).collect()
    }

    #[test]
    fn a_step_is_that_of_the_dense_trainer() {
        let rate = 0.2;
        let optimisers =
            [Optimiser::Sgd { rate }, Optimiser::Momentum { rate, momentum: 0.9 }, Optimiser::adam(rate)];
        for (seen, optimiser) in optimisers
            .map(|optimiser| (Seen::Inversion, optimiser))
            .into_iter()
            .chain([(Seen::Negation, Optimiser::Sgd { rate })])
        {
            let settings = TdSettings { lambda: 0.6, ..SETTINGS };
            let mut learner = NetworkLearner::new(network(9, 5), seen, settings, optimiser);
            let mut samples = Samples::new(9);
            for (number, episode) in episodes().iter().enumerate() {
                for ((input, target), step) in
                    episode.seen.chunks(9).zip(episode.targets(0.6)).zip(&episode.steps)
                {
                    let is_turned = seen == Seen::Negation && step.player == Player::SECOND;
                    let target = if is_turned { 1.0 - target } else { target };
                    let input: Vec<f32> = input.iter().map(|&bits| f32::from_bits(bits)).collect();
                    samples.push(&input, target as f32, number as u64);
                }
            }
            let split = Split { unit: Unit::Sample, validate: 0.0, test: 0.0 };
            let settings =
                Settings { loss: Loss::Logistic {}, optimiser, l1: 0.0, l2: 0.0, batch: 100, split };
            let mut trainer =
                Trainer::new(network(9, 5), settings, Arc::new(samples), Stream::new(3)).unwrap();
            trainer.epoch().unwrap();
            learner.learn_batch(&episodes(), |_| 0.0);
            let before = network(9, 5);
            let mut moved = 0;
            for ((found, expected), before) in learner
                .network
                .parameters()
                .iter()
                .zip(trainer.network().parameters())
                .zip(before.parameters())
            {
                assert!((found - expected).abs() < 1e-4, "{optimiser:?}: {found}, {expected}");
                moved += usize::from((found - before).abs() > 1e-4);
            }
            assert!(moved > 25, "{optimiser:?}: only {moved} parameters move");
            assert!(!learner.restore(&learner.state()[1..]));
        }
    }

    #[test]
    fn the_rate_falls_to_the_last_step() {
        let step = |done: f64| {
            let settings = TdSettings { step: [1.0, 0.5], ..SETTINGS };
            let mut learner =
                NetworkLearner::new(network(9, 5), Seen::Inversion, settings, Optimiser::Sgd { rate: 0.2 });
            learner.learn_batch(&episodes(), |_| done);
            let (after, before) = (learner.network, network(9, 5));
            after
                .parameters()
                .iter()
                .zip(before.parameters())
                .map(|(after, before)| after - before)
                .sum::<f32>()
        };
        assert!((step(0.0) * 0.75 - step(0.5)).abs() < 1e-5, "{} {}", step(0.0), step(0.5));
        assert!(step(0.0).abs() > 1e-3);
    }

    #[test]
    fn values_of_random_play_are_exact() {
        for (seen, lambda) in [(Seen::Inversion, 0.0), (Seen::Inversion, 0.7), (Seen::Negation, 0.0)] {
            let input = Input::squares(&Middle, Arc::new(Row), Squares::OneHot);
            let optimiser = Optimiser::adam(0.02);
            let settings = TdSettings { lambda, ..SETTINGS };
            let mut learner = NetworkLearner::new(network(9, 12), seen, settings, optimiser);
            for first in (0..20_000_u64).step_by(10) {
                let game = |number: u64| {
                    play::<()>(Actor::of_network(&learner, 3), None, Stream::new(5) / number).unwrap()
                };
                let episodes: Vec<_> = (first..first + 10).map(game).collect();
                learner.learn_batch(&episodes, |_| first as f64 / 20_000.0);
            }
            let expected = |player: Player, position: ([u8; 3], u8)| {
                let is_turned = seen == Seen::Negation && player == Player::SECOND;
                let mut numbers = Vec::new();
                input.numbers(
                    &Middle,
                    &position,
                    if is_turned { Player::FIRST } else { player },
                    &mut numbers,
                );
                let logit = f64::from(learner.network().value(&numbers));
                crate::learn::td::expected_points(if is_turned { -logit } else { logit })
            };
            let (first, second) = (Player::FIRST, Player::SECOND);
            // An edge is taken: the second player takes the middle with chance ½, and otherwise the first one does.
            let edge = expected(first, ([0, 2, 2], 1));
            assert!((edge - 0.5).abs() < 0.05, "{seen:?}, λ = {lambda}: {edge}");
            assert!(expected(first, ([2, 0, 2], 1)) > 0.95);
            assert!(expected(second, ([0, 1, 2], 2)) > 0.95);
            assert!(expected(second, ([0, 2, 1], 2)) < 0.05);
        }
    }
}
