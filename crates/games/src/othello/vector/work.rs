//! The playouts left to make: the source of positions for lanes, and the sink of results.

use super::super::{Othello, Position};
use crate::game::{Batch, Player, PlayoutRequest, Tally};

/// Games side by side: `N` positions before the playouts, or after them.
pub(super) struct Lanes<const N: usize> {
    /// The discs of the player to move at the beginning of the playout.
    pub(super) mine: [u64; N],
    /// The discs of the other.
    pub(super) theirs: [u64; N],
    /// The input of the mix for the first word of a playout. See [`PlayoutKey::counter`](crate::rng::PlayoutKey).
    pub(super) counters: [u64; N],
    /// Afterwards: the plies that the playout took.
    pub(super) plies: [u64; N],
}

impl<const N: usize> Lanes<N> {
    /// Empty boards: games that are over.
    pub(super) const EMPTY: Self = Self { mine: [0; N], theirs: [0; N], counters: [0; N], plies: [0; N] };
}

/// A source of playouts. Its methods are called once in a few thousand cycles.
pub(super) trait Work {
    /// The destination of the results of lanes.
    type Ticket: Copy + Default;

    /// Puts the next playouts into lanes, and empty boards into the remaining lanes.
    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> Self::Ticket;

    /// Whether nothing is left to take.
    fn is_done(&self) -> bool;

    /// Records the results of lanes.
    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, ticket: Self::Ticket);
}

/// A batch from one position.
pub(super) struct FromOne<'g> {
    game: &'g Othello,
    mine: u64,
    theirs: u64,
    /// Whether the payoff is that of the player to move.
    is_to_move: bool,
    /// The playouts left to take.
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
    /// The number of lanes in use.
    type Ticket = usize;

    #[inline(always)]
    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> usize {
        let count = self.batch.count.min(N as u64);
        for lane in 0..N {
            // All ones if the lane is in use.
            let used = u64::from(lane as u64 >= count).wrapping_sub(1);
            lanes.mine[lane] = self.mine & used;
            lanes.theirs[lane] = self.theirs & used;
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

    /// All lanes are handled alike: unused ones are empty and add nothing.
    #[inline(always)]
    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, count: usize) {
        let (mut plies, mut sum, mut sum_squares) = (0, 0, 0);
        for lane in 0..N {
            let payoff = i64::from(self.game.payoff_of(lanes.mine[lane], lanes.theirs[lane]));
            plies += lanes.plies[lane];
            sum += payoff;
            sum_squares += (payoff * payoff) as u64;
        }
        let sum = if self.is_to_move { sum } else { -sum };
        self.tally += Tally { playouts: count as u64, plies, sum, sum_squares };
    }
}

/// Batches from many positions, which fill the lanes in turn.
pub(super) struct FromMany<'a> {
    game: &'a Othello,
    requests: &'a [PlayoutRequest<Position>],
    tallies: &'a mut [Tally],
    next: Place,
}

/// A playout of requests: the indices of the request and of the playout.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    request: usize,
    playout: u64,
}

impl<'a> FromMany<'a> {
    /// Results are added to the tallies.
    pub(super) fn new(
        game: &'a Othello,
        requests: &'a [PlayoutRequest<Position>],
        tallies: &'a mut [Tally],
    ) -> Self {
        let mut work = Self { game, requests, tallies, next: Place::default() };
        work.next = work.settled(work.next);
        work
    }

    /// The place itself if there is such a playout, else the first playout of the next request that has one.
    #[inline(always)]
    fn settled(&self, mut place: Place) -> Place {
        while let Some(request) = self.requests.get(place.request)
            && place.playout == request.batch.count
        {
            place = Place { request: place.request + 1, playout: 0 };
        }
        place
    }

    #[inline(always)]
    fn after(&self, place: Place) -> Place {
        self.settled(Place { playout: place.playout + 1, ..place })
    }
}

impl Work for FromMany<'_> {
    /// The first playout, and the number of playouts.
    type Ticket = (Place, usize);

    #[inline(always)]
    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> (Place, usize) {
        let first = self.next;
        let mut count = 0;
        for lane in 0..N {
            if let Some(PlayoutRequest { from, batch, .. }) = self.requests.get(self.next.request) {
                lanes.mine[lane] = from.mine;
                lanes.theirs[lane] = from.theirs;
                lanes.counters[lane] = batch.key.counter(batch.first.wrapping_add(self.next.playout));
                self.next = self.after(self.next);
                count += 1;
            } else {
                (lanes.mine[lane], lanes.theirs[lane]) = (0, 0);
            }
        }
        (first, count)
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.next.request == self.requests.len()
    }

    #[inline(always)]
    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, (mut place, count): (Place, usize)) {
        for lane in 0..count {
            let PlayoutRequest { from, player, .. } = &self.requests[place.request];
            let payoff = self.game.payoff_of(lanes.mine[lane], lanes.theirs[lane]);
            let payoff = if *player == from.to_move { payoff } else { -payoff };
            self.tallies[place.request].record(payoff, lanes.plies[lane] as u32);
            place = self.after(place);
        }
    }
}
