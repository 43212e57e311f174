//! One trial → one record. Game × players, and nothing else.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::course::{Course, Step, course};
use super::identity::Players;
use super::{GameRecord, Plan, Record, Trial};
use crate::game::Outcome;
use crate::players::{Failure, Table, Tables};
use crate::rng::Rng;
use crate::search::{Clock, ThreadClock};

/// Someone who watches a trial while it is played, and changes nothing.
pub trait Watch {
    /// A position: the table, and the players of the game in seat order. Called at the start, after the opening and
    /// after every ply.
    fn position(&mut self, table: &dyn Table, seating: &[usize]);

    /// A player made a move in so many nanoseconds of wall time.
    fn moved(&mut self, player: usize, ns: u64);
}

/// Nobody watches.
impl Watch for () {
    fn position(&mut self, _table: &dyn Table, _seating: &[usize]) {}
    fn moved(&mut self, _player: usize, _ns: u64) {}
}

/// Plays a trial. What goes wrong in a game is caught and stands in its record.
///
/// # Panics
/// Where the trial is not of this plan.
pub fn play(plan: &Plan<'_>, trial: Trial) -> Record {
    play_watched(plan, trial, &mut ThreadClock::start(), &mut ())
}

/// Plays a trial while somebody watches. The record has the processor time since the clock was read last: one clock
/// serves a whole row of trials.
///
/// # Panics
/// Where the trial is not of this plan.
pub fn play_watched(
    plan: &Plan<'_>,
    trial: Trial,
    clock: &mut ThreadClock,
    watch: &mut impl Watch,
) -> Record {
    let mut players = plan.roots[trial.experiment].players(trial.instance);
    let seatings = plan.cells[trial.experiment][trial.cell].seatings();
    let tables = &plan.tables[trial.experiment][trial.cell];
    let games = (seatings.iter().zip(tables))
        .map(|(seating, tables)| play_game(plan, trial, (seating, &**tables), &mut players, watch))
        .collect();
    Record { trial, games, cpu_ns: clock.lap().as_nanos() as u64 }
}

thread_local! {
    static PLAYING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in the middle of a game whose failures stand in its record: then a panic need not be
/// printed.
pub fn is_playing() -> bool {
    PLAYING.get()
}

/// A game is being played on this thread while it lives.
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

fn play_game(
    plan: &Plan<'_>,
    trial: Trial,
    (seating, tables): (&[usize], &dyn Tables),
    players: &mut Players<'_>,
    watch: &mut impl Watch,
) -> GameRecord {
    let _playing = Playing::begin();
    let mut course = course(plan, trial, seating, players);
    let result = catch_unwind(AssertUnwindSafe(|| play_to_end(&mut course, &mut *tables.table(), watch)));
    course.end(result.unwrap_or_else(|payload| Err(Failure::from_panic(&*payload))))
}

fn play_to_end(
    course: &mut Course<'_, '_, impl FnOnce() -> Rng>,
    table: &mut dyn Table,
    watch: &mut impl Watch,
) -> Result<(Outcome, i32), Failure> {
    course.open(table)?;
    let seating: Vec<usize> = course.record.seats.iter().map(|seat| seat.player).collect();
    watch.position(table, &seating);
    let mut clock = Clock::start();
    loop {
        match course.step(table)? {
            Step::Over(outcome, score) => return Ok((outcome, score)),
            Step::Chance => clock = Clock::start(),
            Step::Decide(player, stream) => {
                let spent = table.decide(stream, course.limits())?;
                let ns = clock.lap().as_nanos() as u64;
                watch.moved(course.moved(player, spent, ns), ns);
            }
        }
        watch.position(table, &seating);
    }
}
