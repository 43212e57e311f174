//! Playing one trial: a record comes out.

use std::cell::Cell;
use std::time::Duration;

use super::notes::Notes;
use super::record::{GameRecord, Record};
use super::trial_game::{Step, TrialGame, trial_game};
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::game::Outcome;
use crate::players::{PlayError, Table, caught};
use crate::rng::Rng;
use crate::search::{Clock, MoveStream, SearchError, Spent, ThreadClock};

/// An observer of a trial.
pub trait Watch {
    /// A position: the table, and the players of the game in seat order. Called at the start, after the opening and
    /// after every ply.
    fn position(&mut self, table: &dyn Table, seating: &[usize]);

    /// A player made a move in `ns` nanoseconds of wall time.
    fn moved(&mut self, player: usize, ns: u64);
}

/// No observer.
impl Watch for () {
    fn position(&mut self, _table: &dyn Table, _seating: &[usize]) {}
    fn moved(&mut self, _player: usize, _ns: u64) {}
}

/// Plays a trial. A failure of a game is caught and recorded.
///
/// # Panics
/// If the trial is not of this plan.
pub fn play(plan: &Plan, trial: Trial) -> Record {
    play_watched(plan, trial, &mut ThreadClock::start(), &mut ())
}

/// Plays a trial with an observer. The record has the processor time since the clock was read last: one clock
/// serves a whole row of trials.
///
/// # Panics
/// If the trial is not of this plan.
pub fn play_watched(plan: &Plan, trial: Trial, clock: &mut ThreadClock, watch: &mut impl Watch) -> Record {
    let mut record =
        play_noting(plan, trial, clock, watch, None).expect("only a trial with notes is left off");
    record.cpu_ns += clock.lap().as_nanos() as u64;
    record
}

/// Plays a trial and keeps long decisions. Its processor time in the record is that of recalled decisions only. `None` if
/// the trial was stopped, to be resumed later.
pub(crate) fn play_noting(
    plan: &Plan,
    trial: Trial,
    clock: &ThreadClock,
    watch: &mut impl Watch,
    mut notes: Option<Box<dyn Notes + '_>>,
) -> Option<Record> {
    let planned = plan.planned(trial.experiment);
    let mut players = planned.roots.players(trial.instance);
    let seatings = planned.cells[trial.cell].seatings();
    let games = (1..).zip(seatings).map(|(number, seating)| {
        let _playing = Playing::begin();
        let trial_game = trial_game(plan, trial, seating, &mut players);
        let notes = notes.as_mut().map(|notes| &mut **notes as &mut dyn Notes);
        let game = Game { number, state: trial_game, watch, clock, notes };
        game.play(&mut *planned.tables.table(seating))
    });
    let games = games.collect::<Option<_>>()?;
    Some(Record { trial, games, cpu_ns: notes.map_or(0, |notes| notes.spared_cpu_ns()) })
}

thread_local! {
    static PLAYING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is playing a game that records its failures, so that a panic need not be printed.
pub fn is_playing() -> bool {
    PLAYING.get()
}

/// Marks, while it lives, that this thread is playing a game.
pub(super) struct Playing;

impl Playing {
    pub(super) fn begin() -> Self {
        PLAYING.set(true);
        Self
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        PLAYING.set(false);
    }
}

/// Plays a game and returns a panic as an error.
pub(crate) fn playing<T>(f: impl FnOnce() -> Result<T, PlayError>) -> Result<T, PlayError> {
    let _playing = Playing::begin();
    caught(f)
}

/// A game of a trial before its start.
struct Game<'g, 'p, F, W> {
    /// Its number in the trial, counted from 1.
    number: usize,
    state: TrialGame<'p, F>,
    watch: &'g mut W,
    clock: &'g ThreadClock,
    notes: Option<&'g mut dyn Notes>,
}

impl<F: FnOnce() -> Rng, W: Watch> Game<'_, '_, F, W> {
    /// Plays it. `None` if it was stopped.
    fn play(mut self, table: &mut dyn Table) -> Option<GameRecord> {
        let result = caught(|| self.play_to_end(table)).transpose()?;
        Some(self.state.end(result))
    }

    fn play_to_end(&mut self, table: &mut dyn Table) -> Result<Option<(Outcome, i32)>, PlayError> {
        self.state.open(table)?;
        let seating: Vec<usize> = self.state.record.seats.iter().map(|seat| seat.player).collect();
        self.watch.position(table, &seating);
        let mut clock = Clock::start();
        loop {
            match self.state.step(table)? {
                Step::Over(outcome, score) => return Ok(Some((outcome, score))),
                Step::Chance => clock = Clock::start(),
                Step::Decide(..) if self.notes.as_ref().is_some_and(|notes| notes.leaves_off()) => {
                    return Ok(None);
                }
                Step::Decide(player, stream) => {
                    let (spent, ns) = match self.decide(table, stream, &mut clock) {
                        Err(PlayError::SearchError(SearchError::Forfeit(reason))) => {
                            return Ok(Some(self.state.forfeit(player, &reason)));
                        }
                        Err(PlayError::SearchError(SearchError::Stopped)) => return Ok(None),
                        decided => decided?,
                    };
                    self.watch.moved(self.state.moved(player, spent, ns), ns);
                }
            }
            self.watch.position(table, &seating);
        }
    }

    /// Makes the move of the machine to move. Returns the work and the nanoseconds of the decision.
    fn decide(
        &mut self,
        table: &mut dyn Table,
        stream: MoveStream,
        clock: &mut Clock,
    ) -> Result<(Spent, u64), PlayError> {
        let before = (self.number, table.game_hash());
        if let Some(known) = self.notes.as_mut().and_then(|notes| notes.recall(before, table)) {
            *clock = Clock::start();
            return Ok(known);
        }
        let spent = table.decide(stream, self.state.limits())?;
        let ns = clock.lap().as_nanos() as u64;
        if let Some(notes) = &mut self.notes
            && notes.note(before, table, (spent, ns), Duration::from_nanos(ns), &|| self.clock.elapsed())
        {
            *clock = Clock::start();
        }
        Ok((spent, ns))
    }
}
