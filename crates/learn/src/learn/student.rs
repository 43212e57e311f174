//! Traits of learners: from games, or from samples of games.

use super::trainer::{Diverged, Epoch, Errors, Set};

/// A learner from the games of a batch, which are played with the same weights.
pub trait Student: Send + Sync {
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
