//! How two players of a match fared from each seat.

use serde::{Deserialize, Serialize};

use crate::experiment::trial::GameRecord;
use crate::game::Outcome;
use crate::stats::{Confidence, Estimate, Moments, clustered_rate_of_counts, mean_interval, wilson};

/// How the player that a meeting is told for fared from each seat, and from both together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sides {
    /// The game's names for who moves first and who moves second; none if it has none.
    pub seats: Option<[String; 2]>,
    /// The games as the first player.
    pub first: Side,
    /// The games as the second player.
    pub second: Side,
    /// All its games. Its intervals take the pair as the unit: the two games of one share their opening.
    pub total: Side,
}

/// The games of a player from one seat, or from both.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Side {
    /// How many games.
    pub games: u64,
    /// Games won, drawn and lost.
    pub wins_draws_losses: [u64; 3],
    /// The share of the games that it won, in `[0, 1]`. Each of the three intervals is for itself: they do not hold
    /// together at their level.
    pub won: Estimate,
    /// The share that was drawn.
    pub drawn: Estimate,
    /// The share that it lost.
    pub lost: Estimate,
    /// The mean length of its games in plies, the opening's included, without those that an engine did not finish.
    pub plies: Estimate,
}

/// The sides of a meeting in the making, for the first player of the cell: it begins the first game of each pair.
#[derive(Clone, Debug, Default)]
pub(super) struct SidesFold {
    seats: Option<[&'static str; 2]>,
    /// Of the first and the second games: won, drawn and lost, and their lengths.
    games: [([u64; 3], Moments); 2],
    /// For won, drawn and lost how many pairs had 0, 1 and 2 of these.
    pairs: [[u64; 3]; 3],
    /// The mean length of the games of each pair.
    lengths: Moments,
}

impl SidesFold {
    /// No pair yet. `seats` is what the game calls them.
    pub(super) fn new(seats: Option<[&'static str; 2]>) -> Self {
        Self { seats, ..Self::default() }
    }

    pub(super) fn push(&mut self, pair: &[GameRecord]) {
        let (mut of_pair, mut plies) = ([0; 3], 0.0);
        // A game that an engine did not finish has no length.
        let has_lengths = pair.iter().all(|game| game.forfeit.is_none());
        for (index, game) in pair.iter().enumerate() {
            let Ok((outcome, _)) = game.result else { continue };
            let outcome = if index == 0 { outcome } else { outcome.reversed() };
            let place = match outcome {
                Outcome::Win => 0,
                Outcome::Draw => 1,
                Outcome::Loss => 2,
            };
            let (counts, lengths) = &mut self.games[index];
            counts[place] += 1;
            if game.forfeit.is_none() {
                lengths.push(f64::from(game.plies));
            }
            of_pair[place] += 1;
            plies += f64::from(game.plies) / pair.len() as f64;
        }
        self.pairs.iter_mut().zip(of_pair).for_each(|(pairs, games)| pairs[games] += 1);
        if has_lengths {
            self.lengths.push(plies);
        }
    }

    /// The sides of the cell's first player, or where `turned` those of the second one.
    pub(super) fn finish(mut self, turned: bool, has_intervals: bool, confidence: Confidence) -> Sides {
        if turned {
            // The second player has the other seat in every game, and the other result.
            self.games.reverse();
            self.games.iter_mut().for_each(|(counts, _)| counts.reverse());
            self.pairs.reverse();
        }
        let finish = |estimate: Estimate| if has_intervals { estimate } else { estimate.without_interval() };
        let side = |counts: [u64; 3], rates: [Estimate; 3], lengths: &Moments| {
            let [won, drawn, lost] = rates.map(finish);
            let (games, plies) = (counts.iter().sum(), finish(mean_interval(lengths, confidence)));
            Side { games, wins_draws_losses: counts, won, drawn, lost, plies }
        };
        let one = |(counts, lengths): &([u64; 3], Moments)| {
            let games = counts.iter().sum();
            side(*counts, counts.map(|count| wilson(count, games, confidence)), lengths)
        };
        let of_pairs = |pairs: [u64; 3]| {
            let kinds = [((0, 2), pairs[0]), ((1, 2), pairs[1]), ((2, 2), pairs[2])];
            clustered_rate_of_counts(&kinds, confidence)
        };
        let total = self.pairs.map(|pairs| pairs[1] + 2 * pairs[2]);
        Sides {
            seats: self.seats.map(|seats| seats.map(Into::into)),
            first: one(&self.games[0]),
            second: one(&self.games[1]),
            total: side(total, self.pairs.map(of_pairs), &self.lengths),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Method;

    fn game(outcome: Outcome, plies: u32) -> GameRecord {
        GameRecord {
            result: Ok((outcome, 0)),
            forfeit: None,
            plies,
            game_hash: 0,
            seats: arrayvec::ArrayVec::new(),
        }
    }

    /// Outcomes are for the first seat: the player that the cell names first has it in the first game only.
    #[test]
    fn each_game_counts_for_the_seat_in_which_it_was_played() {
        let mut fold = SidesFold::new(Some(["x", "o"]));
        fold.push(&[game(Outcome::Win, 5), game(Outcome::Win, 7)]);
        fold.push(&[game(Outcome::Win, 5), game(Outcome::Draw, 9)]);
        fold.push(&[game(Outcome::Loss, 6), game(Outcome::Loss, 8)]);
        let confidence = Confidence::new(0.95);
        let sides = fold.clone().finish(false, true, confidence);
        assert_eq!(sides.first.wins_draws_losses, [2, 0, 1]);
        assert_eq!(sides.second.wins_draws_losses, [1, 1, 1]);
        assert_eq!(sides.total.wins_draws_losses, [3, 1, 2]);
        assert_eq!([sides.first.games, sides.second.games, sides.total.games], [3, 3, 6]);
        assert!((sides.first.plies.value - 16.0 / 3.0).abs() < 1e-12);
        assert!((sides.second.plies.value - 8.0).abs() < 1e-12);
        assert!((sides.total.plies.value - 20.0 / 3.0).abs() < 1e-12);
        assert_eq!(sides.first.won, wilson(2, 3, confidence));
        assert_eq!(sides.total.won.method, Method::WilsonClustered);

        let turned = fold.finish(true, true, confidence);
        assert_eq!(turned.first.wins_draws_losses, [1, 1, 1]);
        assert_eq!(turned.second.wins_draws_losses, [1, 0, 2]);
        assert_eq!(turned.total.wins_draws_losses, [2, 1, 3]);
        assert_eq!(turned.total.lost, sides.total.won);
        assert_eq!(turned.first.plies, sides.second.plies);
    }

    /// Four pairs in each of which one game was won and one lost are four results and not eight.
    #[test]
    fn the_total_takes_the_pair_as_its_unit() {
        let mut fold = SidesFold::default();
        (0..4).for_each(|_| fold.push(&[game(Outcome::Win, 5), game(Outcome::Win, 5)]));
        let sides = fold.finish(false, true, Confidence::new(0.95));
        let four = wilson(2, 4, Confidence::new(0.95));
        assert!((sides.total.won.low - four.low).abs() < 1e-12, "{:?}", sides.total.won);
        assert_eq!((sides.first.won.value, sides.second.won.value), (1.0, 0.0));
    }

    #[test]
    fn before_all_is_played_there_are_no_intervals() {
        let mut fold = SidesFold::default();
        fold.push(&[game(Outcome::Win, 5), game(Outcome::Loss, 5)]);
        let sides = fold.finish(false, false, Confidence::new(0.95));
        assert_eq!((sides.first.won.method, sides.total.plies.method), (Method::None, Method::None));
        assert!(sides.total.won.low.is_infinite());
    }
}
