//! Where the games of an instance begin, whether others begin there, and how many games differ.
//!
//! Two players of which neither chooses by chance play one game from one position, however often. No searcher says of itself
//! whether it is deterministic: that depends on ties, which depend on the game. So the games say it: from a position at which
//! several instances begin, deterministic players play the same. What chance or a player chooses at random may repeat too, and
//! such repetitions are evidence like all else.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::plan::Planned;
use crate::experiment::trial::{GameRecord, play_opening};
use crate::manifest::Openings;
use crate::players::Table;

/// Where the games of an instance begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beginning {
    /// The first instance that begins at this position.
    pub(super) position: u64,
    /// The first instance that begins with these moves.
    line: u64,
    /// Whether several instances begin at this position.
    repeats: bool,
}

/// Where all instances of an experiment begin.
pub(super) enum Beginnings {
    /// At one position.
    Start,
    /// At listed ones.
    Listed(Vec<Beginning>),
    /// By chance: a repetition has the weight that it should have. Or each at another one.
    Chance,
}

impl Beginnings {
    pub(super) fn new(planned: &Planned) -> Self {
        let experiment = &planned.experiment;
        match &experiment.openings {
            _ if experiment.facts().chance => Self::Chance,
            Openings::Random { plies: 0, .. } => Self::Start,
            Openings::Random { .. }
            | Openings::Positions { .. }
            | Openings::Games(_)
            | Openings::RandomPositions => Self::Chance,
            Openings::Listed { lines, .. } => {
                let instances = lines.len().min(experiment.trials as usize);
                let (mut positions, mut of_lines) = (BTreeMap::new(), BTreeMap::new());
                let mut listed = Vec::new();
                for (instance, line) in (0..).zip(&lines[..instances]) {
                    let position = position(planned, instance);
                    let position =
                        position.map_or(instance, |text| *positions.entry(text).or_insert(instance));
                    let line = *of_lines.entry(line).or_insert(instance);
                    listed.push(Beginning { position, line, repeats: false });
                }
                let firsts: Vec<u64> = listed.iter().map(|begin| begin.position).collect();
                for (instance, first) in firsts.into_iter().enumerate() {
                    if first as usize != instance {
                        (listed[first as usize].repeats, listed[instance].repeats) = (true, true);
                    }
                }
                Self::Listed(listed)
            }
        }
    }

    pub(super) fn of(&self, instance: u64) -> Beginning {
        let alone = Beginning { position: instance, line: instance, repeats: false };
        match self {
            Self::Start => Beginning { position: 0, line: 0, repeats: true },
            Self::Listed(listed) => listed.get(instance as usize).copied().unwrap_or(alone),
            Self::Chance => alone,
        }
    }
}

fn opened(planned: &Planned, instance: u64) -> Option<Box<dyn Table + '_>> {
    let game = planned.experiment.game_of(instance);
    let mut table = game.table(&vec![None; usize::from(game.facts().players)]).ok()?;
    let mut deal = LazyCell::new(|| planned.roots.deal(instance));
    play_opening(planned, instance, &mut *table, &mut deal).ok()?;
    Some(table)
}

fn position(planned: &Planned, instance: u64) -> Option<String> {
    let table = opened(planned, instance)?;
    Some(table.position_text().unwrap_or_else(|| table.transcript()))
}

/// The number of distinct openings of the first instances.
///
/// # Cost
/// The openings are played again.
pub(super) fn distinct_openings(planned: &Planned, instances: u64) -> u64 {
    let hashes = (0..instances).filter_map(|instance| Some(opened(planned, instance)?.game_hash()));
    hashes.collect::<BTreeSet<u64>>().len() as u64
}

/// The first pairs of games from positions at which several begin, and whether others took another course.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstPairs {
    firsts: BTreeMap<u64, (u64, Vec<GameRecord>)>,
    /// Whether a position led to different games.
    pub(super) varies: bool,
}

impl FirstPairs {
    /// Notes the games of a pair. Returns whether it is the first from its position.
    pub(super) fn note(&mut self, beginning: Beginning, pair: &[GameRecord]) -> bool {
        let Beginning { position, line, repeats } = beginning;
        let Some((first_line, first)) = self.firsts.get(&position) else {
            if repeats {
                self.firsts.insert(position, (line, pair.to_vec()));
            }
            return true;
        };
        let same_line = *first_line == line;
        self.varies |= first.iter().zip(pair).any(|(first, game)| !is_same(first, game, same_line));
        false
    }
}

/// Whether two games took the same course from one position. If different moves led to it, their hashes differ in any case.
fn is_same(one: &GameRecord, other: &GameRecord, same_line: bool) -> bool {
    let moves = |game: &GameRecord| game.seats.iter().map(|seat| seat.moves).collect::<Vec<_>>();
    let course = |game: &GameRecord| (game.result.clone(), moves(game));
    if same_line { one.game_hash == other.game_hash } else { course(one) == course(other) }
}

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

    /// Whether there are more games than boards, and on each board all are the same one.
    pub(super) fn repeats(&self, boards: u64) -> bool {
        self.games > boards && self.clone().finish().1 <= boards
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
    use super::*;
    use crate::rng::Stream;
    use std::collections::BTreeSet;

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
            assert_eq!(games.repeats(1), set.len() == 1);
            assert_eq!(games.finish(), (20_000, set.len() as u64));
        }
    }
}
