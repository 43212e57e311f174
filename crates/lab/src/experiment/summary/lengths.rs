//! The lengths of games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The lengths of the games of a player that were played to their end, in plies, including those of chance and of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lengths {
    /// How many games.
    pub games: u64,
    /// The mean length.
    pub mean: f64,
    /// The lengths that [these shares](Lengths::SHARES) of the games did not exceed; the first is that of the shortest.
    pub quantiles: [u32; 7],
}

impl Lengths {
    /// The shares of the games.
    pub const SHARES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];
}

/// How many games had each length.
#[derive(Default)]
pub(super) struct LengthsFold(BTreeMap<u32, u64>);

impl LengthsFold {
    pub(super) fn push(&mut self, plies: u32) {
        *self.0.entry(plies).or_default() += 1;
    }

    /// `None` without games.
    pub(super) fn finish(self) -> Option<Lengths> {
        let games: u64 = self.0.values().sum();
        let plies: u64 = self.0.iter().map(|(&plies, &count)| u64::from(plies) * count).sum();
        let longest = *self.0.last_key_value()?.0;
        let quantile = |share: f64| {
            // The rank of the game, from 1.
            let rank = libm::ceil(share * games as f64).max(1.0) as u64;
            let mut seen = 0;
            let reaches = |(_, count): &(&u32, &u64)| {
                seen += **count;
                seen >= rank
            };
            self.0.iter().find(reaches).map_or(longest, |(&plies, _)| plies)
        };
        Some(Lengths { games, mean: plies as f64 / games as f64, quantiles: Lengths::SHARES.map(quantile) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_lengths_of_games() {
        let of = |lengths: &[u32]| {
            let mut fold = LengthsFold::default();
            for &plies in lengths {
                fold.push(plies);
            }
            fold.finish()
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]).unwrap(), Lengths { games: 1, mean: 7.0, quantiles: [7; 7] });
        let hundred: Vec<u32> = (1..=100).collect();
        assert_eq!(of(&hundred).unwrap().quantiles, [1, 5, 25, 50, 75, 95, 100]);
        assert_eq!(
            of(&[5, 9, 9, 9]).unwrap(),
            Lengths { games: 4, mean: 8.0, quantiles: [5, 5, 5, 9, 9, 9, 9] }
        );
    }
}
