//! The method `least-squares` of a training: weights of n-tuples, fitted to samples.

use super::dense::{DenseTarget, Keep};
use crate::game::options::{choice, integer, real, settings};
use crate::learn::{Problem, Split, Unit};

settings! {
    /// The options of the method `least-squares`.
    #[derive(Clone, Debug)]
    pub(crate) struct LeastSquaresOptions {
        /// what a position is worth to the player who sees it
        target: DenseTarget = choice([
            ("payoff", "the payoff of its game", DenseTarget::Payoff),
            ("points", "1 for a game that was won, ½ for a drawn one, 0 for a lost one", DenseTarget::Points),
        ]),
        /// factor of the sum of the squared weights, added to the mean squared error
        l2: f64 = real(0.0..=1e3, 1e-4),
        /// steps of conjugate gradients, each over all samples
        epochs: u64 = integer(1..=1_000_000, 30),
        /// what is put into one set as a whole
        split: Unit = choice([
            ("game", "the samples of a game, so that no test knows a game from the training", Unit::Game),
            ("sample", "each sample alone: neighbours in a game are in all sets, and tests flatter", Unit::Sample),
        ]),
        /// the share that validates: it chooses an epoch and is no test
        validate: f64 = real(0.0..=0.99, 0.1),
        /// the share that tests, with the weights that are kept
        test: f64 = real(0.0..=0.99, 0.1),
        /// the weights that are kept
        keep: Keep = choice([
            ("best", "those of the epoch with the least error in validation", Keep::Best),
            ("last", "those of the last epoch", Keep::Last),
        ]),
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
