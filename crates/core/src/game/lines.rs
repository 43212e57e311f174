//! The positions that a player's own moves reach before chance or the end decides.
//!
//! The key decision: positions before a turn of chance are compared, when the player has decided and chance has not. So all
//! that a player can do is compared without a look at any outcome (Sutton and Barto 2018, section 6.8, "afterstates").
//! Rejected: values of the positions in between, which only repeat the best of what follows.

use super::{Game, GameExt, Turn};

/// The positions that are looked at from one; once some line has ended, no more are.
const MOST: usize = 1024;

/// The lines of a player's moves from a position to the next turn of chance, or to the end.
pub struct Lines<G: Game, K = u64> {
    /// Each position once; the root is the first.
    found: Vec<G::Position>,
    /// The numbers of those at which the player's moves end.
    ends: Vec<usize>,
    /// The number of the position before each, and the move between; nothing is before the root.
    before: Vec<Option<(usize, G::Move)>>,
    /// A key of each, which is compared first.
    keys: Vec<K>,
    /// The moves that led to positions, if some may wait.
    steps: Vec<Step<G::Move>>,
    /// The last step to each position.
    last: Vec<Option<usize>>,
    is_whole: bool,
}

/// A move that led to a position.
struct Step<M> {
    mv: M,
    /// The number of the position before it.
    before: usize,
    /// Another step to the same position.
    other: Option<usize>,
}

/// The rule by which lines count as one, and by which they are followed.
pub trait Follow<G: Game> {
    /// The type of the keys.
    type Key: Copy + PartialEq;

    /// A key of a position. Positions that count as one have equal keys.
    fn key(&self, game: &G, position: &G::Position) -> Self::Key;

    /// Whether two positions with this key count as one.
    fn is_same(&self, key: Self::Key, one: &G::Position, other: &G::Position) -> bool;

    /// The only move that is followed from a position; `None`, the default, for all.
    fn only_move(&self, _game: &G, _position: &G::Position) -> Option<G::Move> {
        None
    }

    /// Whether some moves may wait.
    const WAITS: bool = false;

    /// Whether a move before another might as well wait until the player's next turn. Then this line is left out.
    fn may_wait(&self, _game: &G, _first: G::Move, _then: G::Move) -> bool {
        false
    }
}

/// Positions with equal [keys](Game::key) count as one, or else equal positions.
pub(super) struct EqualKeys;

impl<G: Game> Follow<G> for EqualKeys {
    type Key = Option<u128>;

    fn key(&self, game: &G, position: &G::Position) -> Option<u128> {
        game.key(position)
    }

    fn is_same(&self, key: Option<u128>, one: &G::Position, other: &G::Position) -> bool {
        key.is_some() || one == other
    }
}

impl<G: Game, K: Copy + PartialEq> Default for Lines<G, K> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            ends: Vec::new(),
            before: Vec::new(),
            keys: Vec::new(),
            steps: Vec::new(),
            last: Vec::new(),
            is_whole: true,
        }
    }
}

impl<G: Game, K: Copy + PartialEq> Lines<G, K> {
    /// Looks at all lines from a position, the shortest first. Lines to one position count once.
    pub fn look<F: Follow<G, Key = K>>(&mut self, game: &G, root: &G::Position, follow: &F) {
        self.found.clear();
        self.ends.clear();
        self.before.clear();
        self.keys.clear();
        self.steps.clear();
        self.last.clear();
        self.is_whole = true;
        self.meet(*root, follow.key(game, root), None);
        let mut next = 0;
        while next < self.found.len() {
            let position = self.found[next];
            if !matches!(game.turn(&position), Turn::Player(_)) {
                self.ends.push(next);
            } else if let Some(mv) = follow.only_move(game, &position) {
                self.add(game, game.after(&position, mv), (next, mv), follow);
            } else {
                for (mv, child) in game.children(&position) {
                    if F::WAITS && self.might_wait(game, next, mv, follow) {
                        continue;
                    }
                    let number = self.add(game, child, (next, mv), follow);
                    if let Some(number) = number.filter(|_| F::WAITS) {
                        self.steps.push(Step { mv, before: next, other: self.last[number] });
                        self.last[number] = Some(self.steps.len() - 1);
                    }
                }
            }
            next += 1;
        }
    }

    /// Whether some last move to a position might as well wait until after another.
    fn might_wait(&self, game: &G, number: usize, then: G::Move, follow: &impl Follow<G, Key = K>) -> bool {
        let steps = std::iter::successors(self.last[number], |&step| self.steps[step].other);
        steps.map(|step| &self.steps[step]).any(|step| {
            follow.may_wait(game, step.mv, then) && game.moves(&self.found[step.before]).any(|mv| mv == then)
        })
    }

    /// Adds a position after another, unless it is known. Returns its number, unless there is no room.
    fn add(
        &mut self,
        game: &G,
        child: G::Position,
        before: (usize, G::Move),
        follow: &impl Follow<G, Key = K>,
    ) -> Option<usize> {
        let own = follow.key(game, &child);
        let mut known = self.keys.iter().zip(&self.found);
        let known =
            known.position(|(&other, position)| other == own && follow.is_same(own, position, &child));
        if known.is_none() && self.found.len() >= MOST && !self.ends.is_empty() {
            self.is_whole = false;
            return None;
        }
        Some(known.unwrap_or_else(|| self.meet(child, own, Some(before))))
    }

    fn meet(&mut self, position: G::Position, key: K, before: Option<(usize, G::Move)>) -> usize {
        self.found.push(position);
        self.before.push(before);
        self.keys.push(key);
        self.last.push(None);
        self.found.len() - 1
    }

    /// Whether no line was left out, for want of room.
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The number of positions that were looked at.
    pub(crate) fn positions(&self) -> usize {
        self.found.len()
    }

    /// The number of positions at which the moves end.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// A position at which the moves end.
    pub fn end(&self, number: usize) -> &G::Position {
        &self.found[self.ends[number]]
    }

    /// The number of the position before the last move to an end, and that position; those of the end itself if there is no move.
    pub fn before(&self, number: usize) -> (usize, &G::Position) {
        let end = self.ends[number];
        let before = self.before[end].map_or(end, |(before, _)| before);
        (before, &self.found[before])
    }

    /// The moves to an end, the last one first.
    pub fn backwards(&self, number: usize) -> impl Iterator<Item = G::Move> {
        let step = |&(before, _): &(usize, G::Move)| self.before[before];
        std::iter::successors(self.before[self.ends[number]], step).map(|(_, mv)| mv)
    }

    /// The key of a position at which the moves end.
    pub(crate) fn key(&self, number: usize) -> K {
        self.keys[self.ends[number]]
    }
}
