//! The method `least-squares` of a training: weights of n-tuples, fitted to samples.

use super::dense::{DenseTarget, Keep, keep, share, split, target};
use crate::game::options::{integer, real, settings};
use crate::learn::{Problem, Split, Unit};

settings! {
    /// The options of the method `least-squares`.
    #[derive(Clone, Debug)]
    pub(crate) struct LeastSquaresOptions {
        /// what a position is worth to the player who sees it
        target: DenseTarget = target(),
        /// with n > 0, one sample a game: a position with two thirds of n to n plies left, whose target is its exact value
        solved: u64 = integer(0..=24, 0),
        /// with `solved`, the most random plies that lead to the sample; the number is drawn
        detour: u64 = integer(0..=24, 5),
        /// factor of the sum of the squared weights, added to the mean squared error
        l2: f64 = real(0.0..=1e3, 1e-4),
        /// steps of conjugate gradients, each over all samples
        epochs: u64 = integer(1..=1_000_000, 30),
        /// what is put into one set as a whole
        split: Unit = split(),
        /// the share that validates: it chooses an epoch and is no test
        validate: f64 = share(),
        /// the share that tests, with the weights that are kept
        test: f64 = share(),
        /// the weights that are kept
        keep: Keep = keep(),
    }
}

impl LeastSquaresOptions {
    /// The split of the samples.
    ///
    /// # Errors
    /// If nothing validates and the best iteration is to be kept.
    pub(crate) fn split(&self) -> Result<Split, Problem> {
        self.keep.check(self.validate)?;
        Ok(Split { unit: self.split, validate: self.validate, test: self.test })
    }
}
