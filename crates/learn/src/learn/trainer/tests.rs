//! Tests of training.

use super::*;
use crate::learn::{Activation, Fit, Layer, Optimiser, Split, Unit};

const SETTINGS: Settings = Settings {
    loss: Loss::Squared {},
    optimiser: Optimiser::Sgd { rate: 0.01 },
    l1: 0.0,
    l2: 0.0,
    batch: 20,
    split: Split { unit: Unit::Game, validate: 0.2, test: 0.2 },
};

/// Games whose target is a function of the inputs.
fn samples() -> Arc<Samples> {
    let mut samples = Samples::new(6);
    let mut rng = Stream::new(9).rng();
    for game in 0..40 {
        for _ in 0..5 {
            let input: [f32; 6] = std::array::from_fn(|_| f32::from(rng.below(2) == 0));
            samples.push(&input, f32::midpoint(input[0] - input[1] * input[2], 1.0), game);
        }
    }
    Arc::new(samples)
}

fn network() -> Network {
    let layer = |width, activation| Layer { width, activation };
    let layers = [layer(12, Activation::Tanh), layer(1, Activation::Linear)];
    Network::random(6, &layers, Stream::new(2)).unwrap()
}

fn trainer(settings: Settings) -> Trainer {
    Trainer::new(network(), settings, samples(), Stream::new(1)).unwrap()
}

fn optimisers() -> [Optimiser; 5] {
    let (rate, beta1, beta2, epsilon) = (0.01, 0.9, 0.999, 1e-8);
    [
        Optimiser::Sgd { rate: 0.1 },
        Optimiser::Momentum { rate: 0.02, momentum: 0.9 },
        Optimiser::adam(rate),
        Optimiser::Amsgrad { rate, beta1, beta2, epsilon },
        Optimiser::Amsbound { rate, beta1, beta2, epsilon, final_rate: 0.1, gamma: 1e-3 },
    ]
}

#[test]
fn every_optimiser_and_loss_learns_games_it_did_not_see() {
    for optimiser in optimisers() {
        for loss in [Loss::Squared {}, Loss::Huber { corner: 1.0 }, Loss::Logistic {}] {
            let mut trainer = trainer(Settings { loss, optimiser, ..SETTINGS });
            let before = trainer.errors(Set::Test).unwrap();
            for _ in 0..100 {
                trainer.epoch().unwrap();
            }
            let after = trainer.errors(Set::Test).unwrap();
            assert_eq!((before.samples, trainer.set(Set::Train).len()), (40, 120));
            assert!(after.squared < 0.5 * before.squared, "{optimiser:?} {loss:?}: {before:?} {after:?}");
        }
    }
}

/// A step of plain descent on one batch is the rate times the mean slope, with the penalties of the weights.
#[test]
fn penalties_are_added_to_the_slopes_of_weights() {
    let whole = Settings { batch: 1000, ..SETTINGS };
    let after = |settings: Settings| {
        let mut trainer = trainer(settings);
        trainer.epoch().unwrap();
        trainer.network().parameters().to_vec()
    };
    let plain = after(whole);
    let (l1, l2) = (after(Settings { l1: 0.5, ..whole }), after(Settings { l2: 0.5, ..whole }));
    let network = network();
    let places = network.places();
    for (number, &before) in network.parameters().iter().enumerate() {
        let is_weight = places.iter().any(|place| place.weights.contains(&number));
        let [one, two] = if is_weight { [0.005 * before.signum(), 0.005 * before] } else { [0.0; 2] };
        assert!((plain[number] - l1[number] - one).abs() < 1e-6);
        assert!((plain[number] - l2[number] - two).abs() < 1e-6);
    }
}

#[test]
fn the_best_network_is_that_of_the_least_loss_in_validation() {
    // A rate at which the loss jumps about.
    let mut trainer = trainer(Settings { optimiser: Optimiser::Sgd { rate: 0.12 }, batch: 5, ..SETTINGS });
    let mut seen = Vec::new();
    for _ in 0..30 {
        let epoch = trainer.epoch().unwrap();
        seen.push((epoch.validate.unwrap().loss, epoch.number, trainer.network().clone()));
    }
    let least = seen.iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    assert_eq!(trainer.best().unwrap(), (least.1, &least.2));
}

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let refused = |settings: Settings| {
        let refused = Trainer::new(network(), settings, samples(), Stream::new(1)).err().unwrap();
        (refused.setting, refused.reason)
    };
    let adam = Optimiser::Adam { rate: 0.001, beta1: 0.9, beta2: 1.0, epsilon: 1e-8 };
    assert_eq!(refused(Settings { batch: 0, ..SETTINGS }).0, "batch");
    assert_eq!(refused(Settings { l1: f32::NAN, ..SETTINGS }).0, "l1");
    assert_eq!(refused(Settings { l2: -1.0, ..SETTINGS }).0, "l2");
    assert_eq!(refused(Settings { loss: Loss::Huber { corner: 0.0 }, ..SETTINGS }).0, "corner");
    assert_eq!(refused(Settings { optimiser: Optimiser::Sgd { rate: 0.0 }, ..SETTINGS }).0, "rate");
    assert_eq!(refused(Settings { optimiser: adam, ..SETTINGS }).0, "beta2");
    let mut samples = Samples::new(6);
    (0..20).for_each(|game| samples.push(&[0.0; 6], -1.0, game));
    let settings = Settings { loss: Loss::Logistic {}, ..SETTINGS };
    let loss = Trainer::new(network(), settings, Arc::new(samples), Stream::new(1)).err().unwrap();
    assert!(loss.to_string().contains("targets from 0 to 1"));
    let narrow = Trainer::new(network(), SETTINGS, Arc::new(Samples::new(5)), Stream::new(1)).err().unwrap();
    assert!(narrow.to_string().contains("a sample has 5 inputs, and the network 6"));
}

#[test]
fn a_training_goes_on_from_its_state() {
    for optimiser in optimisers() {
        for validate in [0.0, 0.2] {
            let settings = Settings { optimiser, split: Split { validate, ..SETTINGS.split }, ..SETTINGS };
            let (mut whole, mut first, mut second) =
                (trainer(settings), trainer(settings), trainer(settings));
            for _ in 0..3 {
                whole.epoch().unwrap();
                first.epoch().unwrap();
            }
            let state = first.state();
            assert!(second.restore(&state));
            assert_eq!(second.state(), state);
            for _ in 0..4 {
                assert_eq!(whole.epoch(), second.epoch());
            }
            assert_eq!(second.state(), whole.state());
            assert_eq!(second.best(), whole.best());
            for length in [0, 3, state.len() / 2, state.len() - 1] {
                assert!(!trainer(settings).restore(&state[..length]), "{optimiser:?} {length}");
            }
            assert!(!trainer(settings).restore(&[&state[..], &[0.0]].concat()), "{optimiser:?}");
        }
    }
}

#[test]
fn the_mean_of_the_training_is_measured() {
    let trainer = trainer(SETTINGS);
    let targets = |set| trainer.set(set).iter().map(|&sample| f64::from(trainer.samples.targets()[sample]));
    let mean = targets(Set::Train).sum::<f64>() / 120.0;
    let squared = targets(Set::Test).map(|target| (target - mean) * (target - mean)).sum::<f64>() / 40.0;
    let found = trainer.errors_of_mean(Set::Test).unwrap();
    assert_eq!(found.samples, 40);
    assert!((found.squared - squared).abs() < 1e-6, "{found:?} {squared}");
}
