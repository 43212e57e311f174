//! The method `dense` of a training: dense layers, learned from samples.

use std::sync::Arc;

use crate::game::options::{Setting, choice, integer, integers, part, real, settings, text};
use crate::learn::{Activation, Layer, Loss, Network, Optimiser, Problem, Settings, Split, Unit};

settings! {
    /// The options of the method `dense`.
    #[derive(Clone, Debug)]
    pub(crate) struct DenseOptions {
        /// the widths of the layers, the last of which is 1
        layers: Vec<i64> = integers(1..=1_000_000),
        /// what all layers but the last do with their sums
        activation: Activation = activation(),
        /// in place of `activation`: one for each layer, such as "relu,tanh,linear"
        activations: String = activations(),
        /// what a position is worth to the player who sees it
        target: DenseTarget = target(),
        /// what is made small
        loss: Loss = part(),
        /// how gradients change the network
        optimiser: Optimiser = part(),
        /// factor of the sign of each weight, added to its slope
        l1: f64 = real(0.0..=1e3, 0.0),
        /// factor of each weight, added to its slope
        l2: f64 = real(0.0..=1e3, 0.0),
        /// samples of one step
        batch: usize = integer(1..=1_000_000, 100),
        /// how often each sample is learned
        epochs: u64 = integer(1..=1_000_000, 30),
        /// what is put into one set as a whole
        split: Unit = split(),
        /// the share that validates: it chooses an epoch and is no test
        validate: f64 = share(),
        /// the share that tests, with the network that is kept
        test: f64 = share(),
        /// the weights that are kept
        keep: Keep = keep(),
    }
}

/// What layers do with their sums.
pub(super) fn activation() -> Setting<Activation> {
    choice([
        ("tanh", "the hyperbolic tangent", Activation::Tanh),
        ("relu", "the sum, or 0 if it is negative", Activation::Relu),
        ("clipped-relu", "the sum, at least 0 and at most 1", Activation::ClippedRelu),
        ("linear", "the sum itself", Activation::Linear),
    ])
}

/// The activations of all layers.
pub(super) fn activations() -> Setting<String> {
    text("activations such as \"relu,tanh,linear\", one for each layer", "")
}

/// What a sample should be worth.
pub(super) fn target() -> Setting<DenseTarget> {
    choice([
        ("payoff", "the payoff of its game", DenseTarget::Payoff),
        ("points", "1 for a game that was won, ½ for a drawn one, 0 for a lost one", DenseTarget::Points),
    ])
}

/// What is put into one set as a whole.
pub(super) fn split() -> Setting<Unit> {
    choice([
        ("game", "the samples of a game, so that no test knows a game from the training", Unit::Game),
        (
            "sample",
            "each sample alone: neighbours in a game are in all sets, and tests flatter",
            Unit::Sample,
        ),
    ])
}

/// The share of the samples in a set.
pub(super) fn share() -> Setting<f64> {
    real(0.0..=0.99, 0.1)
}

/// The epoch whose weights are kept.
pub(super) fn keep() -> Setting<Keep> {
    choice([
        ("best", "those of the epoch with the least loss in validation", Keep::Best),
        ("last", "those of the last epoch", Keep::Last),
    ])
}

/// What a sample should be worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DenseTarget {
    Payoff,
    Points,
}

impl DenseTarget {
    /// The target of a sample, given the payoff of its game.
    pub(crate) fn of(self, payoff: i32) -> f32 {
        match self {
            Self::Payoff => payoff as f32,
            Self::Points => f32::midpoint(payoff.signum() as f32, 1.0),
        }
    }
}

/// Which network is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Best,
    Last,
}

impl Keep {
    /// Checks that something chooses what is kept.
    ///
    /// # Errors
    /// If the best is kept, and nothing validates.
    pub(crate) fn check(self, validate: f64) -> Result<(), Problem> {
        if self == Self::Best && validate == 0.0 {
            let reason = "the best epoch is that of the least loss in validation, and validate = 0 leaves none; write \
                          keep = \"last\"";
            return Err(Problem::new("keep", reason));
        }
        Ok(())
    }
}

impl DenseOptions {
    /// The layers of the network.
    ///
    /// # Errors
    /// If they are no network for this number of inputs.
    pub(crate) fn layers(&self, inputs: usize) -> Result<Arc<[Layer]>, Problem> {
        layers(inputs, &self.layers, self.activation, &self.activations)
    }

    /// The settings of the trainer.
    ///
    /// # Errors
    /// If they do not fit each other.
    pub(crate) fn settings(&self) -> Result<Settings, Problem> {
        if (self.loss, self.target) == (Loss::Logistic, DenseTarget::Payoff) {
            let reason = "the logistic loss needs targets from 0 to 1; write target = \"points\"";
            return Err(Problem::new("loss", reason));
        }
        self.keep.check(self.validate)?;
        let split = Split { unit: self.split, validate: self.validate, test: self.test };
        let (l1, l2) = (self.l1 as f32, self.l2 as f32);
        let (loss, optimiser) = (self.loss, self.optimiser);
        let settings = Settings { loss, optimiser, l1, l2, batch: self.batch, split };
        settings.check()?;
        Ok(settings)
    }
}

/// The layers of a network for this number of inputs. With `activations` each has one of its own, otherwise all but the last
/// have the `activation`.
///
/// # Errors
/// If they are no network.
pub(crate) fn layers(
    inputs: usize,
    widths: &[i64],
    activation: Activation,
    activations: &str,
) -> Result<Arc<[Layer]>, Problem> {
    let count = widths.len();
    let activations = if activations.is_empty() {
        let hidden = count.saturating_sub(1);
        (0..count).map(|layer| if layer < hidden { activation } else { Activation::Linear }).collect()
    } else {
        Activation::list(activations, count)?
    };
    let widths = widths.iter().map(|&width| width as usize);
    let layers: Arc<[Layer]> =
        widths.zip(activations).map(|(width, activation)| Layer { width, activation }).collect();
    Network::count_parameters(inputs, &layers)?;
    Ok(layers)
}
