//! Temporal differences: games in batches.
//!
//! The games of a batch are played with the same weights, and learned in their order. So the threads that play them change
//! nothing, and a training goes on from any batch.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

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
    pool: rayon::ThreadPool,
}

impl<'t> Td<'t> {
    pub(super) fn new(
        training: &'t Training,
        options: &TdOptions,
        pool: rayon::ThreadPool,
    ) -> Result<Self, FitError> {
        let lessons = training.lessons()?;
        let learner = lessons.learner(options.settings());
        Ok(Self { training, lessons, learner, batch: options.batch, pool })
    }

    /// The games of a batch, in their order.
    fn play(&self, games: Range<u64>) -> Result<Vec<Episode>, PlayError> {
        let Self { training, lessons, learner, .. } = self;
        let luck = Stream::new(training.seed) / "training" / "games";
        let one = |game: u64| -> Result<Episode, PlayError> {
            let opponents = training.players.len() as u64;
            let opponent =
                (opponents > 0).then(|| ((game / 2 % opponents) as usize, Player::new((1 - game % 2) as u8)));
            let _playing = Playing::begin();
            let play = || lessons.play(learner, opponent, luck / game, training.limits);
            catch_unwind(AssertUnwindSafe(play))
                .unwrap_or_else(|payload| Err(PlayError::from_panic(&*payload)))
        };
        if self.pool.current_num_threads() == 1 {
            return games.map(one).collect();
        }
        self.pool.install(|| games.into_par_iter().map(one).collect())
    }
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

    fn learn(&mut self, games: Range<u64>, _: &mut Trained) -> Result<(), TrainingError> {
        let episodes = self.play(games.clone());
        let episodes = episodes.map_err(|error| failed(self.training, games.start, error))?;
        for (game, episode) in games.zip(&episodes) {
            self.learner.learn(episode, game as f64 / self.training.games as f64);
        }
        Ok(())
    }
}
