//! What learns from games.

/// What learns from the games of a batch, which are played with the same weights.
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
