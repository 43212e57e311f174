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
    /// The numbers of those at which the player's moves end, each with that of the position before the last move.
    ends: Vec<[usize; 2]>,
    /// The number of the position before each.
    before: Vec<usize>,
    /// A key of each, which is compared first.
    keys: Vec<u64>,
}

impl<G: Game> Lines<G> {
    pub(super) const fn new() -> Self {
        Self { found: Vec::new(), ends: Vec::new(), before: Vec::new(), keys: Vec::new() }
    }

    /// Looks at all lines from a position, the shortest first. Lines to one position count once. Equal positions have equal keys.
    pub(super) fn look(&mut self, game: &G, root: &G::Position, key: impl Fn(&G::Position) -> u64) {
        let Self { found, ends, before, keys } = self;
        found.clear();
        ends.clear();
        before.clear();
        keys.clear();
        found.push(*root);
        before.push(0);
        keys.push(key(root));
        let mut next = 0;
        while next < found.len() {
            let position = found[next];
            if matches!(game.turn(&position), Turn::Player(_)) {
                for (_, child) in game.children(&position) {
                    let (own, has_room) = (key(&child), found.len() < MOST || ends.is_empty());
                    let mut known = keys.iter().zip(&*found);
                    if has_room && !known.any(|(&other, position)| other == own && *position == child) {
                        found.push(child);
                        before.push(next);
                        keys.push(own);
                    }
                }
            } else {
                ends.push([next, before[next]]);
            }
            next += 1;
        }
    }

    /// The number of positions at which the moves end.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// A position at which the moves end, and the number of the one before the last move.
    pub(super) fn end(&self, number: usize) -> (&G::Position, usize) {
        let [end, before] = self.ends[number];
        (&self.found[end], before)
    }

    /// The position with a number.
    pub(super) fn position(&self, number: usize) -> &G::Position {
        &self.found[number]
    }
}
