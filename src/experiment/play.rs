//! One trial → one record. Game × players, and nothing else.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::rows::one_line;
use super::{Experiment, GameRecord, Plan, Record, SeatRecord, Trial};
use super::{identity, openings};
use crate::game::{Outcome, Player, Turn};
use crate::players::{Failure, Table};
use crate::search::{Clock, MoveStream, TrialClock};

/// No game of an experiment may be longer, whatever its facts say.
const MOST_PLIES: u32 = 1_000_000;

/// Plays a trial. What goes wrong in a game is caught and stands in its record.
///
/// # Panics
/// Where the trial is not of this plan.
pub fn play(plan: &Plan<'_>, trial: Trial) -> Record {
    play_watched(plan, trial, &mut |_, _| ())
}

/// Plays a trial, and shows every position of it: the table, and the players of the game in seat order. Whoever
/// watches changes nothing.
///
/// # Panics
/// Where the trial is not of this plan.
pub fn play_watched(plan: &Plan<'_>, trial: Trial, watch: &mut Watch<'_>) -> Record {
    let experiment = &plan.manifest.experiments[trial.experiment];
    let seatings = plan.cells[trial.experiment][trial.cell].seatings();
    let games =
        seatings.iter().map(|seating| play_game(experiment, seating, trial.instance, watch)).collect();
    Record { trial, games }
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

/// Who watches a game: called with the table and the players in seat order.
pub type Watch<'w> = dyn FnMut(&dyn Table, &[usize]) + 'w;

fn play_game(experiment: &Experiment, seating: &[usize], instance: u64, watch: &mut Watch<'_>) -> GameRecord {
    let clock = TrialClock::start();
    let seat = |&player: &usize| SeatRecord { player, ..SeatRecord::default() };
    let mut record = GameRecord {
        result: Err(String::new()),
        plies: 0,
        course: 0,
        seats: seating.iter().map(seat).collect(),
        cpu_ns: 0,
    };
    let _playing = Playing::begin();
    let result = catch_unwind(AssertUnwindSafe(|| {
        play_to_end(experiment, instance, &mut record, &mut |table| watch(table, seating))
    }));
    let result = result.unwrap_or_else(|payload| Err(Failure::from_panic(&*payload)));
    // A message may have several lines; a row of the log has one.
    record.result = result.map_err(|failure| one_line(&failure.to_string()));
    record.cpu_ns = clock.elapsed().1.as_nanos() as u64;
    record
}

fn play_to_end(
    experiment: &Experiment,
    instance: u64,
    record: &mut GameRecord,
    watch: &mut dyn FnMut(&dyn Table),
) -> Result<(Outcome, i32), Failure> {
    let searchers = record.seats.iter().map(|seat| Some(experiment.players[seat.player].searcher.clone()));
    let searchers: Vec<_> = searchers.collect();
    let mut table = experiment.game.table(&searchers).expect("the manifest was checked");
    let keys: Vec<_> = (0..)
        .zip(&record.seats)
        .map(|(seat, record)| identity::player(experiment, record.player, Player::new(seat), instance))
        .collect();
    let mut deal = identity::deal(experiment, instance);
    openings::play(experiment, instance, &mut *table, &mut deal);
    let longest = experiment.game.facts().max_plies.unwrap_or(MOST_PLIES).min(MOST_PLIES);
    loop {
        record.plies = table.plies();
        record.course = table.course();
        watch(&*table);
        match table.turn() {
            Turn::Over => return Ok((table.outcome(Player::FIRST), table.score(Player::FIRST))),
            _ if table.plies() > longest => return Err(Failure::Endless(table.plies())),
            Turn::Chance => table.let_chance_choose(&mut deal),
            Turn::Player(player) => {
                let seat = &mut record.seats[player.index()];
                let stream = MoveStream::new(keys[player.index()].child(u64::from(seat.moves)));
                let clock = Clock::start();
                seat.spent += table.decide(stream, experiment.limits)?;
                let ns = clock.elapsed().as_nanos() as u64;
                seat.moves += 1;
                seat.wall_ns += ns;
                seat.move_ns.push(ns);
            }
        }
    }
}
