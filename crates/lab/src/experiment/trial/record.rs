//! The record of a finished trial.

use arrayvec::ArrayVec;

use crate::experiment::plan::{Plan, Trial};
use crate::game::Outcome;
use crate::search::Spent;

/// A finished trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Which trial.
    pub trial: Trial,
    /// The games: one of a solitaire, or a pair with seats swapped.
    pub games: ArrayVec<GameRecord, 2>,
    /// Processor time of the whole trial, in nanoseconds; of a trial of some microseconds its part of that of a few played
    /// one after the other. Not deterministic.
    pub cpu_ns: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The outcome and the score of the player in the first seat; or the reason of the failure, in one line.
    pub result: Result<(Outcome, i32), String>,
    /// Why an engine lost the game without finishing it, in one line that begins with the kind of failure; the score is 0.
    pub forfeit: Option<String>,
    /// The number of its plies, including those of chance and of the opening.
    pub plies: u32,
    /// The hash of all its moves: games with equal hashes are the same.
    pub game_hash: u64,
    /// The players in seat order.
    pub seats: ArrayVec<SeatRecord, 2>,
}

/// A player's part of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatRecord {
    /// The index of the player in its experiment.
    pub player: usize,
    /// The number of its moves.
    pub moves: u32,
    /// The work of these moves.
    pub spent: Spent,
    /// The total wall time of these moves, in nanoseconds. Not deterministic.
    pub wall_ns: u64,
}

impl GameRecord {
    /// Why the game failed, or why an engine lost it without finishing it.
    pub fn failure(&self) -> Option<&str> {
        self.result.as_ref().err().or(self.forfeit.as_ref()).map(String::as_str)
    }
}

impl Record {
    /// The same as a trial of another experiment of the plan, with the same content.
    pub(crate) fn of_trial(mut self, plan: &Plan, trial: Trial) -> Self {
        let seatings = plan.cells(trial.experiment)[trial.cell].seatings();
        for (game, seating) in self.games.iter_mut().zip(seatings) {
            game.seats.iter_mut().zip(seating).for_each(|(seat, &player)| seat.player = player);
        }
        Self { trial, ..self }
    }

    /// Whether a game failed.
    pub fn has_failed(&self) -> bool {
        self.games.iter().any(|game| game.result.is_err())
    }

    /// Whether an engine lost a game without finishing it.
    pub fn is_forfeited(&self) -> bool {
        self.games.iter().any(|game| game.forfeit.is_some())
    }

    /// Whether another record of the same trial is equal, apart from the times.
    pub fn went_as(&self, other: &Self) -> bool {
        let forfeits = self.games.iter().map(|game| &game.forfeit);
        self.trial == other.trial
            && forfeits.eq(other.games.iter().map(|game| &game.forfeit))
            && self.took_the_course_of(other)
    }

    /// Whether a record, perhaps of a trial of the same name in another plan, has the same games, apart from the times.
    pub(crate) fn took_the_course_of(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&GameRecord, &GameRecord)| {
            let work = |game: &GameRecord| -> Vec<_> {
                game.seats.iter().map(|seat| (seat.moves, seat.spent)).collect()
            };
            a.result == b.result && (a.plies, a.game_hash) == (b.plies, b.game_hash) && work(a) == work(b)
        };
        self.games.len() == other.games.len() && self.games.iter().zip(&other.games).all(is_same)
    }

    /// The result of the player that begins the first game: the first one of the trial's cell.
    pub fn result_of_first(&self) -> Option<(f64, f64)> {
        self.result_of(self.games.first()?.seats.first()?.player)
    }

    /// The result of a player over the games of the trial: the share of the points, in `[0, 1]`, and the mean
    /// score. `None` if a game failed, or the player is not in it.
    pub fn result_of(&self, player: usize) -> Option<(f64, f64)> {
        let mut half_points = 0;
        let mut score = 0;
        for game in &self.games {
            let (outcome, first_score) = *game.result.as_ref().ok()?;
            let first = game.seats.iter().position(|seat| seat.player == player)? == 0;
            half_points += if first { outcome } else { outcome.reversed() }.half_points();
            score += if first { first_score } else { -first_score };
        }
        let games = self.games.len() as f64;
        Some((f64::from(half_points) / (2.0 * games), f64::from(score) / games))
    }
}
