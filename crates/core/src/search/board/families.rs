//! The families of a tree that several threads grow.

use std::sync::OnceLock;

use arrayvec::ArrayVec;

use crate::game::Game;

/// The children of a node: its position, and the moves that lead to them.
pub(in crate::search) struct Siblings<P, M> {
    pub(super) position: P,
    /// The first child.
    first: u32,
    moves: ArrayVec<M, 16>,
    /// The moves after these, if any.
    more: Box<[M]>,
}

/// A family of a game. It is written once, by the thread that took its number.
pub(in crate::search) type Family<G> = OnceLock<Siblings<<G as Game>::Position, <G as Game>::Move>>;

impl<P, M: Copy + Eq> Siblings<P, M> {
    pub(super) fn new(position: P, first: u32, moves: &[M]) -> Self {
        let (near, more) = moves.split_at(moves.len().min(16));
        Self { position, first, moves: near.iter().copied().collect(), more: more.into() }
    }

    /// The move that leads to a child.
    #[inline(always)]
    pub(super) fn mv(&self, child: u32) -> M {
        let index = (child - self.first) as usize;
        self.moves.get(index).copied().unwrap_or_else(|| self.more[index - self.moves.len()])
    }

    /// The moves that lead to all children.
    pub(super) fn moves(&self) -> Vec<M> {
        self.moves.iter().chain(&self.more).copied().collect()
    }

    /// The child by a move.
    pub(super) fn child_by(&self, mv: M) -> u32 {
        let place = self.moves.iter().chain(&self.more).position(|other| *other == mv);
        self.first + place.expect("the move leads to a child") as u32
    }
}
