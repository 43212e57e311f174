//! The errors of a network on samples, and the points of learning curves.

use crate::learn::loss::Loss;

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

/// Sums of errors.
#[derive(Default)]
pub(crate) struct Sum {
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
    pub(crate) fn add_squared(&mut self, value: f64, target: f64) {
        let error = value - target;
        self.add_error(error, error * error);
    }

    fn add_error(&mut self, error: f64, loss: f64) {
        self.samples += 1;
        self.loss += loss;
        self.squared += error * error;
        self.absolute += error.abs();
    }

    pub(crate) fn errors(&self) -> Errors {
        let count = self.samples as f64;
        Errors {
            samples: self.samples,
            loss: self.loss / count,
            squared: self.squared / count,
            absolute: self.absolute / count,
        }
    }
}
