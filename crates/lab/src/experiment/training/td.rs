//! Temporal differences: games in batches.
//!
//! The games of a batch are played with the same weights, and learned in their order. So the threads that play them change
//! nothing, and a training goes on from any batch. A student that learns game by game begins while the rest of the batch is
//! still played, with a copy of the weights as they were.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::run::{Lesson, TrainingError, failed};
use super::trained::Trained;
use crate::experiment::manifest::form::Form;
use crate::experiment::manifest::training::{TdOptions, Training};
use crate::experiment::trial::play::playing;
use crate::game::Player;
use crate::learn::{
    BagLearner, BagNetwork, Episode, Learner, Network, NetworkLearner, Problem, Student, Target,
};
use crate::players::{BagLessons, Lessons, NetworkLessons, PlayError, TupleLessons};
use crate::rng::Stream;

/// The games of a training.
struct Games<'t, S: Student> {
    training: &'t Training,
    lessons: Box<dyn Lessons<S>>,
    /// The chance of a random move, and what is learned then.
    random: (f64, Target),
}

/// A student and its games.
struct Td<'t, S: Student> {
    games: Games<'t, S>,
    student: S,
    /// A copy that plays while the student learns, if the student learns game by game.
    player: Option<S>,
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
    let (learning, of, players) = (training.game.learning(), training.evaluation(), &training.searchers());
    if training.is_of_bags() {
        let BagLessons { form, first, games: lessons } = learning.bag_lessons(of, players)?;
        let luck = Stream::new(training.seed) / "training" / "weights";
        let first = first.map_or_else(|| BagNetwork::random(form.kinds, luck), Arc::unwrap_or_clone);
        let student = BagLearner::new(first, settings);
        let player = (pool.current_num_threads() > 1 && batch > 1).then(|| student.clone());
        return Ok(Box::new(Td { games: Games { training, lessons, random }, student, player, batch, pool }));
    }
    if let Form::Network(form, layers) = training.form()? {
        let NetworkLessons { seen, games: lessons, .. } = learning.network_lessons(of, players)?;
        let luck = Stream::new(training.seed) / "training" / "weights";
        let network = Network::random(form.inputs, &layers, luck)
            .map_err(|problem| TrainingError::Samples { training: training.name.clone(), problem })?;
        let student = NetworkLearner::new(network, seen, settings, options.optimiser);
        return Ok(Box::new(Td {
            games: Games { training, lessons, random },
            student,
            player: None,
            batch,
            pool,
        }));
    }
    let TupleLessons { sum, seen, games: lessons } = learning.tuple_lessons(of, players)?;
    let student = Learner::new(sum, seen, settings);
    let player = (pool.current_num_threads() > 1 && batch > 1).then(|| student.clone());
    Ok(Box::new(Td { games: Games { training, lessons, random }, student, player, batch, pool }))
}

impl<S: Student> Games<'_, S> {
    fn play(&self, student: &S, game: u64) -> Result<Episode<S::Seen>, PlayError> {
        let Self { training, lessons, random } = self;
        let luck = Stream::new(training.seed) / "training" / "games";
        let opponents = training.players.len() as u64;
        let opponent =
            (opponents > 0).then(|| ((game / 2 % opponents) as usize, Player::new((1 - game % 2) as u8)));
        playing(|| lessons.play(student, *random, opponent, (luck / game, training.limits)))
    }
}

impl<S: Student> Td<'_, S> {
    /// Plays a batch, and then learns it.
    fn one_after_the_other(
        &mut self,
        batch: Range<u64>,
        done: impl Fn(usize) -> f64 + Send,
    ) -> Result<(), PlayError> {
        let Self { games, student, pool, .. } = self;
        let play = |game| games.play(student, game);
        let episodes: Result<Vec<_>, _> = if pool.current_num_threads() == 1 {
            batch.map(play).collect()
        } else {
            pool.install(|| batch.into_par_iter().map(play).collect())
        };
        let episodes = episodes?;
        pool.install(|| student.learn_batch(&episodes, done));
        Ok(())
    }

    /// Plays a batch by `player`, and learns each game once it and those before it are over. Every thread learns what is
    /// ready, and else plays.
    fn side_by_side(
        &mut self,
        player: &S,
        batch: Range<u64>,
        done: impl Fn(usize) -> f64 + Sync,
    ) -> Result<(), PlayError> {
        let Self { games, student, pool, .. } = self;
        let played: Vec<_> = batch.clone().map(|_| OnceLock::new()).collect();
        let (next, learning) = (AtomicUsize::new(0), Mutex::new((student, 0)));
        let learn_ready = |(student, learned): &mut (&mut S, usize)| {
            while let Some(Ok(episode)) = played.get(*learned).and_then(OnceLock::get) {
                student.learn_batch(std::slice::from_ref(episode), |_| done(*learned));
                *learned += 1;
            }
        };
        pool.broadcast(|_| {
            loop {
                if let Ok(mut learning) = learning.try_lock() {
                    learn_ready(&mut learning);
                }
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = played.get(number) else { break };
                slot.get_or_init(|| games.play(player, batch.start + number as u64));
            }
            learn_ready(&mut learning.lock().unwrap_or_else(PoisonError::into_inner));
        });
        played.into_iter().filter_map(OnceLock::into_inner).find_map(Result::err).map_or(Ok(()), Err)
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

    fn learn(&mut self, batch: Range<u64>, _: &mut Trained) -> Result<(), TrainingError> {
        let training = self.games.training;
        let done = |number: usize| (batch.start + number as u64) as f64 / training.games as f64;
        let played = match self.player.take() {
            Some(mut player) => {
                player.play_like(&self.student);
                let played = self.side_by_side(&player, batch.clone(), done);
                self.player = Some(player);
                played
            }
            None => self.one_after_the_other(batch.clone(), done),
        };
        played.map_err(|error| failed(training, batch.start, error))?;
        if self.student.is_finite() {
            return Ok(());
        }
        let reason =
            format!("the weights are no numbers any more after {} games; write smaller steps", batch.end);
        Err(TrainingError::Samples {
            training: training.name.clone(),
            problem: Problem::new("method", reason),
        })
    }
}
