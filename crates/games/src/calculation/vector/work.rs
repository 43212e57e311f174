//! The playouts left to make, request by request.

use super::super::{Calculation, Position};
use super::fit_lanes;
use super::start::{BANK, Start};
use crate::game::{Batch, PlayoutRequest};

/// The playouts left of some requests. Skips requests that do not fit lanes.
pub(super) struct Work<'a> {
    game: &'a Calculation,
    requests: &'a [PlayoutRequest<Position>],
    /// The index of the current request.
    request: usize,
    /// The number of its playouts already taken.
    taken: u64,
    /// The position of the last request.
    start: Start,
}

/// Playouts that begin together, from one position.
pub(super) struct Run<'w> {
    /// The index of their request.
    pub(super) request: usize,
    pub(super) batch: Batch,
    pub(super) start: &'w Start,
}

impl<'a> Work<'a> {
    pub(super) fn new(game: &'a Calculation, requests: &'a [PlayoutRequest<Position>]) -> Self {
        let mut work = Self { game, requests, request: 0, taken: 0, start: Start::NOTHING };
        work.pass_over();
        work
    }

    pub(super) fn is_done(&self) -> bool {
        self.request == self.requests.len()
    }

    /// Takes up to `most` playouts of one request; `None` if nothing is left.
    pub(super) fn take(&mut self, most: u64) -> Option<Run<'_>> {
        let request = self.request;
        let PlayoutRequest { from, batch, .. } = self.requests.get(request)?;
        if self.taken == 0 {
            self.start.set(from, usize::from(self.game.piles.div_ceil(BANK)));
        }
        let count = most.min(batch.count - self.taken);
        let batch = Batch { first: batch.first.wrapping_add(self.taken), count, ..*batch };
        self.taken += count;
        self.pass_over();
        Some(Run { request, batch, start: &self.start })
    }

    /// Skips requests without playouts for lanes.
    fn pass_over(&mut self) {
        while let Some(PlayoutRequest { from, batch, .. }) = self.requests.get(self.request)
            && (self.taken == batch.count || !fit_lanes(self.game, from))
        {
            (self.request, self.taken) = (self.request + 1, 0);
        }
    }
}
