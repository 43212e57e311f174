//! How good the weights are, in games that are not learned.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::run::{TrainingError, failed};
use super::trained::{Judgement, Trained};
use crate::experiment::manifest::openings::Openings;
use crate::experiment::manifest::optimisation::{Judge, Seat};
use crate::experiment::manifest::training::Training;
use crate::experiment::trial::tally::Tally;
use crate::experiment::trial::unit::Unit;
use crate::players::{PlayError, SearcherSpec};
use crate::rng::Stream;

/// The player of the weights so far: at one ply, without knowing the end.
fn player(training: &Training, trained: &Trained) -> SearcherSpec {
    let (evaluation, random) = (&trained.form.evaluation, training.judged_random);
    let text = format!("greedy(evaluation={evaluation},finished=evaluation,epsilon={random:?})");
    let mut player = training.game.read_searcher(&text).expect("the searcher is in every registry");
    let weights = trained.weights();
    let filled = player.options.change_files(&mut |_, file| {
        if file.name() == "weights" {
            *file = file.clone().with_content(weights.clone());
        }
        Ok::<(), std::convert::Infallible>(())
    });
    filled.unwrap_or_else(|error| match error {});
    player
}

/// The games of the judge; `None` if they were stopped.
pub(super) fn judge(
    training: &Training,
    judge: &Judge,
    trained: &Trained,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Judgement>, TrainingError> {
    let players = std::iter::once(player(training, trained));
    let players: Vec<_> = players.chain(judge.against.iter().map(|player| player.searcher.clone())).collect();
    let tables =
        training.game.prepare(&players).map_err(|unfit| failed(training, trained.done, unfit.error))?;
    let openings = judge.openings.as_ref().unwrap_or(&Openings::START);
    let luck = Stream::new(training.seed) / "training" / "judge" / trained.done;
    let (next, units) = (AtomicU64::new(0), judge.units * judge.against.len() as u64);
    let work = || -> Result<Vec<Tally>, PlayError> {
        let mut sums = vec![Tally::default(); judge.against.len()];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= units || stop.load(Ordering::Relaxed) {
                return Ok(sums);
            }
            let (opponent, unit) = ((number / judge.units) as usize, number % judge.units);
            let unit = Unit {
                game: &*training.game,
                limits: training.limits,
                tables: &*tables,
                players: (0, Some(1 + opponent)),
                seat: Seat::Both,
                openings,
                opening: unit,
                luck: luck / opponent as u64 / unit,
            };
            sums[opponent] += unit.play()?;
        }
    };
    let mut against = vec![Tally::default(); judge.against.len()];
    let sums = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("panics are caught")).collect::<Vec<_>>()
    });
    for sums in sums {
        let sums = sums.map_err(|error| failed(training, trained.done, error))?;
        against.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
    Ok((!stop.load(Ordering::Relaxed)).then_some(Judgement { done: trained.done, against }))
}
