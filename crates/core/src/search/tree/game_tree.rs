//! The tree of a game: the arena with moves and positions.
//!
//! The position of each node with children is kept, once per family, so a descent makes no moves until it leaves the
//! tree.

use super::arena::{Arena, Columns, MOST_CHILDREN};
use super::column::{Column, Rows};
use super::node::{Bounds, Kind, NONE, ROOT, Score};
use crate::search::Meter;

/// A tree of moves.
#[derive(Clone, Debug)]
pub(crate) struct GameTree<P, M> {
    pub(crate) arena: Arena,
    /// The move that leads to each node; arbitrary for the root.
    moves: Column<M>,
    /// The position of each family.
    positions: Column<P>,
}

impl<P: Copy + Eq, M: Copy + Eq> GameTree<P, M> {
    pub(crate) fn new(columns: Columns) -> Self {
        let arena = Arena::new(columns, size_of::<M>(), size_of::<P>());
        Self { arena, moves: Column::pushed(), positions: Column::pushed() }
    }

    /// Resets the tree to a root. All payoffs are within the range.
    pub(crate) fn clear(&mut self, position: P, mv: M, kind: Kind, range: Bounds) {
        self.arena.clear(kind, range);
        (self.positions.default, self.moves.default) = (Some(position), Some(mv));
        self.positions.truncate(0);
        self.moves.truncate(0);
        self.moves.push(mv);
    }

    /// Gives a node children, each with this score. Returns whether there was enough memory; if not, nothing is
    /// changed.
    pub(crate) fn expand(
        &mut self,
        node: u32,
        position: P,
        moves: impl Iterator<Item = M>,
        score: Score,
        numbers: usize,
        meter: &mut Meter,
    ) -> bool {
        if !self.arena.make_room_for_family(numbers, meter) {
            return false;
        }
        let first = self.moves.len();
        for mv in moves {
            if self.moves.len() - first == MOST_CHILDREN {
                self.arena.is_too_wide = true;
                self.moves.truncate(first);
                return false;
            }
            if self.moves.len() >= self.arena.room() {
                if !self.arena.grow(meter) {
                    self.moves.truncate(first);
                    return false;
                }
                self.moves.reserve(self.arena.room());
            }
            self.moves.push(mv);
        }
        self.arena.adopt(node, self.moves.len(), score, numbers);
        self.positions.reserve(self.arena.family_room());
        self.positions.push(position);
        true
    }

    /// Adds moves to the children of a node, as a new family with copies of the old children. Returns whether there was
    /// enough memory; if not, nothing is changed.
    pub(crate) fn extend(
        &mut self,
        node: u32,
        position: P,
        fresh: &[M],
        score: Score,
        meter: &mut Meter,
    ) -> bool {
        let old = self.arena.children(node);
        let moves: Vec<M> = self.moves[old.clone()].iter().chain(fresh).copied().collect();
        let extended = self.expand(node, position, moves.into_iter(), score, 0, meter);
        if extended {
            self.arena.copy_family(old, self.arena.children(node).start);
        }
        extended
    }

    /// The family of a position with this key, if there is one.
    pub(crate) fn family_of(&self, key: u128, position: &P) -> Option<u32> {
        self.arena.index.families(key).find(|&family| self.positions[family] == *position)
    }

    /// The move that leads to a node.
    #[inline(always)]
    pub(crate) fn mv(&self, node: u32) -> M {
        self.moves[node]
    }

    /// The position at a node that has children.
    #[inline(always)]
    pub(crate) fn position_of(&self, node: u32) -> P {
        self.positions[self.arena.nodes[node].family]
    }

    /// The moves that lead to the children of a node.
    pub(crate) fn moves_of(&mut self, node: u32) -> &mut [M] {
        let children = self.arena.children(node);
        &mut self.moves[children]
    }

    /// The child of a node by this move.
    #[inline(always)]
    pub(crate) fn child_by(&self, node: u32, mv: M) -> Option<u32> {
        self.arena.children(node).find(|&child| self.mv(child) == mv)
    }

    /// Like [`GameTree::child_by`], but tries the child with this index first.
    pub(crate) fn child_near(&self, node: u32, index: u32, mv: M) -> Option<u32> {
        let children = self.arena.children(node);
        let likely =
            Some(children.start + index).filter(|&child| child < children.end && self.mv(child) == mv);
        likely.or_else(|| self.child_by(node, mv))
    }

    /// Makes a node the root, and drops all nodes that are not below it.
    pub(crate) fn advance(&mut self, root: u32) {
        self.arena.prune(root, 1, &mut self.moves, &mut self.positions);
    }

    /// Frees half of the nodes: the least visited nodes lose their children.
    pub(crate) fn recycle(&mut self) {
        let least = self.arena.least_visits_to_stay();
        self.arena.prune(ROOT, least, &mut self.moves, &mut self.positions);
        self.arena.is_full = false;
    }

    /// Whether a node has children.
    #[inline(always)]
    pub(crate) fn is_expanded(&self, node: u32) -> bool {
        self.arena.nodes[node].first != NONE
    }
}
