//! The course of one game of a trial: whose turn it is, by which randomness, and what is recorded.

use std::cell::LazyCell;

use super::identity::{Players, Roots};
use super::openings;
use super::rows::one_line;
use super::{Experiment, GameRecord, Plan, SeatRecord, Trial};
use crate::game::{Outcome, Player, Turn};
use crate::players::{Failure, Table, longest};
use crate::rng::{PlayoutKey, Rng};
use crate::search::{Limits, MoveStream, Spent};

/// A game of a trial, apart from its table.
pub(super) struct Course<'p, 'm, F> {
    plan: &'p Plan<'m>,
    trial: Trial,
    /// What is known so far.
    pub(super) record: GameRecord,
    /// For each seat the key of its player's randomness.
    keys: [PlayoutKey; 2],
    /// Hashed where chance has a turn: in many games it has none.
    deal: LazyCell<Rng, F>,
    longest: u32,
}

/// What happens next in a game.
pub(super) enum Step {
    /// It is over: how it ended for the player in the first seat, and that player's score.
    Over(Outcome, i32),
    /// Chance had its turn.
    Chance,
    /// This player is to choose, with this randomness.
    Decide(Player, MoveStream),
}

/// A game of a trial with these players in seat order, before its opening.
pub(super) fn course<'p, 'm>(
    plan: &'p Plan<'m>,
    trial: Trial,
    seating: &[usize],
    players: &mut Players<'_>,
) -> Course<'p, 'm, impl FnOnce() -> Rng + use<'p, 'm>> {
    let seat = |&player: &usize| SeatRecord { player, ..SeatRecord::default() };
    let seats = seating.iter().map(seat).collect();
    let mut keys = [PlayoutKey::new(0); 2];
    for ((seat, &player), key) in (0..).zip(seating).zip(&mut keys) {
        *key = players.key(player, Player::new(seat));
    }
    let roots: &'p Roots = &plan.roots[trial.experiment];
    let game = &plan.manifest.experiments[trial.experiment].game;
    Course {
        plan,
        trial,
        record: GameRecord { result: Err(String::new()), plies: 0, course: 0, seats },
        keys,
        deal: LazyCell::new(move || roots.deal(trial.instance)),
        longest: longest(&game.facts()),
    }
}

impl<F: FnOnce() -> Rng> Course<'_, '_, F> {
    fn experiment(&self) -> &Experiment {
        &self.plan.manifest.experiments[self.trial.experiment]
    }

    /// What every search may hold.
    pub(super) fn limits(&self) -> Limits {
        self.experiment().limits
    }

    /// Plays the opening on a new table.
    pub(super) fn open(&mut self, table: &mut dyn Table) -> Result<(), Failure> {
        openings::play(self.plan, self.trial.experiment, self.trial.instance, table, &mut self.deal)
    }

    /// Lets chance have its turn, or tells who is to choose, or how the game ended.
    pub(super) fn step(&mut self, table: &mut dyn Table) -> Result<Step, Failure> {
        match table.turn() {
            Turn::Over => {
                self.note_length(table);
                Ok(Step::Over(table.outcome(Player::FIRST), table.score(Player::FIRST)))
            }
            _ if table.plies() > self.longest => Err(Failure::Endless(table.plies())),
            Turn::Chance => {
                table.let_chance_choose(&mut self.deal);
                Ok(Step::Chance)
            }
            Turn::Player(player) => {
                // Where the game fails now, its record says how far it came.
                self.note_length(table);
                let seat = &self.record.seats[player.index()];
                let key = self.keys[player.index()].child(u64::from(seat.moves));
                Ok(Step::Decide(player, MoveStream::new(key)))
            }
        }
    }

    fn note_length(&mut self, table: &dyn Table) {
        self.record.plies = table.plies();
        self.record.course = table.course();
    }

    /// Notes a move of a player, the work and the wall time that it took. Returns who it is in the experiment.
    pub(super) fn moved(&mut self, player: Player, spent: Spent, ns: u64) -> usize {
        let seat = &mut self.record.seats[player.index()];
        seat.spent += spent;
        seat.moves += 1;
        seat.wall_ns += ns;
        seat.player
    }

    /// The record of the game, with its result.
    pub(super) fn end(mut self, result: Result<(Outcome, i32), Failure>) -> GameRecord {
        // A message may have several lines; a row of the log has one.
        self.record.result = result.map_err(|failure| one_line(&failure.to_string()));
        self.record
    }
}
