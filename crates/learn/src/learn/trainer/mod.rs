//! Training: epochs of steps along the gradients of batches.

use std::sync::Arc;

use rayon::prelude::*;

use super::batch_learner::{Diverged, Epoch, Errors, Fit, Keep, Set, Sum};
use super::descent::Descent;
use super::loss::Loss;
use super::network::{Network, Scratch};
use super::optimiser::Optimiser;
use super::samples::{Samples, Sets, Split};
use crate::rng::Stream;
use crate::stats::draw;
use crate::words::Problem;

/// How a network is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The loss; a gradient is the mean over a batch.
    pub loss: Loss,
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The factor of the sign of each weight, added to its slope (not to those of biases); 0: none.
    pub l1: f32,
    /// The factor of each weight, added to its slope (not to those of biases); 0: none.
    pub l2: f32,
    /// The samples of a batch; the last of an epoch may be smaller.
    pub batch: usize,
    /// How the samples are split.
    pub split: Split,
}

impl Settings {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self) -> Result<(), Problem> {
        // In the precision of the steps.
        let positive = |setting, number: f64| {
            let number = number as f32;
            let reason = format!("{number} is not above 0; write a positive number");
            if number > 0.0 && number.is_finite() { Ok(()) } else { Err(Problem::new(setting, reason)) }
        };
        let share = |setting, number: f64| {
            let number = number as f32;
            let reason = format!("{number} is not in 0 to 1; write for example 0.9");
            if (0.0..1.0).contains(&number) { Ok(()) } else { Err(Problem::new(setting, reason)) }
        };
        if let Loss::Huber { corner } = self.loss {
            positive("corner", corner)?;
        }
        match self.optimiser {
            Optimiser::Sgd { rate } => positive("rate", rate)?,
            Optimiser::Momentum { rate, momentum } => {
                positive("rate", rate)?;
                share("momentum", momentum)?;
            }
            Optimiser::Adam { rate, beta1, beta2, epsilon }
            | Optimiser::Amsgrad { rate, beta1, beta2, epsilon }
            | Optimiser::Amsbound { rate, beta1, beta2, epsilon, .. } => {
                positive("rate", rate)?;
                share("beta1", beta1)?;
                share("beta2", beta2)?;
                positive("epsilon", epsilon)?;
            }
        }
        if let Optimiser::Amsbound { final_rate, gamma, .. } = self.optimiser {
            positive("final-rate", final_rate)?;
            positive("gamma", gamma)?;
        }
        for (setting, factor) in [("l1", self.l1), ("l2", self.l2)] {
            if !(factor >= 0.0 && factor.is_finite()) {
                let reason = format!("{factor} is no factor; write 0 or a positive number");
                return Err(Problem::new(setting, reason));
            }
        }
        if self.batch == 0 {
            return Err(Problem::new("batch", "a batch of 0 samples trains nothing; write for example 200"));
        }
        Ok(())
    }
}

/// A training. It asks for nothing: all that it does follows from the network, the settings, the samples and the stream.
/// Any number of threads and any processor gives the same bytes.
///
/// # Example: the exclusive or
/// ```
/// use std::sync::Arc;
/// use shikou::learn::{
///     Activation, Layer, Loss, Network, Optimiser, Samples, Settings, Split, Trainer, Unit,
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
///     optimiser: Optimiser::adam(0.05),
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

    fn step(&mut self, batch: &[usize], sum: &mut Sum) {
        let Self { network, settings, samples, descent, .. } = self;
        let parts = descent.step(network, 1.0, batch.len(), |chosen, part| {
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

impl Fit for Trainer {
    fn epoch(&mut self) -> Result<Epoch, Diverged> {
        self.epoch()
    }

    fn kept(&self, keep: Keep) -> (u32, Vec<f64>) {
        let (epoch, network) = keep.of(self.best(), (self.epochs, &self.network));
        (epoch, network.parameters().iter().copied().map(f64::from).collect())
    }

    fn errors_of_kept(&self, keep: Keep, set: Set) -> Option<Errors> {
        self.errors_of(keep.of(self.best(), (0, &self.network)).1, set)
    }

    fn errors_of_mean(&self, set: Set) -> Option<Errors> {
        let targets = |set| self.set(set).iter().map(|&sample| self.samples.targets()[sample]);
        let mean = targets(Set::Train).map(f64::from).sum::<f64>() / self.sets.train.len() as f64;
        let prediction = self.settings.loss.prediction(mean);
        let mut sum = Sum::default();
        targets(set).for_each(|target| sum.add(self.settings.loss, &[prediction], &[target]));
        (!self.set(set).is_empty()).then(|| sum.errors())
    }

    fn state(&self) -> Vec<f64> {
        let numbers = |network: &[f32]| network.iter().copied().map(f64::from).collect::<Vec<f64>>();
        let mut state = numbers(self.network.parameters());
        state.push(self.epochs.into());
        let (epoch, loss) = self.best.as_ref().map_or((0, 0.0), |(loss, epoch, _)| (*epoch, *loss));
        state.extend([f64::from(epoch), loss]);
        state.extend(self.best.iter().flat_map(|(.., network)| numbers(network.parameters())));
        state.extend(self.descent.steps.state());
        state
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let count = self.network.parameters().len();
        let mut rest = state;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        let (Some(network), Some(&[epochs, epoch, loss])) = (take(count), take(3)) else { return false };
        let best = if epoch > 0.0 { take(count) } else { Some(&[][..]) };
        let Some(best) = best else { return false };
        let set = |parameters: &mut [f32], numbers: &[f64]| {
            parameters.iter_mut().zip(numbers).for_each(|(parameter, &number)| *parameter = number as f32);
        };
        set(self.network.parameters_mut(), network);
        self.epochs = epochs as u32;
        self.best = (!best.is_empty()).then(|| {
            let mut network = self.network.clone();
            set(network.parameters_mut(), best);
            (loss, epoch as u32, network)
        });
        self.descent.steps.restore(rest)
    }
}

#[cfg(test)]
mod tests;
