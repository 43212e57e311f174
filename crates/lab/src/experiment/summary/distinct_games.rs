//! The number of distinct games, by their hashes.

/// The least number of hashes to gather before equal ones are removed.
const LEAST: usize = 1024;

/// The set of the hashes of games.
///
/// # Cost
/// 8 bytes for each distinct hash, at most 16 while hashes gather; a few dozen nanoseconds per game.
#[derive(Clone, Debug, Default)]
pub(super) struct DistinctGames {
    games: u64,
    /// Sorted hashes, followed by those added since.
    different: Vec<u64>,
    /// The length at which the hashes are sorted again.
    full: usize,
}

impl DistinctGames {
    pub(super) fn push(&mut self, hash: u64) {
        self.games += 1;
        self.different.push(hash);
        if self.different.len() >= self.full.max(LEAST) {
            self.gather();
            self.full = 2 * self.different.len();
        }
    }

    /// Whether there are several games, and all are the same one.
    pub(super) fn repeats_one(&self) -> bool {
        self.games > 1 && self.different.iter().all(|other| *other == self.different[0])
    }

    /// The number of games, and of distinct games.
    pub(super) fn finish(mut self) -> (u64, u64) {
        self.gather();
        (self.games, self.different.len() as u64)
    }

    fn gather(&mut self) {
        self.different.sort_unstable();
        self.different.dedup();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rng::Stream;

    #[test]
    fn different_games_are_counted_once() {
        let mut rng = (Stream::new(3) / "games").rng();
        for many in [1, 50, 3_000, 1 << 40] {
            let (mut games, mut set) = (DistinctGames::default(), BTreeSet::new());
            for _ in 0..20_000 {
                let hash = rng.below(many);
                games.push(hash);
                set.insert(hash);
            }
            assert!(games.different.len() <= 2 * set.len().max(LEAST));
            assert_eq!(games.repeats_one(), set.len() == 1);
            assert_eq!(games.finish(), (20_000, set.len() as u64));
        }
    }
}
