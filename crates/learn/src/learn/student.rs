//! What learns from games by temporal differences.

use super::episode::Episode;

/// What learns from the games of a batch, which are played with the same weights.
pub trait Student: Send + Sync {
    /// A number of what it sees after a move.
    type Seen: Send + Sync;

    /// Learns from games. `done` is the share of the training that is done before the game with a number in the batch, in
    /// `[0, 1]`.
    fn learn_batch(&mut self, episodes: &[Episode<Self::Seen>], done: impl Fn(usize) -> f64);

    /// Takes over the weights of another student, as far as playing depends on them.
    fn play_like(&mut self, other: &Self);

    /// The numbers that the rest of learning depends on; the weights are the first.
    fn state(&self) -> Vec<f64>;

    /// Takes over a [state](Self::state). Returns whether it has the right length.
    #[must_use]
    fn restore(&mut self, state: &[f64]) -> bool;

    /// Whether all weights are finite numbers.
    fn is_finite(&self) -> bool;
}
