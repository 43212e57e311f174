//! The games of a training, in batches, on many threads.
//!
//! The games of a batch are played with the same weights, and learned in their order. So the threads that play them change
//! nothing, and a training goes on from any batch.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::checkpoint;
use super::judge::judge;
use super::trained::{Trained, WEIGHTS};
use crate::experiment::manifest::training::Training;
use crate::experiment::store::draft::write_synced;
use crate::experiment::trial::play::Playing;
use crate::game::Player;
use crate::learn::{Episode, Learner};
use crate::players::{FitError, Lessons, PlayError};
use crate::rng::Stream;
use crate::search::Clock;

/// The time between two checkpoints.
const BETWEEN: Duration = Duration::from_secs(5);

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
    /// The checkpoint is of another training.
    #[error(
        "{}: this checkpoint is of another training than the manifest states now; --restart moves the results aside and \
         starts again",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is damaged.
    #[error("{}: this checkpoint is damaged ({reason}); restore it, or start again with --restart", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: &'static str,
    },
    /// The system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The error of a game.
pub(super) fn failed(training: &Training, games: u64, error: PlayError) -> TrainingError {
    TrainingError::Game { training: training.name.clone(), games, error }
}

/// Plays and learns what is missing of a training, and writes its files to a folder. Once `stop` is set no further batch is
/// learned. `progress` is told the games that were learned.
///
/// # Errors
/// If a game fails, or the system fails.
pub fn train(
    training: &Training,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Trained, TrainingError> {
    let io = |source| TrainingError::Io { path: folder.into(), source };
    fs::create_dir_all(folder).map_err(io)?;
    let mut trained = Trained::read(training, folder)?;
    let lessons = training.lessons()?;
    let (settings, batch) = training.method();
    let mut learner = lessons.learner(settings);
    if trained.state.is_empty() {
        trained.state = learner.state();
    } else if !learner.restore(&trained.state) {
        return Err(TrainingError::Other { path: folder.into() });
    }
    let clock = Clock::start();
    let mut saved = Duration::ZERO;
    while !trained.is_whole(training) {
        progress(trained.games);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let Some(of) = training.judge.as_ref().filter(|_| is_due(training, batch, &trained)) {
            trained.curve.extend(judge(training, of, &trained, threads, stop)?);
            continue;
        }
        let end = (trained.games + batch).min(training.games);
        let games: Vec<u64> = (trained.games..end).collect();
        let episodes = play(training, &*lessons, &learner, &games, threads);
        let episodes = episodes.map_err(|error| failed(training, trained.games, error))?;
        for (game, episode) in games.iter().zip(&episodes) {
            learner.learn(episode, *game as f64 / training.games as f64);
        }
        trained.games = end;
        if clock.elapsed() > saved + BETWEEN || trained.games == training.games {
            saved = clock.elapsed();
            trained.state = learner.state();
            checkpoint::write(training, folder, &trained).map_err(io)?;
        } else if training.judge.is_some() && is_due(training, batch, &trained) {
            trained.state = learner.state();
        }
    }
    trained.state = learner.state();
    checkpoint::write(training, folder, &trained).map_err(io)?;
    write_synced(&folder.join("curve.csv"), &trained.curve_csv(training)).map_err(io)?;
    if trained.is_whole(training) {
        write_synced(&folder.join(WEIGHTS), trained.weights().as_bytes()).map_err(io)?;
    }
    Ok(trained)
}

/// Whether the weights are to be judged before the next batch: at the first batch behind each multiple, and at the end.
fn is_due(training: &Training, batch: u64, trained: &Trained) -> bool {
    let every = training.judge.as_ref().and_then(|judge| judge.every);
    let before = trained.games.saturating_sub(batch);
    let is_multiple = every.is_some_and(|every| trained.games / every > before / every);
    (trained.games == training.games || is_multiple) && trained.judgement().is_none()
}

/// The games of a batch, in their order.
fn play(
    training: &Training,
    lessons: &dyn Lessons,
    learner: &Learner,
    games: &[u64],
    threads: usize,
) -> Result<Vec<Episode>, PlayError> {
    let luck = Stream::new(training.seed) / "training" / "games";
    let one = |&game: &u64| -> Result<Episode, PlayError> {
        let opponents = training.against.len() as u64;
        let opponent =
            (opponents > 0).then(|| ((game / 2 % opponents) as usize, Player::new((1 - game % 2) as u8)));
        let _playing = Playing::begin();
        let play = || lessons.play(learner, opponent, luck / game, training.limits);
        catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|payload| Err(PlayError::from_panic(&*payload)))
    };
    let threads = threads.clamp(1, games.len());
    if threads == 1 {
        return games.iter().map(one).collect();
    }
    let parts = std::thread::scope(|scope| {
        let part = |games| scope.spawn(move || games_of(games, &one));
        let parts: Vec<_> = games.chunks(games.len().div_ceil(threads)).map(part).collect();
        parts.into_iter().map(|part| part.join().expect("panics are caught")).collect::<Result<Vec<_>, _>>()
    });
    Ok(parts?.concat())
}

/// Some games, one after the other.
fn games_of(
    games: &[u64],
    play: &impl Fn(&u64) -> Result<Episode, PlayError>,
) -> Result<Vec<Episode>, PlayError> {
    games.iter().map(play).collect()
}
