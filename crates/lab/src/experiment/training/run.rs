//! The steps of a training: what is learned, checkpoints, and the judge, who plays games that are not learned.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, io};

use super::meetings::{Meetings, greedy, pool};
use super::{
    BETWEEN, Games, Judgement, Trained, TrainingError, TrainingProgress, failed, racing, write_checkpoint,
};
use crate::experiment::store::{CHECKPOINTS, TIMES_FILE, Took, TookWriter, new_aside, write_synced};
use crate::learn::Diverged;
use crate::manifest::{Judge, Openings, Training};
use crate::players::{LearningRun, Place, Source};
use crate::rng::Stream;
use crate::search::{Clock, ProcessClock};

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
    let chosen = racing::chosen(training, folder, threads, stop, progress)?;
    let Some(training) = &chosen else { return Ok(trained) };
    // The rate is of the games of the training, so the time is without the race.
    let mut sitting = Sitting::begin(training, folder, trained.done).map_err(io)?;
    if trained.race.is_none() && !training.candidates.is_empty() {
        trained = Trained::read(training, folder)?;
    }
    if !trained.is_whole(training) {
        let pool = pool(threads).map_err(io)?;
        let of_samples = matches!(training.source(), Source::Samples { .. });
        let games = if of_samples {
            Games::read_or_play(training, folder, &pool, stop, progress)?
        } else {
            Some(Games::default())
        };
        let Some(games) = games else {
            sitting.note(trained.done).map_err(io)?;
            return Ok(trained);
        };
        let &Training { games: count, random_plies, limits, .. } = training;
        let (luck, transcripts) = (Stream::new(training.seed) / "training", games.parts(stop, progress));
        let place = Place { luck, games: count, random_plies, limits, pool, transcripts };
        let learning =
            training.learnable(&training.searchers()).and_then(|learnable| (learnable.begin)(place));
        if of_samples && stop.load(Ordering::Relaxed) {
            sitting.note(trained.done).map_err(io)?;
            return Ok(trained);
        }
        let mut learning = learning.map_err(|error| failed(training, 0, error))?;
        let learned = learn(training, &mut sitting, threads, stop, progress, &mut *learning, &mut trained);
        sitting.note(trained.done).map_err(io)?;
        match learned {
            // Games that were learned after the last checkpoint are learned again.
            Err(error) if error.is_stop() => return Trained::read(training, folder),
            learned => learned?,
        }
    }
    write_checkpoint(training, folder, &trained).map_err(io)?;
    write_synced(&folder.join("curve.csv"), &trained.curve_csv(training)).map_err(io)?;
    if let Some(errors) = trained.errors_csv() {
        write_synced(&folder.join("errors.csv"), errors.as_bytes()).map_err(io)?;
    }
    if trained.is_whole(training) {
        write_synced(&folder.join(trained.form.file), &trained.weights()).map_err(io)?;
    }
    Ok(trained)
}

/// The time of a training since it was begun or resumed, without that of its race.
struct Sitting<'f> {
    folder: &'f Path,
    training: u32,
    writer: TookWriter,
    clock: Clock,
    cpu: ProcessClock,
    done: u64,
}

impl<'f> Sitting<'f> {
    fn begin(training: &Training, folder: &'f Path, done: u64) -> io::Result<Self> {
        let (training, clock, cpu) = (training.id(), Clock::start(), ProcessClock::start());
        Ok(Self { folder, training, writer: TookWriter::open(folder, training)?, clock, cpu, done })
    }

    /// Writes what it took to learn so much, since the last time.
    fn note(&mut self, done: u64) -> io::Result<()> {
        let [wall_ns, cpu_ns] = [self.clock.lap(), self.cpu.lap()].map(|time| time.as_nanos() as u64);
        let count = done.saturating_sub(std::mem::replace(&mut self.done, done));
        self.writer.add(self.training, done, Took { count, wall_ns, cpu_ns });
        self.writer.write()
    }
}

/// Learns until all is learned and judged, or `stop` is set.
fn learn(
    training: &Training,
    sitting: &mut Sitting<'_>,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainingProgress),
    learning: &mut dyn LearningRun,
    trained: &mut Trained,
) -> Result<(), TrainingError> {
    let (length, step, folder) = (training.length(), learning.step(), sitting.folder);
    if lacks_judgements(training, step, trained) {
        // The weights that another judge judged are gone, and are learned again.
        let aside = set_aside(folder).map_err(|source| TrainingError::Io { path: folder.into(), source })?;
        *trained = Trained { aside: Some(aside), race: trained.race.take(), ..Trained::nothing(training)? };
        sitting.done = 0;
    }
    if let Some(of) = training.judge.as_ref().filter(|_| lacks_start(training, trained)) {
        let start = Trained { state: learning.state(), ..Trained::nothing(training)? };
        let judged = judge(training, of, &start, threads, stop)?;
        trained.curve.splice(0..0, judged);
    }
    if trained.state.is_empty() {
        trained.state = learning.state();
    } else if !learning.restore(&trained.state) {
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
            sitting.note(trained.done).map_err(|source| TrainingError::Io { path: folder.into(), source })?;
            continue;
        }
        let end = (trained.done + step).min(length);
        let epoch =
            learning.learn(trained.done..end).map_err(|error| failed(training, trained.done, error))?;
        trained.epochs.extend(epoch);
        trained.done = end;
        if end == length {
            trained.kept = learning.errors();
            if trained.kept.and_then(|kept| kept.test).is_some_and(|errors| !errors.loss.is_finite()) {
                return Err(failed(training, end, Diverged { epoch: end as u32 }));
            }
        }
        if clock.elapsed() > saved + BETWEEN || end == length {
            saved = clock.elapsed();
            trained.state = learning.state();
            let io = |source| TrainingError::Io { path: folder.into(), source };
            write_checkpoint(training, folder, trained)
                .and_then(|()| sitting.note(trained.done))
                .map_err(io)?;
        } else if training.judge.is_some() && is_due(training, step, trained) {
            trained.state = learning.state();
        }
    }
    trained.state = learning.state();
    Ok(())
}

/// Moves the checkpoints of a training, and the times of what they had learned, into a new folder in its own.
fn set_aside(folder: &Path) -> io::Result<PathBuf> {
    let aside = new_aside(folder)?;
    for file in CHECKPOINTS.into_iter().chain([TIMES_FILE]).filter(|file| folder.join(file).exists()) {
        fs::rename(folder.join(file), aside.join(file))?;
    }
    Ok(aside)
}

/// Whether the start of a learner that plays was not judged.
fn lacks_start(training: &Training, trained: &Trained) -> bool {
    training.source() == Source::Games && trained.curve.first().is_none_or(|first| first.done > 0)
}

/// Whether weights before those of the last step were to be judged, and no judgement of them is known.
fn lacks_judgements(training: &Training, step: u64, trained: &Trained) -> bool {
    let every = training.judge.as_ref().and_then(|judge| judge.every);
    let before = trained.done.saturating_sub(1) / step * step;
    let is_start = |judged: &Judgement| judged.done == 0;
    trained.curve.iter().all(is_start) && every.is_some_and(|every| every <= before)
}

/// Whether the weights are to be judged before the next step: at the first step after each multiple, and at the end.
fn is_due(training: &Training, step: u64, trained: &Trained) -> bool {
    let every = training.judge.as_ref().and_then(|judge| judge.every);
    let before = trained.done.saturating_sub(step);
    let is_multiple = every.is_some_and(|every| trained.done / every > before / every);
    (trained.done == training.length() || is_multiple) && trained.judgement().is_none()
}

/// The games of the judge; `None` if they were stopped.
pub(super) fn judge(
    training: &Training,
    judge: &Judge,
    trained: &Trained,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Judgement>, TrainingError> {
    let learner = greedy(training, trained, training.judged_random);
    let opponents = judge.against.iter().map(|player| player.searcher.clone());
    let players: Vec<_> = std::iter::once(learner).chain(opponents).collect();
    let meetings = Meetings {
        done: trained.done,
        between: (1..players.len()).map(|opponent| [0, opponent]).collect(),
        units: judge.units,
        openings: judge.openings.as_ref().unwrap_or(&Openings::START),
        luck: Stream::new(training.seed) / "training" / "judge" / trained.done,
    };
    let against = meetings.play(training, &players, threads, stop)?;
    Ok((!stop.load(Ordering::Relaxed)).then_some(Judgement { done: trained.done, against }))
}
