//! Playing the games of a unit.

use std::cell::LazyCell;

use crate::experiment::manifest::openings::Openings;
use crate::experiment::manifest::optimisation::Seat;
use crate::experiment::trial::openings::play_random;
use crate::experiment::trial::tally::Tally;
use crate::game::{Outcome, Player};
use crate::players::{AnyGame, PlayError, Table, Tables, longest, playing};
use crate::rng::{PlayoutKey, Stream};
use crate::search::Limits;

/// The games of two players, or of one at a solitaire, in their order.
pub(crate) struct Unit<'u> {
    pub(crate) game: &'u dyn AnyGame,
    pub(crate) limits: Limits,
    pub(crate) tables: &'u dyn Tables,
    /// The first player, whose results count, and the second, if there is one: indices in the tables.
    pub(crate) players: (usize, Option<usize>),
    pub(crate) seat: Seat,
    pub(crate) openings: &'u Openings,
    /// The opening of a list.
    pub(crate) opening: u64,
    pub(crate) luck: Stream,
}

impl Unit<'_> {
    /// Plays all games.
    ///
    /// # Errors
    /// If a game cannot be played to its end.
    pub(crate) fn play(&self) -> Result<Tally, PlayError> {
        let mut tally = Tally::default();
        match (self.seat, self.players.1) {
            (Seat::Both, Some(_)) => tally.push(&[self.game(0)?, self.game(1)?]),
            (Seat::Second, Some(_)) => tally.push(&[self.game(1)?]),
            _ => tally.push(&[self.game(0)?]),
        }
        Ok(tally)
    }

    /// Plays a game; `seat` is that of the first player. Returns its outcome and margin.
    fn game(&self, seat: usize) -> Result<(Outcome, i32), PlayError> {
        let table = self.table(seat);
        playing(|| self.play_out(seat, table, &mut |_| ()))
    }

    fn table(&self, seat: usize) -> Box<dyn Table + '_> {
        match (self.players, seat) {
            ((player, None), _) => self.tables.table(&[player]),
            ((first, Some(second)), 0) => self.tables.table(&[first, second]),
            ((first, Some(second)), _) => self.tables.table(&[second, first]),
        }
    }

    /// Plays a game and shows each position to `watch`.
    pub(crate) fn watch(
        &self,
        seat: usize,
        watch: &mut dyn FnMut(&dyn Table),
    ) -> Result<(Outcome, i32), PlayError> {
        self.play_out(seat, self.table(seat), watch)
    }

    fn play_out(
        &self,
        seat: usize,
        mut table: Box<dyn Table + '_>,
        watch: &mut dyn FnMut(&dyn Table),
    ) -> Result<(Outcome, i32), PlayError> {
        let luck = self.luck;
        let mut deal = LazyCell::new(move || (luck / "deal").rng());
        match self.openings {
            Openings::Random { plies: 0, .. } => {}
            Openings::Random { plies, .. } => {
                play_random(*plies, &mut (luck / "opening").rng(), &mut *table, &mut deal);
            }
            Openings::Listed { lines, .. } => {
                for mv in &lines[self.opening as usize % lines.len()] {
                    assert!(table.make_written_move(mv), "{mv} was legal when the manifest was read");
                }
            }
        }
        watch(&*table);
        let bounds = (self.limits, longest(&self.game.facts()));
        table.play_on(self.keys(seat), &mut deal, bounds, |table, _| watch(table))?;
        let view = Player::new(seat as u8);
        Ok((table.outcome(view), table.score(view)))
    }

    /// For each seat the key of its player's randomness.
    fn keys(&self, seat: usize) -> [PlayoutKey; 2] {
        let key = |name: &str, seat: usize| (self.luck / name / seat as u64).playout_key();
        if seat == 0 {
            [key("candidate", 0), key("opponent", 1)]
        } else {
            [key("opponent", 0), key("candidate", 1)]
        }
    }
}
