//! Samples of finished games of one game, for networks that are trained elsewhere.

use super::FitError;
use super::any_game::AnyGame;
use super::catalogue::place_of;
use super::choices::InputChoice;
use super::learners::{GameSample, Sampling};
use super::network_file::{NetworkForm, SEEN};
use crate::learn::Squares;

/// Makes samples of finished games of one game.
///
/// # Example
/// ```
/// use shikou::game::Player;
/// use shikou::players::Sampler;
/// let game = shikou::registry().game("othello", &["size=4".into()]).unwrap();
/// let sampler = Sampler::new(&*game, "one-hot", "inversion").unwrap();
/// assert_eq!(sampler.form.inputs, 48);
/// let samples = sampler.samples("b1a1a2c1d4a3d1b4a4c4").unwrap();
/// assert_eq!((samples[0].ply, samples[0].player), (1, Player::FIRST));
/// assert!(samples.iter().all(|sample| sample.input.iter().sum::<f32>() == 16.0));
/// ```
pub struct Sampler {
    /// The network that the samples are for.
    pub form: NetworkForm,
    sampling: Sampling<f32>,
}

impl Sampler {
    /// The sampler with this input (`one-hot`, `bits`, or the name of features) seen by `inversion` or `negation`.
    ///
    /// # Errors
    /// If the game has no such input.
    pub fn new(game: &dyn AnyGame, input: &str, seen: &str) -> Result<Self, FitError> {
        let features = game.lists().features.iter().map(|features| features.name);
        let names: Vec<_> = Squares::ALL.map(|(name, _)| name).into_iter().chain(features).collect();
        let squares = Squares::ALL.get(place_of(input, &names, "input", "input")?);
        let choice = squares.map_or(InputChoice::Features, |(_, squares)| InputChoice::Squares(*squares));
        let (_, seen) = SEEN[place_of(seen, &SEEN.map(|(name, _)| name), "seen", "seen")?];
        let (game, form) = game.learning().inputs("input", choice, input, seen)?;
        Ok(Self { sampling: Sampling::of_inputs(game, form.inputs, seen), form })
    }

    /// The samples of a game: the position after each written move, seen by the player who made it (with negation, by the
    /// first player).
    ///
    /// # Errors
    /// If a move is not legal or the game is not over.
    pub fn samples(&self, transcript: &str) -> Result<Vec<GameSample>, String> {
        self.sampling.samples(transcript, None)
    }
}
