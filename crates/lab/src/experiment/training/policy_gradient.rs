//! Policy gradients: deals in batches, each played some times with the same weights.

use std::ops::Range;

use rayon::prelude::*;

use super::run::{Lesson, TrainingError, failed};
use super::trained::Trained;
use crate::experiment::manifest::training::PolicyGradientOptions;
use crate::experiment::manifest::training::Training;
use crate::learn::{PolicyGame, PolicyLearner, Problem};
use crate::players::{PlayError, PolicyLessons};
use crate::rng::Stream;

/// A policy and its deals.
pub(super) struct Policy<'t> {
    training: &'t Training,
    lessons: Box<dyn PolicyLessons>,
    learner: PolicyLearner,
    /// The games of a deal, and the deals of a step.
    group: u64,
    batch: u64,
    pool: rayon::ThreadPool,
}

impl<'t> Policy<'t> {
    /// What learns the weights of a policy.
    pub(super) fn new(
        training: &'t Training,
        options: &PolicyGradientOptions,
        pool: rayon::ThreadPool,
    ) -> Result<Self, TrainingError> {
        let weights = training.form()?.weights();
        let learner = PolicyLearner::new(weights, options.settings());
        let &PolicyGradientOptions { group, batch, .. } = options;
        let lessons = training.game.learning().policy_lessons(training.evaluation())?;
        Ok(Self { training, lessons, learner, group, batch, pool })
    }

    /// The games of some deals, in their order.
    fn play(&self, deals: Range<u64>) -> Result<Vec<Vec<PolicyGame>>, PlayError> {
        let luck = Stream::new(self.training.seed) / "training" / "games";
        let one =
            |deal: u64| self.lessons.play(self.learner.weights(), (luck / deal).playout_key(), self.group);
        if self.pool.current_num_threads() == 1 {
            return deals.map(one).collect();
        }
        self.pool.install(|| deals.into_par_iter().map(one).collect())
    }
}

impl Lesson for Policy<'_> {
    fn step(&self) -> u64 {
        self.batch
    }

    fn state(&self) -> Vec<f64> {
        self.learner.state()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.learner.restore(state)
    }

    fn learn(&mut self, deals: Range<u64>, _: &mut Trained) -> Result<(), TrainingError> {
        let groups = self.play(deals.clone()).map_err(|error| failed(self.training, deals.start, error))?;
        self.learner.learn(&groups, deals.start as f64 / self.training.games as f64);
        if self.learner.is_finite() {
            return Ok(());
        }
        let reason =
            format!("the weights are no numbers any more after {} deals; write a smaller rate", deals.end);
        Err(TrainingError::Samples {
            training: self.training.name.clone(),
            problem: Problem::new("rate", reason),
        })
    }
}
