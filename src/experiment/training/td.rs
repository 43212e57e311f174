//! Temporal differences: games in batches.
//!
//! The games of a batch are played with the same weights, and learned in their order. So the threads that play them change
//! nothing, and a training goes on from any batch.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::run::{Lesson, TrainingError, failed};
use super::trained::Trained;
use crate::experiment::manifest::training::{TdOptions, Training};
use crate::experiment::trial::play::Playing;
use crate::game::Player;
use crate::learn::{Episode, Learner};
use crate::players::{FitError, Lessons, PlayError};
use crate::rng::Stream;

/// A learner and its games.
pub(super) struct Td<'t> {
    training: &'t Training,
    lessons: Box<dyn Lessons>,
    learner: Learner,
    batch: u64,
}

impl<'t> Td<'t> {
    pub(super) fn new(training: &'t Training, options: &TdOptions) -> Result<Self, FitError> {
        let lessons = training.lessons()?;
        let learner = lessons.learner(options.settings());
        Ok(Self { training, lessons, learner, batch: options.batch })
    }

    /// The games of a batch, in their order.
    fn play(&self, games: &[u64], threads: usize) -> Result<Vec<Episode>, PlayError> {
        let Self { training, lessons, learner, .. } = self;
        let luck = Stream::new(training.seed) / "training" / "games";
        let one = |&game: &u64| -> Result<Episode, PlayError> {
            let opponents = training.players.len() as u64;
            let opponent =
                (opponents > 0).then(|| ((game / 2 % opponents) as usize, Player::new((1 - game % 2) as u8)));
            let _playing = Playing::begin();
            let play = || lessons.play(learner, opponent, luck / game, training.limits);
            catch_unwind(AssertUnwindSafe(play))
                .unwrap_or_else(|payload| Err(PlayError::from_panic(&*payload)))
        };
        let threads = threads.clamp(1, games.len());
        if threads == 1 {
            return games.iter().map(one).collect();
        }
        let parts = std::thread::scope(|scope| {
            let part = |games| scope.spawn(move || games_of(games, &one));
            let parts: Vec<_> = games.chunks(games.len().div_ceil(threads)).map(part).collect();
            parts
                .into_iter()
                .map(|part| part.join().expect("panics are caught"))
                .collect::<Result<Vec<_>, _>>()
        });
        Ok(parts?.concat())
    }
}

/// Some games, one after the other.
fn games_of(
    games: &[u64],
    play: &impl Fn(&u64) -> Result<Episode, PlayError>,
) -> Result<Vec<Episode>, PlayError> {
    games.iter().map(play).collect()
}

impl Lesson for Td<'_> {
    fn step(&self) -> u64 {
        self.batch
    }

    fn state(&self) -> Vec<f64> {
        self.learner.state()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.learner.restore(state)
    }

    fn learn(&mut self, games: Range<u64>, threads: usize, _: &mut Trained) -> Result<(), TrainingError> {
        let first = games.start;
        let games: Vec<u64> = games.collect();
        let episodes = self.play(&games, threads);
        let episodes = episodes.map_err(|error| failed(self.training, first, error))?;
        for (game, episode) in games.iter().zip(&episodes) {
            self.learner.learn(episode, *game as f64 / self.training.games as f64);
        }
        Ok(())
    }
}
