//! What is known of a finished trial.

use arrayvec::ArrayVec;

use super::Trial;
use crate::game::Outcome;
use crate::search::Spent;

/// A finished trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Which trial.
    pub trial: Trial,
    /// Its games: one of a solitaire, or a pair with seats swapped.
    pub games: ArrayVec<GameRecord, 2>,
    /// Processor time of the whole trial, in nanoseconds. Not deterministic.
    pub cpu_ns: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// How it ended for the player in the first seat, and that player's score; or why it could not go on.
    pub result: Result<(Outcome, i32), String>,
    /// How many plies it had, chance's and the opening's included.
    pub plies: u32,
    /// One number for its whole course: games with equal numbers went the same way.
    pub course: u64,
    /// The players in seat order.
    pub seats: ArrayVec<SeatRecord, 2>,
}

/// What a player did in a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatRecord {
    /// The index of the player in its experiment.
    pub player: usize,
    /// How many moves it made.
    pub moves: u32,
    /// The work that they took.
    pub spent: Spent,
    /// The wall time that they took together, in nanoseconds. Not deterministic.
    pub wall_ns: u64,
}

impl Record {
    /// Whether another playing of the same trial went the same way: everything but the times.
    pub fn went_as(&self, other: &Self) -> bool {
        let facts = |record: &Self| -> Vec<_> {
            let of_game = |game: &GameRecord| {
                let spent: Vec<_> =
                    game.seats.iter().map(|seat| (seat.player, seat.moves, seat.spent)).collect();
                (game.result.clone(), game.plies, game.course, spent)
            };
            record.games.iter().map(of_game).collect()
        };
        self.trial == other.trial && facts(self) == facts(other)
    }

    /// What the player got who began the first game: the first one of the trial's cell.
    pub fn result_of_first(&self) -> Option<(f64, f64)> {
        self.result_of(self.games.first()?.seats.first()?.player)
    }

    /// What a player got in this trial, folded over its games: the share of the points, in `[0, 1]`, and the mean
    /// score. `None` where a game failed, or the player was not there.
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
