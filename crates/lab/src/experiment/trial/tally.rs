//! The results of one candidate: the games of its units, and sums of them, so that their order does not matter.

use std::cell::LazyCell;
use std::iter::Sum;
use std::ops::AddAssign;

use super::play_moves;
use crate::game::{Counts, Outcome, Player};
use crate::manifest::{Measure, Openings, Seat};
use crate::players::{AnyGame, PlayError, Table, Tables, longest, playing};
use crate::rng::{PlayoutKey, Stream};
use crate::search::Limits;
use crate::stats::{Confidence, Estimate, MatchCounts, Method, Moments, mean_interval, wilson};

/// The games of a candidate, or of two candidates that met, as sums. All are from the first one's view.
///
/// A *unit* is a pair of games with the seats swapped, or a single game, or a deal of a solitaire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won, drawn and lost.
    pub outcomes: [u64; 3],
    /// The number of units with each number of half points: 0 to 4 for pairs, 0 to 2 for single games.
    pub units: [u64; 5],
    /// The sum of the margins of all games.
    pub margin: i64,
    /// The sum of the squares of the margins of units.
    pub margin_squares: u64,
}

impl Tally {
    pub(crate) fn fields(&self) -> String {
        let Self { outcomes: [wins, draws, losses], units: [a, b, c, d, e], margin, margin_squares } = self;
        format!("{wins},{draws},{losses},{a},{b},{c},{d},{e},{margin},{margin_squares}")
    }

    /// Reads the last fields of a line; `None` if these are no numbers that a tally can have.
    pub(crate) fn read<'l>(mut fields: impl Iterator<Item = &'l str>) -> Option<Self> {
        let mut count = || fields.next()?.parse().ok();
        let outcomes = [count()?, count()?, count()?];
        let units = [count()?, count()?, count()?, count()?, count()?];
        let (margin, margin_squares) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let tally = Self { outcomes, units, margin, margin_squares };
        (fields.next().is_none() && tally.is_possible()).then_some(tally)
    }

    /// Whether units of one kind can have these sums. A log with a right check may still hold any numbers.
    fn is_possible(&self) -> bool {
        /// No candidate plays as many games.
        const GAMES: u64 = 1 << 40;
        /// So sums of some tallies stay within their types.
        const SQUARES: u64 = 1 << 56;
        if self.outcomes.iter().chain(&self.units).any(|&number| number > GAMES) {
            return false;
        }
        let half_points: u64 = (0..).zip(self.units).map(|(half_points, units)| half_points * units).sum();
        (self.games() == self.unit_count() || self.games() == 2 * self.unit_count())
            && half_points == 2 * self.outcomes[0] + self.outcomes[1]
            && self.margin_squares <= SQUARES
            && self.margin.unsigned_abs() <= SQUARES
    }

    /// Adds a unit: the outcome and the margin of each of its games.
    pub fn push(&mut self, games: &[(Outcome, i32)]) {
        let (mut half_points, mut margin) = (0, 0);
        for &(outcome, of_game) in games {
            half_points += outcome.half_points() as usize;
            margin += i64::from(of_game);
            self.outcomes[2 - outcome.half_points() as usize] += 1;
        }
        self.units[half_points] += 1;
        self.margin += margin;
        self.margin_squares += margin.unsigned_abs().pow(2);
    }

    /// The same from the view of the other player.
    #[must_use]
    pub fn turned(&self) -> Self {
        let [wins, draws, losses] = self.outcomes;
        let classes = if self.games() == self.unit_count() { 3 } else { 5 };
        let mut units = self.units;
        units[..classes].reverse();
        Self { outcomes: [losses, draws, wins], units, margin: -self.margin, ..*self }
    }

    /// The games won less the games lost: above 0 if the first player is ahead.
    pub fn lead(&self) -> f64 {
        let [wins, _, losses] = self.outcomes;
        wins as f64 - losses as f64
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// The number of units.
    pub fn unit_count(&self) -> u64 {
        self.units.iter().sum()
    }

    /// The points a game, in `[0, 1]`; 0 without games.
    pub fn points(&self) -> f64 {
        let [wins, draws, _] = self.outcomes;
        if self.games() == 0 { 0.0 } else { (2 * wins + draws) as f64 / (2 * self.games()) as f64 }
    }

    /// The mean margin of a game; 0 without games.
    pub fn mean_margin(&self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.margin as f64 / self.games() as f64 }
    }

    /// The fitness by a measure.
    pub fn fitness(&self, of: Measure) -> f64 {
        match of {
            Measure::Points => self.points(),
            Measure::Margin => self.mean_margin(),
            Measure::Zero => 0.0,
            Measure::OpponentMargin => -self.mean_margin(),
        }
    }

    /// Whether it won by a measure, more games than it lost. A measure that is a fault has its own winners, as in the program that has it:
    /// none, or the losers.
    pub fn won(&self, of: Measure) -> bool {
        match of {
            Measure::Points | Measure::Margin => self.lead() > 0.0,
            Measure::Zero => false,
            Measure::OpponentMargin => self.lead() < 0.0,
        }
    }

    /// The standard error of the fitness, from the variance between units; `None` with fewer than two units.
    pub fn standard_error(&self, of: Measure) -> Option<f64> {
        let units = self.unit_count();
        if units < 2 {
            return None;
        }
        let n = units as f64;
        let games_a_unit = self.games() as f64 / n;
        // Of a unit's sum of margins, or of its points.
        let variance = match of {
            Measure::Points => self.counts().variance() * games_a_unit * games_a_unit * n / (n - 1.0),
            Measure::Margin | Measure::OpponentMargin => self.margins().variance(),
            Measure::Zero => 0.0,
        };
        Some((variance / n).sqrt() / games_a_unit)
    }

    /// The result that counts: the points of a game, the share of successes, or the mean score; 0 without games.
    pub fn result(&self, counts: Counts) -> f64 {
        if counts == Counts::Score { self.mean_margin() } else { self.points() }
    }

    /// The result that counts with its interval.
    pub fn result_interval(&self, counts: Counts, confidence: Confidence) -> Estimate {
        match counts {
            Counts::Score if self.games() == 0 => Estimate::of(f64::NAN),
            _ if self.games() == 0 => Estimate { value: f64::NAN, low: 0.0, high: 1.0, method: Method::None },
            Counts::Points => self.counts().score_interval(confidence),
            Counts::Success => wilson(self.outcomes[0], self.games(), confidence),
            Counts::Score => mean_interval(&self.margins(), confidence),
        }
    }

    /// The margins of units.
    fn margins(&self) -> Moments {
        Moments::of_sums(self.unit_count(), self.margin, self.margin_squares)
    }

    fn counts(&self) -> MatchCounts {
        if self.games() == self.unit_count() {
            let [losses, draws, wins, ..] = self.units;
            MatchCounts::games([losses, draws, wins])
        } else {
            MatchCounts::pairs(self.units)
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.outcomes.iter_mut().zip(other.outcomes).for_each(|(sum, more)| *sum += more);
        self.units.iter_mut().zip(other.units).for_each(|(sum, more)| *sum += more);
        self.margin += other.margin;
        self.margin_squares += other.margin_squares;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

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
        let number = self.openings.count().map_or(0, |count| self.opening % count);
        play_moves(self.openings, number, &mut *table, || (luck / "opening").rng(), &mut deal);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_points_margins_and_their_errors() {
        let mut tally = Tally::default();
        tally.push(&[(Outcome::Win, 10), (Outcome::Draw, 0)]);
        tally.push(&[(Outcome::Loss, -4), (Outcome::Loss, -6)]);
        assert_eq!((tally.games(), tally.unit_count(), tally.outcomes), (4, 2, [1, 1, 2]));
        assert_eq!((tally.points(), tally.mean_margin()), (0.375, 0.0));
        // The points a game of the units are .75 and 0, the margins 5 and −5.
        let error = |of| tally.standard_error(of).unwrap();
        assert!((error(Measure::Points) - (0.75_f64.powi(2) / 2.0 / 2.0).sqrt()).abs() < 1e-12);
        assert!((error(Measure::Margin) - 5.0).abs() < 1e-12);
        let measures = [Measure::Points, Measure::Margin, Measure::Zero, Measure::OpponentMargin];
        assert_eq!(measures.map(|of| tally.won(of)), [false, false, false, true]);
        assert_eq!(measures.map(|of| tally.turned().won(of)), [true, true, false, false]);
        let mean = tally.result_interval(Counts::Score, Confidence::default_level());
        // Student's t with one degree of freedom, 12.706, times the standard error, 10.
        assert_eq!((tally.result(Counts::Score), mean.value), (0.0, 0.0));
        assert!((mean.high - 12.7062 * 10.0).abs() < 1e-3, "{}", mean.high);
        let mut twice = tally;
        twice += tally;
        assert_eq!((twice.games(), twice.margin_squares), (8, 2 * 200));
    }
}
