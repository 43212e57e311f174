//! Playing one trial: a record comes out.

use std::time::Duration;

use super::{GameRecord, Record, Step, TrialGame, TrialNotes, trial_game};
use crate::experiment::plan::{Plan, Trial};
use crate::game::Outcome;
use crate::players::{PlayError, Playing, Table, caught};
use crate::rng::Rng;
use crate::search::{Clock, MoveStream, SearchError, Spent, ThreadClock};

/// An observer of a trial.
pub trait Watch {
    /// A position: the table, and the players of the game in seat order. Called at the start, after the opening and
    /// after every ply.
    fn position(&mut self, _table: &dyn Table, _seating: &[usize]) {}

    /// A player made a move in `ns` nanoseconds of wall time, with a search that reserved so many bytes.
    fn moved(&mut self, _player: usize, _ns: u64, _bytes: u64) {}
}

impl Watch for () {}

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
    let mut record = play_noting(plan, trial, clock, watch, None, &|| false).unwrap_or_else(|error| {
        let mut players = plan.planned(trial.experiment).roots.players(trial.instance);
        let seatings = plan.cells(trial.experiment)[trial.cell].seatings();
        let failed =
            |seating: &Vec<usize>| trial_game(plan, trial, seating, &mut players).end(Err(error.clone()));
        Record { trial, games: seatings.iter().map(failed).collect(), cpu_ns: 0 }
    });
    record.cpu_ns += clock.lap().as_nanos() as u64;
    record
}

/// Plays a trial and keeps long decisions. Its processor time in the record is that of recalled decisions only. Before each
/// decision `stop` is asked.
///
/// # Errors
/// If the trial has no result, since it was stopped or the system failed. It is to be played again.
pub(crate) fn play_noting(
    plan: &Plan,
    trial: Trial,
    clock: &ThreadClock,
    watch: &mut impl Watch,
    mut notes: Option<TrialNotes<'_>>,
    stop: &dyn Fn() -> bool,
) -> Result<Record, PlayError> {
    let planned = plan.planned(trial.experiment);
    let mut players = planned.roots.players(trial.instance);
    let seatings = planned.cells[trial.cell].seatings();
    let games = (1..).zip(seatings).map(|(number, seating)| {
        let _playing = Playing::begin();
        let trial_game = trial_game(plan, trial, seating, &mut players);
        let game = Game { number, state: trial_game, watch, clock, notes: notes.as_mut(), stop };
        game.play(&mut *planned.tables(trial.instance).table(seating))
    });
    let games = games.collect::<Result<_, _>>();
    if let (Err(_), Some(notes)) = (&games, &mut notes) {
        notes.left_off();
    }
    let games = games?;
    Ok(Record { trial, games, cpu_ns: notes.map_or(0, |notes| notes.spared_cpu_ns) })
}

/// A game of a trial before its start.
struct Game<'g, 'p, 'n, F, W> {
    /// The number in the trial, counted from 1.
    number: usize,
    state: TrialGame<'p, F>,
    watch: &'g mut W,
    clock: &'g ThreadClock,
    notes: Option<&'g mut TrialNotes<'n>>,
    stop: &'g dyn Fn() -> bool,
}

impl<F: FnOnce() -> Rng, W: Watch> Game<'_, '_, '_, F, W> {
    fn play(mut self, table: &mut dyn Table) -> Result<GameRecord, PlayError> {
        match caught(|| self.play_to_end(table)) {
            Err(error) if error.is_no_result() => Err(error),
            result => Ok(self.state.end(result)),
        }
    }

    fn play_to_end(&mut self, table: &mut dyn Table) -> Result<(Outcome, i32), PlayError> {
        self.state.open(table)?;
        let seating: Vec<usize> = self.state.record.seats.iter().map(|seat| seat.player).collect();
        self.watch.position(table, &seating);
        let mut clock = Clock::start();
        loop {
            match self.state.step(table)? {
                Step::Over(outcome, score) => return Ok((outcome, score)),
                Step::Chance => clock = Clock::start(),
                Step::Decide(..)
                    if (self.stop)() || self.notes.as_ref().is_some_and(|notes| notes.leaves_off()) =>
                {
                    return Err(SearchError::Stopped.into());
                }
                Step::Decide(player, stream) => {
                    let (spent, ns) = match self.decide(table, stream, &mut clock) {
                        Err(PlayError::SearchError(SearchError::Forfeit(reason))) => {
                            return Ok(self.state.forfeit(player, &reason));
                        }
                        decided => decided?,
                    };
                    self.watch.moved(self.state.moved(player, spent, ns), ns, table.held_bytes());
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
