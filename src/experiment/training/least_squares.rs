//! Least squares: steps of conjugate gradients on the samples of games.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::games::Games;
use super::run::{Lesson, TrainingError, TrainingProgress};
use super::trained::{KeptErrors, Trained};
use crate::experiment::manifest::dense::Keep;
use crate::experiment::manifest::least_squares::LeastSquaresOptions;
use crate::experiment::manifest::training::Training;
use crate::learn::{LeastSquares, Set, TupleSamples};
use crate::rng::Stream;

/// Least squares with their samples.
pub(super) struct Squares<'t> {
    training: &'t Training,
    keep: Keep,
    fit: LeastSquares,
    pool: Arc<rayon::ThreadPool>,
    games: u64,
    skipped: u64,
}

impl<'t> Squares<'t> {
    /// Plays the games, or reads them, and makes their samples; `None` if it was stopped.
    pub(super) fn new(
        training: &'t Training,
        options: &LeastSquaresOptions,
        folder: &Path,
        pool: rayon::ThreadPool,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(TrainingProgress),
    ) -> Result<Option<Self>, TrainingError> {
        let refused = |problem| TrainingError::Samples { training: training.name.clone(), problem };
        let Some(games) = Games::read_or_play(training, folder, &pool, stop, progress)? else {
            return Ok(None);
        };
        let sampler = training.tuple_sampler()?;
        let mut samples = TupleSamples::default();
        let luck = Stream::new(training.seed) / "training" / "samples";
        let made = |transcript: &str, number: u64| match options.solved as u32 {
            0 => sampler.samples(transcript),
            most => sampler.solved(transcript, most, options.detour as u32, luck / "solved" / number),
        };
        let skipped = games.samples((training, &pool), stop, progress, made, |sample, number| {
            if sample.ply > training.random_plies {
                samples.indices.extend_from_slice(&sample.indices);
                samples.targets.push(options.target.of(sample.outcome));
                samples.games.push(number);
            }
            samples.indices.len()
        })?;
        let Some(skipped) = skipped else { return Ok(None) };
        let luck = luck / "split";
        let fit = pool.install(|| {
            LeastSquares::new(samples, sampler.weights(), options.l2, options.split().map_err(refused)?, luck)
                .map_err(refused)
        })?;
        let games = games.transcripts.len() as u64 - skipped;
        Ok(Some(Self { training, keep: options.keep, fit, pool: Arc::new(pool), games, skipped }))
    }

    /// The weights that are kept, and their iteration.
    fn kept(&self) -> Option<(u32, &[f64])> {
        if self.keep == Keep::Best { self.fit.best() } else { None }
    }

    /// The errors of the weights that are kept.
    fn errors(&self, iterations: u32) -> KeptErrors {
        let (epoch, weights) = self.kept().unwrap_or((iterations, self.fit.weights()));
        let of = |set| self.fit.errors_of(weights, set);
        KeptErrors::new(epoch, (self.games, self.skipped), of, self.fit.errors_of_mean(Set::Test))
    }
}

impl Lesson for Squares<'_> {
    fn step(&self) -> u64 {
        1
    }

    fn state(&self) -> Vec<f64> {
        let kept = self.kept().map_or(self.fit.weights(), |(_, weights)| weights);
        kept.iter().copied().chain(self.fit.state()).collect()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let kept = self.fit.weights().len();
        state.get(kept..).is_some_and(|state| self.fit.restore(state))
    }

    fn learn(&mut self, iterations: Range<u64>, trained: &mut Trained) -> Result<(), TrainingError> {
        let is_last = iterations.end == self.training.length();
        let pool = self.pool.clone();
        for _ in iterations {
            trained.epochs.push(pool.install(|| self.fit.iterate()));
        }
        if is_last {
            let iteration = trained.epochs.len() as u32;
            trained.kept = Some(pool.install(|| self.errors(iteration)));
        }
        Ok(())
    }
}
