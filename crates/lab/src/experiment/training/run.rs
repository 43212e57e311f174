//! The steps of a training: what is learned, checkpoints, the judge.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::checkpoint;
use super::judge::judge;
use super::policy_gradient::Policy;
use super::sampled;
use super::td;
use super::trained::Trained;
use crate::experiment::manifest::training::{Training, TrainingMethod};
use crate::experiment::store::draft::write_synced;
use crate::experiment::store::results::{CHECKPOINTS, new_aside};
use crate::learn::{Diverged, Problem};
use crate::players::{FitError, PlayError};
use crate::search::Clock;
use crate::words::shell_path;

/// The time between two checkpoints.
pub(super) const BETWEEN: Duration = Duration::from_secs(5);

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A game could not be played to its end.
    #[error("{training}, after {games} games: {error}")]
    Game {
        /// The name of the training.
        training: String,
        /// The games that were learned.
        games: u64,
        /// Why.
        error: PlayError,
    },
    /// The evaluation or an opponent does not fit the game.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The samples do not fit the settings.
    #[error("{training}: {problem}")]
    Samples {
        /// The name of the training.
        training: String,
        /// The setting, and why.
        problem: Problem,
    },
    /// The errors of a network are no numbers any more.
    #[error("{training}: {error}")]
    Diverged {
        /// The name of the training.
        training: String,
        /// The epoch.
        error: Diverged,
    },
    /// The file is of another training.
    #[error(
        "{}: this file is of another training than the manifest states now; to learn this one, move the file away, name \
         another folder with --out, or move all results aside with --restart",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error(
        "{}: this file is damaged ({reason}); `shikou recover {}` moves it aside, and the next run goes on from the checkpoint \
         before",
        path.display(), shell_path(path.parent().unwrap_or(Path::new("")))
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: &'static str,
    },
    /// The system failed in a game.
    #[error(transparent)]
    System(io::Error),
    /// The system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl TrainingError {
    /// Whether a game was stopped.
    pub(super) fn is_stop(&self) -> bool {
        matches!(self, Self::Game { error, .. } if error.is_stop())
    }
}

/// The error of a game.
pub(super) fn failed(training: &Training, games: u64, error: PlayError) -> TrainingError {
    match error.of_system() {
        Some(error) => TrainingError::System(error),
        None => TrainingError::Game { training: training.name.clone(), games, error },
    }
}

/// How far a training is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingProgress {
    /// What is counted: `game`, `sampled game`, `deal` or `epoch`.
    pub unit: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are.
    pub of: u64,
}

/// What is learned in steps.
pub(super) trait Lesson {
    /// The games, deals or epochs of a step.
    fn step(&self) -> u64;

    /// All numbers that later steps depend on; the weights are the first.
    fn state(&self) -> Vec<f64>;

    /// Takes over a state. Returns whether it fits.
    fn restore(&mut self, state: &[f64]) -> bool;

    /// Learns these games or epochs, and adds to the learning curves.
    fn learn(&mut self, step: Range<u64>, trained: &mut Trained) -> Result<(), TrainingError>;
}

/// Plays and learns what is missing of a training, and writes its files to a folder. Once `stop` is set no further step is
/// learned. `progress` is told before each step.
///
/// # Errors
/// If a game fails, the samples do not fit the settings, or the system fails.
pub fn train(
    training: &Training,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainingProgress),
) -> Result<Trained, TrainingError> {
    let io = |source| TrainingError::Io { path: folder.into(), source };
    fs::create_dir_all(folder).map_err(io)?;
    let mut trained = Trained::read(training, folder)?;
    if !trained.is_whole(training) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| io(io::Error::other(error)))?;
        let lesson: Option<Box<dyn Lesson>> = match training.method() {
            TrainingMethod::Td(options) => Some(td::lesson(training, &options, pool)?),
            TrainingMethod::PolicyGradient(options) => Some(Box::new(Policy::new(training, &options, pool)?)),
            TrainingMethod::Dense(options) => {
                sampled::dense(training, &options, folder, pool, stop, progress)?
            }
            TrainingMethod::LeastSquares(options) => {
                sampled::squares(training, &options, folder, pool, stop, progress)?
            }
        };
        let Some(mut lesson) = lesson else { return Ok(trained) };
        match learn(training, folder, threads, stop, progress, &mut *lesson, &mut trained) {
            // Games that were learned after the last checkpoint are learned again.
            Err(error) if error.is_stop() => return Trained::read(training, folder),
            learned => learned?,
        }
    }
    checkpoint::write(training, folder, &trained).map_err(io)?;
    write_synced(&folder.join("curve.csv"), &trained.curve_csv(training)).map_err(io)?;
    if let Some(errors) = trained.errors_csv() {
        write_synced(&folder.join("errors.csv"), errors.as_bytes()).map_err(io)?;
    }
    if trained.is_whole(training) {
        write_synced(&folder.join(trained.form.file()), &trained.weights()).map_err(io)?;
    }
    Ok(trained)
}

/// Learns until all is learned and judged, or `stop` is set.
fn learn(
    training: &Training,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainingProgress),
    lesson: &mut dyn Lesson,
    trained: &mut Trained,
) -> Result<(), TrainingError> {
    let (length, step) = (training.length(), lesson.step());
    if lacks_judgements(training, step, trained) {
        // The weights that another judge judged are gone, and are learned again.
        let aside = set_aside(folder).map_err(|source| TrainingError::Io { path: folder.into(), source })?;
        *trained = Trained { aside: Some(aside), ..Trained::nothing(training)? };
    }
    if trained.state.is_empty() {
        trained.state = lesson.state();
    } else if !lesson.restore(&trained.state) {
        return Err(TrainingError::Other { path: folder.into() });
    }
    let clock = Clock::start();
    let mut saved = Duration::ZERO;
    while !trained.is_whole(training) {
        progress(TrainingProgress { unit: trained.unit, done: trained.done, of: length });
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let Some(of) = training.judge.as_ref().filter(|_| is_due(training, step, trained)) {
            trained.curve.extend(judge(training, of, trained, threads, stop)?);
            continue;
        }
        let end = (trained.done + step).min(length);
        lesson.learn(trained.done..end, trained)?;
        trained.done = end;
        if clock.elapsed() > saved + BETWEEN || end == length {
            saved = clock.elapsed();
            trained.state = lesson.state();
            let io = |source| TrainingError::Io { path: folder.into(), source };
            checkpoint::write(training, folder, trained).map_err(io)?;
        } else if training.judge.is_some() && is_due(training, step, trained) {
            trained.state = lesson.state();
        }
    }
    trained.state = lesson.state();
    Ok(())
}

/// Moves the checkpoints of a training into a new folder in its own.
fn set_aside(folder: &Path) -> io::Result<PathBuf> {
    let aside = new_aside(folder)?;
    for file in CHECKPOINTS.into_iter().filter(|file| folder.join(file).exists()) {
        fs::rename(folder.join(file), aside.join(file))?;
    }
    Ok(aside)
}

/// Whether weights before those of the last step were to be judged, and no judgement of them is known.
fn lacks_judgements(training: &Training, step: u64, trained: &Trained) -> bool {
    let every = training.judge.as_ref().and_then(|judge| judge.every);
    let before = trained.done.saturating_sub(1) / step * step;
    trained.curve.is_empty() && every.is_some_and(|every| every <= before)
}

/// Whether the weights are to be judged before the next step: at the first step after each multiple, and at the end.
fn is_due(training: &Training, step: u64, trained: &Trained) -> bool {
    let every = training.judge.as_ref().and_then(|judge| judge.every);
    let before = trained.done.saturating_sub(step);
    let is_multiple = every.is_some_and(|every| trained.done / every > before / every);
    (trained.done == training.length() || is_multiple) && trained.judgement().is_none()
}
