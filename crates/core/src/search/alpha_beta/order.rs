//! The order in which moves are searched: killers, history, and ranks.

use super::OrderingHeuristic;

/// The number of killers that each ply remembers.
const KILLERS: usize = 2;
/// The most moves with a history. Any further moves have none.
const MOST: usize = 512;

/// The moves that caused cut-offs: killers by ply, and the history of every move.
#[derive(Clone, Debug)]
pub(super) struct CutMoves<M> {
    killers: Vec<[Option<M>; KILLERS]>,
    history: Vec<(M, u64)>,
}

impl<M> Default for CutMoves<M> {
    fn default() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }
}

impl<M: Copy + Eq> CutMoves<M> {
    /// Records that a move caused a cut-off, `ply` plies below the root, with `left` plies to go.
    pub(super) fn cut(&mut self, order: &[OrderingHeuristic], mv: M, ply: usize, left: u32) {
        if order.contains(&OrderingHeuristic::Killers) {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; KILLERS]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        if order.contains(&OrderingHeuristic::History) {
            // Deeper cuts count more: 2^depth in the paper, the square of the depth here.
            let merit = u64::from(left.min(1000)).pow(2);
            if let Some((_, sum)) = self.history.iter_mut().find(|(known, _)| *known == mv) {
                *sum += merit;
            } else if self.history.len() < MOST {
                self.history.push((mv, merit));
            }
        }
    }

    /// The rank of a move as a killer at a ply: 2 for the latest killer, 1 for the one before, else 0.
    pub(super) fn killer(&self, mv: M, ply: usize) -> i64 {
        let killers = self.killers.get(ply);
        let place = killers.and_then(|killers| killers.iter().position(|&killer| killer == Some(mv)));
        place.map_or(0, |place| (KILLERS - place) as i64)
    }

    /// The sum of the squared depths at which a move cut.
    pub(super) fn history(&self, mv: M) -> i64 {
        self.history.iter().find(|(known, _)| *known == mv).map_or(0, |&(_, sum)| sum as i64)
    }

    /// Removes killers and halves the history: earlier searches count less.
    pub(super) fn age(&mut self) {
        self.killers.clear();
        for (_, sum) in &mut self.history {
            *sum /= 2;
        }
    }
}

/// A rank in the order, by several heuristics, of which the first weighs most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(i64);

impl Rank {
    /// Adds a heuristic that weighs less than all before. Its value is a signed number of `bits` bits; larger values
    /// are clamped.
    #[inline(always)]
    pub(super) fn then(self, bits: u32, value: i64) -> Self {
        let largest = (1 << (bits - 1)) - 1;
        Self((self.0 << bits) + value.clamp(-largest, largest))
    }
}
