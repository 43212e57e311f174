//! Trials of one cell in lock-step: their searches ask for playouts together, so that single playouts share vector lanes.
//!
//! Each trial is, to the bit, the same as alone, except for its times: each search gets an equal share of a round's
//! time. Long decisions are kept as they are alone.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{GameRecord, Place, Record, Step, TrialGame, TrialNotes, Unfinished, trial_game};
use crate::experiment::plan::{Plan, Trial};
use crate::game::{Outcome, Player};
use crate::players::{LockStep, PlayError, Playing, Table, caught};
use crate::rng::Rng;
use crate::search::{Clock, SearchError, Spent, ThreadClock, searches_are_abandoned};

/// Plays trials of one cell and one game in lock-step, and calls `moved` for each move with the player and the
/// nanoseconds.
///
/// The processor time is divided equally among the records. The time of a move is the sum of its shares of its rounds.
///
/// # Errors
/// If trials have no result: `stop` was set and decisions were kept before all were over, or the system failed. Then no trial
/// counts as finished.
pub(crate) fn play_in_lock_step(
    plan: &Plan,
    trials: &[Trial],
    stop: &AtomicBool,
    resume: Option<&Unfinished>,
    moved: &mut dyn FnMut(usize, u64, u64),
) -> Result<Vec<Record>, PlayError> {
    let Some(&Trial { experiment, cell, instance }) = trials.first() else { return Ok(Vec::new()) };
    assert!(
        trials.iter().all(|trial| (trial.experiment, trial.cell) == (experiment, cell)),
        "trials in lock-step are of one cell"
    );
    let mut clock = ThreadClock::start();
    let record = |&trial: &Trial| Record { trial, games: arrayvec::ArrayVec::new(), cpu_ns: 0 };
    let mut records: Vec<Record> = trials.iter().map(record).collect();
    let notes = trials.iter().map(|&trial| resume.and_then(|resume| resume.notes(trial, stop)));
    let mut notes: Vec<Option<TrialNotes<'_>>> = notes.collect();
    let planned = plan.planned(experiment);
    for (number, seating) in (1..).zip(planned.cells[cell].seatings()) {
        let _playing = Playing::begin();
        let trial_games = trials
            .iter()
            .map(|&trial| trial_game(plan, trial, seating, &mut planned.roots.players(trial.instance)));
        let rows = trial_games.zip(&mut notes).map(|(trial_game, notes)| Row {
            trial_game,
            mover: None,
            ns: 0,
            over: None,
            notes: notes.as_mut(),
            place: (number, 0),
            begun: Clock::start(),
        });
        let rows = rows.collect();
        let tables = planned.tables(instance).lock_step(seating, trials.len());
        let together = Together { rows, tables, moved, clock: &clock };
        let played = together.play(stop);
        if played.is_err() {
            notes.iter_mut().flatten().for_each(TrialNotes::left_off);
        }
        for (record, game) in records.iter_mut().zip(played?) {
            record.games.push(game);
        }
    }
    let ns = clock.lap().as_nanos() as u64;
    let count = records.len() as u64;
    for ((index, record), notes) in (0..).zip(&mut records).zip(&notes) {
        // The shares add up to the total.
        let spared = notes.as_ref().map_or(0, |notes| notes.spared_cpu_ns);
        record.cpu_ns = ns / count + u64::from(index < ns % count) + spared;
    }
    Ok(records)
}

/// A game of those that are played together.
struct Row<'p, 't, F> {
    trial_game: TrialGame<'p, F>,
    /// The player whose decision is in progress.
    mover: Option<Player>,
    /// The time of that choice so far.
    ns: u64,
    over: Option<Result<(Outcome, i32), PlayError>>,
    notes: Option<&'t mut TrialNotes<'p>>,
    /// The place of the decision in progress, and when it was begun.
    place: Place,
    begun: Clock,
}

impl<F: FnOnce() -> Rng> Row<'_, '_, F> {
    /// Records the chosen move, and reports it.
    fn moved(&mut self, spent: Spent, table: &dyn Table, tell: &mut dyn FnMut(usize, u64, u64)) {
        let mover = self.mover.take().expect("a decision is in progress");
        tell(self.trial_game.moved(mover, spent, self.ns), self.ns, table.held_bytes());
    }

    /// Keeps the last decision if it took long.
    fn note(&mut self, spent: Spent, table: &dyn Table, cpu: &dyn Fn() -> Duration) {
        if let Some(notes) = &mut self.notes {
            notes.note(self.place, table, (spent, self.ns), self.begun.elapsed(), cpu);
        }
    }
}

struct Together<'p, 't, F> {
    rows: Vec<Row<'p, 't, F>>,
    tables: LockStep<'t>,
    moved: &'t mut dyn FnMut(usize, u64, u64),
    clock: &'t ThreadClock,
}

impl<'p, 't, F: FnOnce() -> Rng> Together<'p, 't, F> {
    fn play(mut self, stop: &AtomicBool) -> Result<Vec<GameRecord>, PlayError> {
        for game in 0..self.rows.len() {
            self.caught(game, |row, tables, _| row.trial_game.open(tables.table(game)));
            self.go_on(game);
        }
        let mut decided = Vec::new();
        let mut clock = Clock::start();
        while self.rows.iter().any(|row| row.over.is_none()) {
            let leaves_off =
                |row: &Row<'_, '_, F>| row.notes.as_ref().is_some_and(|notes| notes.leaves_off());
            if stop.load(Ordering::Relaxed) && (searches_are_abandoned() || self.rows.iter().any(leaves_off))
            {
                return Err(SearchError::Stopped.into());
            }
            clock.lap();
            self.tables.round(&mut |game, result| decided.push((game, result)));
            self.share_out(clock.lap().as_nanos() as u64);
            for (game, result) in decided.drain(..) {
                let cpu = self.cpu();
                self.caught(game, |row, tables, moved| {
                    let spent = result?;
                    row.moved(spent, tables.table(game), moved);
                    row.note(spent, tables.table(game), &cpu);
                    Ok(())
                });
                self.go_on(game);
            }
        }
        let end = |Row { trial_game, over, .. }: Row<'_, '_, F>| match over.expect("all games are over") {
            Err(error) if error.is_no_result() => Err(error),
            result => Ok(trial_game.end(result)),
        };
        self.rows.into_iter().map(end).collect()
    }

    /// The processor time of a trial so far: its share.
    fn cpu(&self) -> impl Fn() -> Duration + use<'p, 't, F> {
        let (clock, count) = (self.clock, self.rows.len() as u32);
        move || clock.elapsed() / count
    }

    /// Calls `f` for a game. If it fails or panics, the game is over.
    fn caught(
        &mut self,
        game: usize,
        f: impl FnOnce(
            &mut Row<'p, 't, F>,
            &mut LockStep<'t>,
            &mut dyn FnMut(usize, u64, u64),
        ) -> Result<(), PlayError>,
    ) {
        let (row, tables, moved) = (&mut self.rows[game], &mut self.tables, &mut *self.moved);
        if let Err(failure) = caught(|| f(row, tables, moved)) {
            let row = &mut self.rows[game];
            (row.over, row.mover) = (Some(Err(failure)), None);
        }
    }

    /// Gives each decision in progress an equal share of a round's time.
    fn share_out(&mut self, ns: u64) {
        let count = self.rows.iter().filter(|row| row.mover.is_some()).count() as u64;
        let share = ns / count.max(1);
        let choosing = self.rows.iter_mut().filter(|row| row.mover.is_some());
        choosing.for_each(|row| row.ns += share);
    }

    /// Continues a game until its machine has a request, or the game is over.
    fn go_on(&mut self, game: usize) {
        let cpu = self.cpu();
        while self.rows[game].over.is_none() && self.rows[game].mover.is_none() {
            self.caught(game, |row, tables, moved| {
                let (player, stream) = match row.trial_game.step(tables.table(game))? {
                    Step::Over(outcome, score) => {
                        row.over = Some(Ok((outcome, score)));
                        return Ok(());
                    }
                    Step::Chance => return Ok(()),
                    Step::Decide(player, stream) => (player, stream),
                };
                (row.mover, row.ns, row.begun) = (Some(player), 0, Clock::start());
                row.place.1 = tables.table(game).game_hash();
                let place = row.place;
                let known = row.notes.as_mut().and_then(|notes| notes.recall(place, tables.table(game)));
                if let Some((spent, ns)) = known {
                    row.ns = ns;
                    row.moved(spent, tables.table(game), moved);
                } else if let Some(result) = tables.begin(game, stream, row.trial_game.limits()) {
                    row.ns = row.begun.elapsed().as_nanos() as u64;
                    let spent = result?;
                    row.moved(spent, tables.table(game), moved);
                    row.note(spent, tables.table(game), &cpu);
                }
                Ok(())
            });
        }
    }
}
