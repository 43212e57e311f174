//! Playouts to be made: where lanes get their positions, and where results go.

use super::super::{Othello, Position};
use crate::game::{Batch, Player, Tally};

/// Games side by side: `N` positions before the playouts, or after them.
pub(super) struct Lanes<const N: usize> {
    /// The discs of the player who is to move where the playout begins.
    pub(super) mine: [u64; N],
    /// The discs of the other.
    pub(super) theirs: [u64; N],
    /// What the first word of a playout's draws is mixed from. See [`PlayoutKey::counter`](crate::rng::PlayoutKey).
    pub(super) counters: [u64; N],
    /// Afterwards: the plies that the playout took.
    pub(super) plies: [u64; N],
}

impl<const N: usize> Lanes<N> {
    /// Empty boards: games that are over.
    pub(super) const EMPTY: Self = Self { mine: [0; N], theirs: [0; N], counters: [0; N], plies: [0; N] };
}

/// A source of playouts. The methods are called once for some thousand cycles.
pub(super) trait Work {
    /// What must be known to put a lane's result where it belongs.
    type Ticket: Copy + Default;

    /// Puts the next playouts into lanes and tells how many there are; no more when that is 0. The other lanes hold
    /// empty boards.
    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> Self::Ticket;

    /// Whether there is nothing left to take.
    fn is_done(&self) -> bool;

    /// The results of lanes that were taken.
    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, ticket: Self::Ticket);
}

/// A batch from one position.
pub(super) struct FromOne<'g> {
    game: &'g Othello,
    mine: u64,
    theirs: u64,
    /// Whether the payoff asked for is that of the player to move.
    is_to_move: bool,
    /// What is left to take.
    batch: Batch,
    tally: Tally,
}

impl<'g> FromOne<'g> {
    pub(super) fn new(game: &'g Othello, from: &Position, player: Player, batch: Batch) -> Self {
        let is_to_move = player == from.to_move;
        Self { game, mine: from.mine, theirs: from.theirs, is_to_move, batch, tally: Tally::default() }
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }
}

impl Work for FromOne<'_> {
    /// How many lanes are in use.
    type Ticket = usize;

    #[inline(always)]
    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> usize {
        let count = self.batch.count.min(N as u64);
        for lane in 0..N {
            let is_used = (lane as u64) < count;
            lanes.mine[lane] = if is_used { self.mine } else { 0 };
            lanes.theirs[lane] = if is_used { self.theirs } else { 0 };
            lanes.counters[lane] = self.batch.key.counter(self.batch.first.wrapping_add(lane as u64));
        }
        self.batch.first = self.batch.first.wrapping_add(count);
        self.batch.count -= count;
        count as usize
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.batch.count == 0
    }

    #[inline(always)]
    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, count: usize) {
        for lane in 0..count {
            let (mine, theirs) = (lanes.mine[lane], lanes.theirs[lane]);
            let (own, other) = if self.is_to_move { (mine, theirs) } else { (theirs, mine) };
            self.tally.record(self.game.payoff_of(own, other), lanes.plies[lane] as u32);
        }
    }
}
