//! Games that are not learned, of the learner as a player at one ply, and the threads that play them.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Trained, TrainingError, failed};
use crate::experiment::trial::{Tally, Unit};
use crate::manifest::{Openings, Seat, Training};
use crate::players::{PlayError, SearcherSpec};
use crate::rng::Stream;

/// A pool of so many threads.
pub(super) fn pool(threads: usize) -> io::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)
}

/// The player of the weights so far: at one ply, without knowing the end, and with this chance of a random move.
pub(super) fn greedy(training: &Training, trained: &Trained, random: f64) -> SearcherSpec {
    let evaluation = &trained.form.evaluation;
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

/// Games between players that are not learned.
pub(super) struct Meetings<'m> {
    /// The games that were learned before.
    pub(super) done: u64,
    /// The players of each meeting, by their numbers.
    pub(super) between: Vec<[usize; 2]>,
    /// The pairs of games of each.
    pub(super) units: u64,
    pub(super) openings: &'m Openings,
    pub(super) luck: Stream,
}

impl Meetings<'_> {
    /// Plays them, until `stop` is set. Returns the results of the first player of each.
    pub(super) fn play(
        &self,
        training: &Training,
        players: &[SearcherSpec],
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<Tally>, TrainingError> {
        let tables = training.game.prepare(players);
        let tables = tables.map_err(|unfit| failed(training, self.done, unfit.error))?;
        let (next, count) = (AtomicU64::new(0), self.between.len());
        let work = || -> Result<Vec<Tally>, PlayError> {
            let mut sums = vec![Tally::default(); count];
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.units * count as u64 || stop.load(Ordering::Relaxed) {
                    return Ok(sums);
                }
                let (meeting, unit) = ((number / self.units) as usize, number % self.units);
                let [player, opponent] = self.between[meeting];
                let unit = Unit {
                    game: &*training.game,
                    limits: training.limits,
                    tables: &*tables,
                    players: (player, Some(opponent)),
                    seat: Seat::Both,
                    openings: self.openings,
                    opening: unit,
                    luck: self.luck / meeting as u64 / unit,
                };
                sums[meeting] += unit.play()?;
            }
        };
        let mut all = vec![Tally::default(); count];
        let sums = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().expect("panics are caught")).collect::<Vec<_>>()
        });
        for sums in sums {
            let sums = sums.map_err(|error| failed(training, self.done, error))?;
            all.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
        }
        Ok(all)
    }
}
