//! Traits of learners: from games, or from samples of games, with the errors on these.

use super::loss::Loss;

/// A learner from the games of a batch, which are played with the same weights.
pub trait BatchLearner: Send + Sync {
    /// A game as it was played, with what is learned from it.
    type Played: Send + Sync;

    /// Learns from games. `done` is the share of the training that is done before the game with a number in the batch, in
    /// `[0, 1]`.
    fn learn_batch(&mut self, games: &[Self::Played], done: impl Fn(usize) -> f64);

    /// The numbers that the rest of learning depends on; the weights are the first.
    fn state(&self) -> Vec<f64>;

    /// Takes over a [state](Self::state). Returns whether it has the right length.
    #[must_use]
    fn restore(&mut self, state: &[f64]) -> bool;

    /// Whether all weights are finite numbers.
    fn is_finite(&self) -> bool;
}

words! {
    /// The epoch whose weights are kept.
    pub enum Keep {
        Best = "those of the epoch with the least loss in validation",
        Last = "those of the last epoch",
    }
}

impl Keep {
    /// The best weights with their epoch, or the last.
    pub(super) fn of<W>(self, best: Option<(u32, W)>, last: (u32, W)) -> (u32, W) {
        best.filter(|_| self == Self::Best).unwrap_or(last)
    }
}

/// Weights that are fitted to samples, epoch by epoch.
pub trait Fit: Send + Sync {
    /// Learns every sample once.
    ///
    /// # Errors
    /// If the loss is no finite number any more.
    fn epoch(&mut self) -> Result<Epoch, Diverged>;

    /// The weights that are kept, and their epoch.
    fn kept(&self, keep: Keep) -> (u32, Vec<f64>);

    /// The errors of a set with the weights that are kept; `None` if the set is empty.
    fn errors_of_kept(&self, keep: Keep, set: Set) -> Option<Errors>;

    /// The errors of a set if one predicts the mean target of the samples that train; `None` if the set is empty.
    fn errors_of_mean(&self, set: Set) -> Option<Errors>;

    /// All numbers that later epochs depend on; the weights are the first.
    fn state(&self) -> Vec<f64>;

    /// Takes over a [state](Self::state) of the same samples and settings. Returns whether it has the right length.
    #[must_use]
    fn restore(&mut self, state: &[f64]) -> bool;
}

/// The errors of a set of samples.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Errors {
    /// The number of samples.
    pub samples: usize,
    /// The mean loss.
    pub loss: f64,
    /// The mean squared error, in the unit of the targets, squared.
    pub squared: f64,
    /// The mean absolute error, in the unit of the targets.
    pub absolute: f64,
}

/// A point of the learning curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// The number of the epoch, from 1.
    pub number: u32,
    /// The errors in training; each batch is measured just before its step.
    pub train: Errors,
    /// The errors of the samples that validate, after the epoch; `None` if there are none.
    pub validate: Option<Errors>,
}

/// Why a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the training diverged in epoch {epoch}: its loss is no number any more; write a smaller rate")]
pub struct Diverged {
    /// The number of the epoch, from 1.
    pub epoch: u32,
}

/// The sets into which samples are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Samples that train.
    Train,
    /// Samples that validate.
    Validate,
    /// Samples that test.
    Test,
}

#[derive(Default)]
pub(super) struct Sum {
    samples: usize,
    loss: f64,
    squared: f64,
    absolute: f64,
}

impl Sum {
    pub(super) fn add(&mut self, loss: Loss, predictions: &[f32], targets: &[f32]) {
        for (&prediction, &target) in predictions.iter().zip(targets) {
            let error = f64::from(loss.value(prediction)) - f64::from(target);
            self.add_error(error, loss.loss(prediction, target));
        }
    }

    /// Adds a value whose loss is the square of its error.
    pub(super) fn add_squared(&mut self, value: f64, target: f64) {
        let error = value - target;
        self.add_error(error, error * error);
    }

    fn add_error(&mut self, error: f64, loss: f64) {
        self.samples += 1;
        self.loss += loss;
        self.squared += error * error;
        self.absolute += error.abs();
    }

    pub(super) fn errors(&self) -> Errors {
        let count = self.samples as f64;
        Errors {
            samples: self.samples,
            loss: self.loss / count,
            squared: self.squared / count,
            absolute: self.absolute / count,
        }
    }
}
