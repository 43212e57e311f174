//! Weights that are learned in steps: their source of games, the steps, and why they cannot be learned.

use std::ops::Range;

use super::Form;
use crate::learn::{BatchLearner, Diverged, EpisodeError, Epoch, Errors, Problem, Split};
use crate::players::{FitError, PlayError};
use crate::rng::Stream;
use crate::search::Limits;

/// The source of the games of a learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Deals, which it plays alone.
    Deals,
    /// Games that it plays against itself, or against opponents in turn.
    Games,
    /// Games of a solitaire that it plays, or that a player plays in its place.
    Solitaire,
    /// Samples of the games of others.
    Samples {
        /// How often each is learned.
        epochs: u64,
        /// How they are split.
        split: Split,
    },
}

impl Source {
    /// The unit that is counted: `game`, `deal` or `epoch`.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Games | Self::Solitaire => "game",
            Self::Deals => "deal",
            Self::Samples { .. } => "epoch",
        }
    }
}

/// Why something cannot be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// The evaluation does not fit the game.
    #[error(transparent)]
    Evaluation(#[from] FitError),
    /// A player does not fit the game.
    #[error(transparent)]
    Player(FitError),
    /// A setting of the method does not fit the others, or the samples.
    #[error(transparent)]
    Method(#[from] Problem),
    /// A game could not be played to its end.
    #[error(transparent)]
    Game(#[from] PlayError),
    /// The errors of the weights are no numbers any more.
    #[error(transparent)]
    Diverged(#[from] Diverged),
}

type Begin = dyn FnOnce(Place<'_>) -> Result<Box<dyn LearningRun>, LearnError>;

/// Weights that can be learned.
pub struct Learnable {
    /// The purpose of the weights, and their file.
    pub form: Form,
    /// Begins to learn; an error if the samples do not fit the settings.
    pub begin: Box<Begin>,
}

/// The circumstances of a training.
pub struct Place<'p> {
    /// The randomness of the training.
    pub luck: Stream,
    /// All games or deals that are learned.
    pub games: u64,
    /// The random plies at the beginning of the games of samples, which give none.
    pub random_plies: u32,
    /// The resources of a search of a player.
    pub limits: Limits,
    /// The threads.
    pub pool: rayon::ThreadPool,
    /// The finished games whose samples are learned, some at a time.
    pub transcripts: Box<dyn Iterator<Item = &'p [String]> + 'p>,
}

/// A learning run: weights that are learned in steps.
pub trait LearningRun: Send {
    /// The games, deals or epochs of a step.
    fn step(&self) -> u64;

    /// All numbers that later steps depend on; the weights are the first.
    fn state(&self) -> Vec<f64>;

    /// Takes over a state. Returns whether it fits.
    #[must_use]
    fn restore(&mut self, state: &[f64]) -> bool;

    /// Learns these games, deals or epochs, a step. Returns the errors after an epoch over samples.
    ///
    /// # Errors
    /// If a game cannot be played to its end, or the weights are no numbers any more.
    fn learn(&mut self, step: Range<u64>) -> Result<Option<Epoch>, LearnError>;

    /// The errors of the weights that are kept, if they are fitted to samples.
    fn errors(&self) -> Option<KeptErrors> {
        None
    }
}

/// The errors of the weights that a training kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptErrors {
    /// The epoch that it is of.
    pub epoch: u32,
    /// The games with samples.
    pub games: u64,
    /// Recorded games without an end, or with an illegal move, which give no samples.
    pub skipped: u64,
    /// The errors on the samples that trained.
    pub train: Errors,
    /// The errors on those that validated: they chose the epoch, if the best one is kept.
    pub validate: Option<Errors>,
    /// The errors on those that test.
    pub test: Option<Errors>,
    /// The errors on those that test, of a prediction that is always the mean of those that trained.
    pub mean: Option<Errors>,
}

pub(super) fn played(error: EpisodeError<PlayError>) -> PlayError {
    match error {
        EpisodeError::Endless(plies) => PlayError::Endless(plies),
        EpisodeError::Opponent(error) => error,
    }
}

/// How a student plays a game: its number, its randomness, and the resources of a search.
pub(super) type Play<S> =
    dyn Fn(&S, u64, Stream, Limits) -> Result<<S as BatchLearner>::Played, PlayError> + Send + Sync;
