//! The run of a race.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::meetings::{Meetings, greedy, pool};
use super::{Race, Trained, TrainingError, TrainingProgress, failed};
use crate::experiment::trial::Tally;
use crate::manifest::{Openings, Training};
use crate::players::Place;
use crate::rng::Stream;

/// The pairs of games that count for a candidate against each other one, and the chance of a random move there: players at one ply
/// repeat their games without. Two candidates meet twice, and each meeting counts for one of them.
const PAIRS: u64 = 12;
const RANDOM: f64 = 0.1;

/// The training by the settings that win its race, which is run if its folder has none; `None` if it was stopped.
pub(super) fn chosen(
    training: &Training,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainingProgress),
) -> Result<Option<Training>, TrainingError> {
    let count = training.candidates.len();
    if count == 0 {
        return Ok(Some(training.clone()));
    }
    if let Some(race) = Race::read(training, folder)? {
        return Ok(Some(training.by(race.winner())));
    }
    let games = training.race_games();
    let mut players = Vec::new();
    for number in 0..count {
        let mut show = |done: u64| {
            let (done, of) = (number as u64 * games + done, count as u64 * games);
            progress(TrainingProgress { unit: "raced game", done, of });
        };
        let candidate = training.by(number);
        match learned(&candidate, folder, threads, stop, &mut show) {
            Ok(Some(state)) => {
                let trained = Trained { state, ..Trained::nothing(&candidate)? };
                players.push(greedy(&candidate, &trained, RANDOM));
            }
            Err(error) if !error.is_stop() => return Err(error),
            Ok(None) | Err(_) => return Ok(None),
        }
    }
    let others = |one: usize| (0..count).filter(move |&other| other != one).map(move |other| [one, other]);
    let meetings = Meetings {
        done: 0,
        between: (0..count).flat_map(others).collect(),
        units: PAIRS,
        openings: &Openings::START,
        luck: Stream::new(training.seed) / "training" / "race" / "meetings",
    };
    let results = match meetings.play(training, &players, threads, stop) {
        Err(error) if !error.is_stop() => return Err(error),
        Ok(results) if !stop.load(Ordering::Relaxed) => results,
        _ => return Ok(None),
    };
    let sum = |of_one: &[Tally]| of_one.iter().copied().sum();
    let race = Race { games, against: results.chunks(count - 1).map(sum).collect() };
    race.write(training, folder).map_err(|source| TrainingError::Io { path: folder.into(), source })?;
    Ok(Some(training.by(race.winner())))
}

/// The numbers of a candidate after the games of a race; `None` if it was stopped.
fn learned(
    candidate: &Training,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    show: &mut dyn FnMut(u64),
) -> Result<Option<Vec<f64>>, TrainingError> {
    let pool = pool(threads).map_err(|source| TrainingError::Io { path: folder.into(), source })?;
    let (games, limits) = (candidate.race_games(), candidate.limits);
    let luck = Stream::new(candidate.seed) / "training" / "race";
    let transcripts = Box::new(std::iter::empty());
    let place = Place { luck, games, random_plies: 0, limits, pool, transcripts };
    let learning = candidate.learnable(&candidate.searchers()).and_then(|learnable| (learnable.begin)(place));
    let mut learning = learning.map_err(|error| failed(candidate, 0, error))?;
    let mut done = 0;
    while done < games {
        show(done);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let end = (done + learning.step()).min(games);
        learning.learn(done..end).map_err(|error| failed(candidate, done, error))?;
        done = end;
    }
    Ok(Some(learning.state()))
}
