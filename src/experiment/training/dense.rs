//! Dense layers: epochs over the samples of games.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::games::Games;
use super::run::{Lesson, TrainingError, TrainingProgress};
use super::trained::{KeptErrors, Trained};
use crate::experiment::manifest::dense::{DenseOptions, Keep};
use crate::experiment::manifest::form::Form;
use crate::experiment::manifest::training::Training;
use crate::learn::{Diverged, Network, Samples, Set, Trainer};
use crate::rng::Stream;

/// A trainer with its samples.
pub(super) struct Dense<'t> {
    training: &'t Training,
    keep: Keep,
    trainer: Trainer,
    pool: rayon::ThreadPool,
    games: u64,
    skipped: u64,
}

impl<'t> Dense<'t> {
    /// Plays the games, or reads them, and makes their samples; `None` if it was stopped.
    pub(super) fn new(
        training: &'t Training,
        options: &DenseOptions,
        folder: &Path,
        pool: rayon::ThreadPool,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(TrainingProgress),
    ) -> Result<Option<Self>, TrainingError> {
        let refused = |problem| TrainingError::Samples { training: training.name.clone(), problem };
        let Some(games) = Games::read_or_play(training, folder, &pool, stop, progress)? else {
            return Ok(None);
        };
        let Form::Network(form, layers) = training.form()? else {
            unreachable!("dense layers are a network")
        };
        let sampler = training.sampler()?;
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
        let trainer =
            Trainer::new(network, settings, Arc::new(samples), luck / "samples").map_err(refused)?;
        let games = games.transcripts.len() as u64 - skipped;
        Ok(Some(Self { training, keep: options.keep, trainer, pool, games, skipped }))
    }

    /// The network that is kept, and its epoch.
    fn kept(&self) -> Option<(u32, &Network)> {
        if self.keep == Keep::Best { self.trainer.best() } else { None }
    }

    /// The errors of the network that is kept.
    fn errors(&self, epochs: u32) -> KeptErrors {
        let (epoch, network) = self.kept().unwrap_or((epochs, self.trainer.network()));
        let of = |set| self.trainer.errors_of(network, set);
        KeptErrors::new(epoch, (self.games, self.skipped), of, self.trainer.errors_of_mean(Set::Test))
    }
}

impl Lesson for Dense<'_> {
    fn step(&self) -> u64 {
        1
    }

    fn state(&self) -> Vec<f64> {
        let kept = self.kept().map_or(self.trainer.network(), |(_, network)| network);
        kept.parameters().iter().copied().map(f64::from).chain(self.trainer.state()).collect()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let kept = self.trainer.network().parameters().len();
        state.get(kept..).is_some_and(|state| self.trainer.restore(state))
    }

    fn learn(&mut self, epochs: Range<u64>, trained: &mut Trained) -> Result<(), TrainingError> {
        let diverged = |error| TrainingError::Diverged { training: self.training.name.clone(), error };
        let is_last = epochs.end == self.training.length();
        for _ in epochs {
            let Self { pool, trainer, .. } = self;
            trained.epochs.push(pool.install(|| trainer.epoch()).map_err(diverged)?);
        }
        if is_last {
            let epoch = trained.epochs.len() as u32;
            let kept = self.pool.install(|| self.errors(epoch));
            if kept.test.is_some_and(|errors| !errors.loss.is_finite()) {
                return Err(diverged(Diverged { epoch }));
            }
            trained.kept = Some(kept);
        }
        Ok(())
    }
}
