//! One trial → one record. Game × players, and nothing else.

use std::cell::{Cell, LazyCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::identity::Players;
use super::openings;
use super::rows::one_line;
use super::{GameRecord, Plan, Record, SeatRecord, Trial};
use crate::game::{Outcome, Player, Turn};
use crate::players::{Failure, Table, Tables};
use crate::rng::PlayoutKey;
use crate::search::{Clock, MoveStream, ThreadClock};

/// No game of an experiment may be longer, whatever its facts say.
const MOST_PLIES: u32 = 1_000_000;

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
struct Playing;

impl Playing {
    fn begin() -> Self {
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
    let seat = |&player: &usize| SeatRecord { player, ..SeatRecord::default() };
    let seats = seating.iter().map(seat).collect();
    let mut record = GameRecord { result: Err(String::new()), plies: 0, course: 0, seats };
    let _playing = Playing::begin();
    let result = catch_unwind(AssertUnwindSafe(|| {
        play_to_end(plan, trial, players, &mut *tables.table(), &mut record, watch)
    }));
    let result = result.unwrap_or_else(|payload| Err(Failure::from_panic(&*payload)));
    // A message may have several lines; a row of the log has one.
    record.result = result.map_err(|failure| one_line(&failure.to_string()));
    record
}

fn play_to_end(
    plan: &Plan<'_>,
    trial: Trial,
    players: &mut Players<'_>,
    table: &mut dyn Table,
    record: &mut GameRecord,
    watch: &mut impl Watch,
) -> Result<(Outcome, i32), Failure> {
    let experiment = &plan.manifest.experiments[trial.experiment];
    let roots = &plan.roots[trial.experiment];
    let mut keys = [PlayoutKey::new(0); 2];
    for ((seat, record), key) in (0..).zip(&record.seats).zip(&mut keys) {
        *key = players.key(record.player, Player::new(seat));
    }
    // Hashed where chance has a turn: in many games it has none.
    let mut deal = LazyCell::new(|| roots.deal(trial.instance));
    openings::play(plan, trial.experiment, trial.instance, table, &mut deal)?;
    let seating: Vec<usize> = record.seats.iter().map(|seat| seat.player).collect();
    let longest = experiment.game.facts().max_plies.unwrap_or(MOST_PLIES).min(MOST_PLIES);
    watch.position(table, &seating);
    let mut clock = Clock::start();
    loop {
        match table.turn() {
            Turn::Over => {
                record.plies = table.plies();
                record.course = table.course();
                return Ok((table.outcome(Player::FIRST), table.score(Player::FIRST)));
            }
            _ if table.plies() > longest => return Err(Failure::Endless(table.plies())),
            Turn::Chance => {
                table.let_chance_choose(&mut deal);
                clock = Clock::start();
            }
            Turn::Player(player) => {
                let seat = &mut record.seats[player.index()];
                let stream = MoveStream::new(keys[player.index()].child(u64::from(seat.moves)));
                // Where the game fails now, its record says how far it came.
                record.plies = table.plies();
                record.course = table.course();
                seat.spent += table.decide(stream, experiment.limits)?;
                let ns = clock.lap().as_nanos() as u64;
                seat.moves += 1;
                seat.wall_ns += ns;
                watch.moved(seat.player, ns);
            }
        }
        watch.position(table, &seating);
    }
}
