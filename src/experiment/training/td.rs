//! Temporal differences: games in batches.
//!
//! The games of a batch are played with the same weights, and learned in their order. So the threads that play them change
//! nothing, and a training goes on from any batch.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::run::{Lesson, TrainingError, failed};
use super::trained::Trained;
use crate::experiment::manifest::form::Form;
use crate::experiment::manifest::training::{TdOptions, Training};
use crate::experiment::trial::play::Playing;
use crate::game::Player;
use crate::learn::{Episode, Learner, Network, NetworkLearner, Problem, Student, Target};
use crate::players::{Lessons, NetworkLessons, PlayError, TupleLessons};
use crate::rng::Stream;

/// A student and its games.
pub(super) struct Td<'t, S: Student> {
    training: &'t Training,
    lessons: Box<dyn Lessons<S>>,
    student: S,
    /// The chance of a random move, and what is learned then.
    random: (f64, Target),
    batch: u64,
    pool: rayon::ThreadPool,
}

/// What learns the weights of tuples, or a network.
pub(super) fn lesson<'t>(
    training: &'t Training,
    options: &TdOptions,
    pool: rayon::ThreadPool,
) -> Result<Box<dyn Lesson + 't>, TrainingError> {
    let (settings, batch) = (options.settings(), options.batch);
    let random = settings.of_random();
    if let Form::Network(form, layers) = training.form()? {
        let NetworkLessons { seen, games: lessons, .. } = training.network_lessons()?;
        let luck = Stream::new(training.seed) / "training" / "weights";
        let network = Network::random(form.inputs, &layers, luck)
            .map_err(|problem| TrainingError::Samples { training: training.name.clone(), problem })?;
        let student = NetworkLearner::new(network, seen, settings, options.optimiser.settings());
        return Ok(Box::new(Td { training, lessons, student, random, batch, pool }));
    }
    let TupleLessons { sum, seen, games: lessons } = training.tuple_lessons()?;
    let student = Learner::new(sum, seen, settings);
    Ok(Box::new(Td { training, lessons, student, random, batch, pool }))
}

impl<S: Student> Td<'_, S> {
    /// The games of a batch, in their order.
    fn play(&self, games: Range<u64>) -> Result<Vec<Episode<S::Seen>>, PlayError> {
        let Self { training, lessons, student, random, .. } = self;
        let luck = Stream::new(training.seed) / "training" / "games";
        let one = |game: u64| {
            let opponents = training.players.len() as u64;
            let opponent =
                (opponents > 0).then(|| ((game / 2 % opponents) as usize, Player::new((1 - game % 2) as u8)));
            let _playing = Playing::begin();
            let play = || lessons.play(student, *random, opponent, (luck / game, training.limits));
            catch_unwind(AssertUnwindSafe(play))
                .unwrap_or_else(|payload| Err(PlayError::from_panic(&*payload)))
        };
        if self.pool.current_num_threads() == 1 {
            return games.map(one).collect();
        }
        self.pool.install(|| games.into_par_iter().map(one).collect())
    }
}

impl<S: Student> Lesson for Td<'_, S> {
    fn step(&self) -> u64 {
        self.batch
    }

    fn state(&self) -> Vec<f64> {
        self.student.state()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.student.restore(state)
    }

    fn learn(&mut self, games: Range<u64>, _: &mut Trained) -> Result<(), TrainingError> {
        let episodes = self.play(games.clone());
        let episodes = episodes.map_err(|error| failed(self.training, games.start, error))?;
        let Self { training, student, pool, .. } = self;
        let done = |number: usize| (games.start + number as u64) as f64 / training.games as f64;
        pool.install(|| student.learn_batch(&episodes, done));
        if student.is_finite() {
            return Ok(());
        }
        let reason =
            format!("the weights are no numbers any more after {} games; write smaller steps", games.end);
        Err(TrainingError::Samples {
            training: training.name.clone(),
            problem: Problem::new("method", reason),
        })
    }
}
