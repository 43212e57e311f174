//! What is learned from the samples of games, epoch by epoch: dense layers, or weights of n-tuples by least squares, whose
//! epochs are steps of conjugate gradients.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::games::Games;
use super::run::{Lesson, TrainingError, TrainingProgress};
use super::trained::{KeptErrors, Trained};
use crate::experiment::manifest::dense::{DenseOptions, Keep};
use crate::experiment::manifest::form::Form;
use crate::experiment::manifest::training::LeastSquaresOptions;
use crate::experiment::manifest::training::Training;
use crate::learn::{Diverged, LeastSquares, Network, Samples, Set, Trainer, TupleSamples};
use crate::rng::Stream;

/// What learns.
enum Fit {
    Dense(Box<Trainer>),
    Squares(Box<LeastSquares>),
}

/// What learns from samples.
struct Sampled<'t> {
    training: &'t Training,
    keep: Keep,
    fit: Fit,
    pool: rayon::ThreadPool,
    /// The games with and without samples.
    games: (u64, u64),
}

/// Plays the games, or reads them, and makes their samples for dense layers; `None` if it was stopped.
pub(super) fn dense<'t>(
    training: &'t Training,
    options: &DenseOptions,
    folder: &Path,
    pool: rayon::ThreadPool,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainingProgress),
) -> Result<Option<Box<dyn Lesson + 't>>, TrainingError> {
    let refused = |problem| TrainingError::Samples { training: training.name.clone(), problem };
    let Some(games) = Games::read_or_play(training, folder, &pool, stop, progress)? else {
        return Ok(None);
    };
    let Form::Network(form, layers) = training.form()? else { unreachable!("dense layers are a network") };
    let sampler = training.game.learning().network_sampler(training.evaluation())?;
    let mut samples = Samples::new(form.inputs);
    let made = |transcript: &str, _| sampler.samples(transcript);
    let skipped = games.samples((training, &pool), stop, progress, made, |sample, number| {
        if sample.ply > training.random_plies {
            samples.push(&sample.input, options.target.of(sample.outcome), number);
        }
        samples.len() * form.inputs
    })?;
    let Some(skipped) = skipped else { return Ok(None) };
    let luck = Stream::new(training.seed) / "training";
    let network = Network::random(form.inputs, &layers, luck / "weights").map_err(refused)?;
    let settings = options.settings().map_err(refused)?;
    let trainer = Trainer::new(network, settings, Arc::new(samples), luck / "samples").map_err(refused)?;
    let (fit, games) = (Fit::Dense(trainer.into()), (games.transcripts.len() as u64 - skipped, skipped));
    Ok(Some(Box::new(Sampled { training, keep: options.keep, fit, pool, games })))
}

/// The same for least squares.
pub(super) fn squares<'t>(
    training: &'t Training,
    options: &LeastSquaresOptions,
    folder: &Path,
    pool: rayon::ThreadPool,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainingProgress),
) -> Result<Option<Box<dyn Lesson + 't>>, TrainingError> {
    let refused = |problem| TrainingError::Samples { training: training.name.clone(), problem };
    let Some(games) = Games::read_or_play(training, folder, &pool, stop, progress)? else {
        return Ok(None);
    };
    let sampler = training.game.learning().tuple_sampler(training.evaluation())?;
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
    let squares = pool.install(|| {
        LeastSquares::new(samples, sampler.weights(), options.l2, options.split().map_err(refused)?, luck)
            .map_err(refused)
    })?;
    let (fit, games) = (Fit::Squares(squares.into()), (games.transcripts.len() as u64 - skipped, skipped));
    Ok(Some(Box::new(Sampled { training, keep: options.keep, fit, pool, games })))
}

impl Sampled<'_> {
    /// The weights that are kept, and their epoch: the best ones, or the last.
    fn kept<W>(&self, best: Option<(u32, W)>, last: (u32, W)) -> (u32, W) {
        best.filter(|_| self.keep == Keep::Best).unwrap_or(last)
    }

    /// The errors of the weights that are kept.
    fn errors(&self, epochs: u32) -> KeptErrors {
        match &self.fit {
            Fit::Dense(fit) => {
                let (epoch, network) = self.kept(fit.best(), (epochs, fit.network()));
                let of = |set| fit.errors_of(network, set);
                KeptErrors::new(epoch, self.games, of, fit.errors_of_mean(Set::Test))
            }
            Fit::Squares(fit) => {
                let (epoch, weights) = self.kept(fit.best(), (epochs, fit.weights()));
                let of = |set| fit.errors_of(weights, set);
                KeptErrors::new(epoch, self.games, of, fit.errors_of_mean(Set::Test))
            }
        }
    }
}

impl Lesson for Sampled<'_> {
    fn step(&self) -> u64 {
        1
    }

    fn state(&self) -> Vec<f64> {
        match &self.fit {
            Fit::Dense(fit) => {
                let (_, kept) = self.kept(fit.best(), (0, fit.network()));
                kept.parameters().iter().copied().map(f64::from).chain(fit.state()).collect()
            }
            Fit::Squares(fit) => {
                let (_, kept) = self.kept(fit.best(), (0, fit.weights()));
                kept.iter().copied().chain(fit.state()).collect()
            }
        }
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        match &mut self.fit {
            Fit::Dense(fit) => {
                let kept = fit.network().parameters().len();
                state.get(kept..).is_some_and(|state| fit.restore(state))
            }
            Fit::Squares(fit) => {
                let kept = fit.weights().len();
                state.get(kept..).is_some_and(|state| fit.restore(state))
            }
        }
    }

    fn learn(&mut self, epochs: Range<u64>, trained: &mut Trained) -> Result<(), TrainingError> {
        let training = self.training;
        let diverged = |error| TrainingError::Diverged { training: training.name.clone(), error };
        let is_last = epochs.end == training.length();
        for _ in epochs {
            let epoch = self.pool.install(|| match &mut self.fit {
                Fit::Dense(fit) => fit.epoch(),
                Fit::Squares(fit) => Ok(fit.iterate()),
            });
            trained.epochs.push(epoch.map_err(diverged)?);
        }
        if is_last {
            let epoch = trained.epochs.len() as u32;
            let kept = self.pool.install(|| self.errors(epoch));
            let is_dense = matches!(self.fit, Fit::Dense(_));
            if is_dense && kept.test.is_some_and(|errors| !errors.loss.is_finite()) {
                return Err(diverged(Diverged { epoch }));
            }
            trained.kept = Some(kept);
        }
        Ok(())
    }
}
