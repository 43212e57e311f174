//! The positions that a player's own moves reach before chance or the end decides.
//!
//! The key decision: what is valued is a position before a turn of chance, when the player has decided and luck has not. Such
//! values compare all that a player can do without a look at any outcome (Sutton and Barto 2018, section 6.8, "afterstates").
//! Rejected: values of the positions in between, which only repeat the best of what follows.

use crate::game::{Game, GameExt, Turn};

/// The positions that are looked at from one; once some line has ended, no more are.
const MOST: usize = 1024;

/// The lines of a player's moves from a position to the next turn of chance, or to the end.
pub(super) struct Lines<G: Game> {
    /// Each position once; the root is the first.
    found: Vec<G::Position>,
    /// The numbers of those at which the player's moves end.
    ends: Vec<usize>,
    /// The number of the position before each, and the move between; nothing is before the root.
    before: Vec<Option<(usize, G::Move)>>,
    /// A key of each, which is compared first.
    keys: Vec<u64>,
    /// Whether no position was left out.
    whole: bool,
}

impl<G: Game> Lines<G> {
    pub(super) const fn new() -> Self {
        Self { found: Vec::new(), ends: Vec::new(), before: Vec::new(), keys: Vec::new(), whole: true }
    }

    /// Looks at all lines from a position, the shortest first. Lines to one position count once. Equal positions have equal keys.
    pub(super) fn look(&mut self, game: &G, root: &G::Position, key: impl Fn(&G::Position) -> u64) {
        let Self { found, ends, before, keys, whole } = self;
        found.clear();
        ends.clear();
        before.clear();
        keys.clear();
        found.push(*root);
        before.push(None);
        keys.push(key(root));
        *whole = true;
        let mut next = 0;
        while next < found.len() {
            let position = found[next];
            if matches!(game.turn(&position), Turn::Player(_)) {
                for (mv, child) in game.children(&position) {
                    let own = key(&child);
                    let mut known = keys.iter().zip(&*found);
                    if known.any(|(&other, position)| other == own && *position == child) {
                        continue;
                    }
                    if found.len() < MOST || ends.is_empty() {
                        found.push(child);
                        before.push(Some((next, mv)));
                        keys.push(own);
                    } else {
                        *whole = false;
                    }
                }
            } else {
                ends.push(next);
            }
            next += 1;
        }
    }

    /// The number of positions at which the moves end.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// Whether all lines were looked at.
    pub(super) const fn is_whole(&self) -> bool {
        self.whole
    }

    /// A position at which the moves end.
    pub(super) fn end(&self, number: usize) -> &G::Position {
        &self.found[self.ends[number]]
    }

    /// The number of the position before the last move to an end, and that position; those of the end itself if there is no move.
    pub(super) fn before(&self, number: usize) -> (usize, &G::Position) {
        let end = self.ends[number];
        let before = self.before[end].map_or(end, |(before, _)| before);
        (before, &self.found[before])
    }

    /// The moves to an end, the last one first.
    pub(super) fn backwards(&self, number: usize) -> impl Iterator<Item = G::Move> {
        let step = |&(before, _): &(usize, G::Move)| self.before[before];
        std::iter::successors(self.before[self.ends[number]], step).map(|(_, mv)| mv)
    }
}
