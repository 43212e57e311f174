//! Training: epochs of steps along the gradients of batches.

mod errors;
mod settings;
mod state;

use std::sync::Arc;

use rayon::prelude::*;

pub(super) use self::errors::Sum;
pub use self::errors::{Diverged, Epoch, Errors, Set};
pub use self::settings::Settings;
use super::descent::Descent;
use super::loss::Loss;
use super::network::{Network, Scratch};
use super::samples::{Samples, Sets};
use crate::rng::Stream;
use crate::stats::draw;
use crate::words::Problem;

/// A training. It asks for nothing: all that it does follows from the network, the settings, the samples and the stream.
/// Any number of threads and any processor gives the same bytes.
///
/// # Example: the exclusive or
/// ```
/// use std::sync::Arc;
/// use shikou::learn::{
///     Activation, Layer, Loss, Moments, Network, Optimiser, Samples, Settings, Split, Trainer, Unit,
/// };
/// use shikou::rng::Stream;
///
/// let mut samples = Samples::new(2);
/// for (game, (input, target)) in
///     [([0.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], 0.0)].into_iter().enumerate()
/// {
///     samples.push(&input, target, game as u64);
/// }
/// let layers = [
///     Layer { width: 8, activation: Activation::Tanh },
///     Layer { width: 1, activation: Activation::Linear },
/// ];
/// let network = Network::random(2, &layers, Stream::new(1) / "weights").unwrap();
/// let settings = Settings {
///     loss: Loss::Squared {},
///     optimiser: Optimiser::Adam(Moments { rate: 0.05, ..Moments::default() }),
///     l1: 0.0,
///     l2: 0.0,
///     batch: 4,
///     split: Split { unit: Unit::Sample, validate: 0.0, test: 0.0 },
/// };
/// let mut trainer = Trainer::new(network, settings, Arc::new(samples), Stream::new(1)).unwrap();
/// for _ in 0..200 {
///     trainer.epoch().unwrap();
/// }
/// assert!((trainer.network().value(&[0.0, 1.0]) - 1.0).abs() < 0.1);
/// assert!(trainer.network().value(&[1.0, 1.0]).abs() < 0.1);
/// ```
pub struct Trainer {
    network: Network,
    settings: Settings,
    samples: Arc<Samples>,
    sets: Sets,
    stream: Stream,
    descent: Descent,
    epochs: u32,
    /// The network with the least loss in validation, and its epoch.
    best: Option<(f64, u32, Network)>,
}

impl Trainer {
    /// A training before its first epoch. The stream decides the split and the order of the samples.
    ///
    /// # Errors
    /// If the settings are no settings, the samples do not fit the network or the loss, or the split leaves a set empty.
    pub fn new(
        network: Network,
        settings: Settings,
        samples: Arc<Samples>,
        stream: Stream,
    ) -> Result<Self, Problem> {
        settings.check()?;
        if samples.width() != network.inputs() {
            let (given, needed) = (samples.width(), network.inputs());
            let reason = format!("a sample has {given} inputs, and the network {needed}");
            return Err(Problem::new("input", reason));
        }
        let is_target = |target: f32| {
            target.is_finite() && (settings.loss != Loss::Logistic {} || (0.0..=1.0).contains(&target))
        };
        if let Some(target) = samples.targets().iter().find(|&&target| !is_target(target)) {
            let reason =
                format!("{target} is no target of this loss; the logistic loss needs targets from 0 to 1");
            return Err(Problem::new("loss", reason));
        }
        let sets = settings.split.sets(samples.games(), stream / "split")?;
        let Settings { loss, optimiser, l1, l2, .. } = settings;
        let descent = Descent::new(optimiser, network.parameters().len(), loss, [l1, l2]);
        Ok(Self { network, settings, samples, sets, stream, descent, epochs: 0, best: None })
    }

    /// Trains once on every sample, in a new random order.
    ///
    /// # Errors
    /// If the loss is no finite number any more.
    ///
    /// # Cost
    /// About three products for each weight and sample.
    pub fn epoch(&mut self) -> Result<Epoch, Diverged> {
        self.epochs += 1;
        let mut order = self.sets.train.clone();
        draw::shuffle(&mut (self.stream / "order" / u64::from(self.epochs)).rng(), &mut order);
        let mut sum = Sum::default();
        for batch in order.chunks(self.settings.batch) {
            self.step(batch, &mut sum);
        }
        let train = sum.errors();
        if !train.loss.is_finite() || self.network.parameters().iter().any(|number| !number.is_finite()) {
            return Err(Diverged { epoch: self.epochs });
        }
        let validate = self.errors(Set::Validate);
        if validate.is_some_and(|errors| !errors.loss.is_finite()) {
            return Err(Diverged { epoch: self.epochs });
        }
        if let Some(errors) = validate
            && self.best.as_ref().is_none_or(|(least, ..)| errors.loss < *least)
        {
            self.best = Some((errors.loss, self.epochs, self.network.clone()));
        }
        Ok(Epoch { number: self.epochs, train, validate })
    }

    /// One step along the gradient of a batch.
    fn step(&mut self, batch: &[usize], sum: &mut Sum) {
        let Self { network, settings, samples, descent, .. } = self;
        let parts = descent.step(network, batch.len(), |chosen, part| {
            for &sample in &batch[chosen] {
                part.inputs.extend_from_slice(samples.input(sample));
                part.targets.push(samples.targets()[sample]);
            }
        });
        for part in parts {
            sum.add(settings.loss, part.predictions(), &part.targets);
        }
    }

    /// The errors of a set with the network as it is; `None` if the set is empty.
    ///
    /// # Cost
    /// A product for each weight and sample.
    pub fn errors(&self, set: Set) -> Option<Errors> {
        self.errors_of(&self.network, set)
    }

    /// The errors of a set with another network of the same inputs; `None` if the set is empty.
    pub fn errors_of(&self, network: &Network, set: Set) -> Option<Errors> {
        let chosen = self.set(set);
        if chosen.is_empty() {
            return None;
        }
        let of_chunk = |chosen: &[usize]| {
            let (mut inputs, mut targets, mut predictions) = (Vec::new(), Vec::new(), Vec::new());
            for &sample in chosen {
                inputs.extend_from_slice(self.samples.input(sample));
                targets.push(self.samples.targets()[sample]);
            }
            network.values(&inputs, &mut Scratch::default(), &mut predictions);
            (predictions, targets)
        };
        let chunks: Vec<_> = chosen.par_chunks(256).map(of_chunk).collect();
        let mut sum = Sum::default();
        for (predictions, targets) in chunks {
            sum.add(self.settings.loss, &predictions, &targets);
        }
        Some(sum.errors())
    }

    /// The numbers of the samples of a set.
    pub fn set(&self, set: Set) -> &[usize] {
        self.sets.of(set)
    }

    /// The network as it is.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The epoch with the least loss in validation, and its network; `None` before the first epoch or without
    /// validation.
    pub fn best(&self) -> Option<(u32, &Network)> {
        self.best.as_ref().map(|(_, epoch, network)| (*epoch, network))
    }
}

#[cfg(test)]
mod tests;
