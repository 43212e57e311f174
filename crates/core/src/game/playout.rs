//! Playing games out: the innermost loop of every search by playouts, and exact sums over playouts in any order.

use std::ops::AddAssign;

use super::{Game, Kernel, Path, Player, Policy, Turn, accelerate};
use crate::device::Sums;
use crate::rng::{PlayoutKey, PlayoutRng};

/// A batch of playouts: `count` of them under `key`, numbered from `first`.
///
/// A key and a number determine a playout, so the division of playouts into batches does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// The key of all these playouts.
    pub key: PlayoutKey,
    /// The number of the first one.
    pub first: u64,
    /// The number of playouts.
    pub count: u64,
}

impl Batch {
    /// The first `count` playouts under `key`.
    pub const fn new(key: PlayoutKey, count: u64) -> Self {
        Self { key, first: 0, count }
    }
}

/// A batch of playouts from a position, one of many in a call.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutRequest<P> {
    /// The position in which the playouts begin.
    pub from: P,
    /// The player whose payoffs are summed.
    pub player: Player,
    /// The playouts.
    pub batch: Batch,
}

/// Batches to play, and for each in its place the tally that is written.
pub struct Batches<'b, P> {
    /// The batches.
    pub requests: &'b [PlayoutRequest<P>],
    /// As many tallies; see [`Batches::new`].
    pub tallies: &'b mut [Tally],
}

impl<'b, P> Batches<'b, P> {
    /// Batches with the places for their tallies.
    ///
    /// # Panics
    /// If there are not as many of both.
    pub fn new(requests: &'b [PlayoutRequest<P>], tallies: &'b mut [Tally]) -> Self {
        assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
        Self { requests, tallies }
    }
}

/// Plays a position out to the end of the game, in place. Returns the number of plies.
///
/// The policy chooses at a player's turn; at a chance turn the game draws an outcome.
///
/// # Cost
/// Nothing is allocated. The loop is compiled for the game and the policy.
#[inline(always)]
pub fn play_out<G: Game, P: Policy<G> + ?Sized>(
    game: &G,
    policy: &P,
    position: &mut G::Position,
    draws: &mut PlayoutRng,
) -> u32 {
    let mut plies = 0;
    loop {
        let mv = match game.turn(position) {
            Turn::Player(_) => policy.choose(game, position, draws),
            Turn::Chance => game.random_outcome(position, draws),
            Turn::Over => return plies,
        };
        game.apply(position, mv);
        plies += 1;
    }
}

/// Plays a batch with any policy, one game after the other, and tallies the payoffs of `player`.
///
/// The default of every batch of playouts: a faster way must give the same tally.
pub fn run_playouts<G: Game, P: Policy<G> + ?Sized>(
    game: &G,
    policy: &P,
    from: &G::Position,
    player: Player,
    batch: Batch,
) -> Tally {
    accelerate(PlayoutLoop { game, policy, from, player, batch })
}

/// Plays batches with any policy, one game after the other: the default of [`Policy::play_batches`].
pub fn play_plain_batches<G: Game, P: Policy<G> + ?Sized>(
    game: &G,
    policy: &P,
    Batches { requests, tallies }: Batches<'_, G::Position>,
) -> Path {
    for (PlayoutRequest { from, player, batch }, tally) in requests.iter().zip(tallies) {
        *tally = run_playouts(game, policy, from, *player, *batch);
    }
    Path::Portable
}

struct PlayoutLoop<'a, G: Game, P: ?Sized> {
    game: &'a G,
    policy: &'a P,
    from: &'a G::Position,
    player: Player,
    batch: Batch,
}

impl<G: Game, P: Policy<G> + ?Sized> Kernel for PlayoutLoop<'_, G, P> {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for index in self.batch.first..self.batch.first + self.batch.count {
            let mut position = *self.from;
            let mut draws = self.batch.key.playout(index);
            let plies = play_out(self.game, self.policy, &mut position, &mut draws);
            tally.record(self.game.payoff(&position, self.player), plies);
        }
        tally
    }
}

/// The result of a batch of playouts for one player: counts and integer sums, so that tallies from any lanes or threads
/// add up to the same sum in any order.
///
/// # Example
/// ```
/// use shikou::game::Tally;
/// let mut tally = Tally::default();
/// for payoff in [1, -1, 1, 1] {
///     tally.record(payoff, 9);
/// }
/// assert_eq!((tally.playouts, tally.plies, tally.sum), (4, 36, 2));
/// assert_eq!(tally.mean(), 0.5);
/// assert_eq!(tally.variance(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of playouts.
    pub playouts: u64,
    /// The number of plies, of players and of chance.
    pub plies: u64,
    /// The sum of the payoffs.
    pub sum: i64,
    /// The sum of the squares of the payoffs.
    pub sum_squares: u64,
}

impl Tally {
    /// Adds one playout.
    #[inline]
    pub fn record(&mut self, payoff: i32, plies: u32) {
        self.playouts += 1;
        self.plies += u64::from(plies);
        self.sum += i64::from(payoff);
        self.sum_squares += u64::from(payoff.unsigned_abs()).pow(2);
    }

    /// The tally of this number of playouts with these sums.
    pub fn of_sums(playouts: u64, Sums { plies, payoffs, squares }: Sums) -> Self {
        Self { playouts, plies, sum: payoffs, sum_squares: squares }
    }

    /// The mean payoff; 0 without a playout.
    pub fn mean(&self) -> f64 {
        if self.playouts == 0 { 0.0 } else { self.sum as f64 / self.playouts as f64 }
    }

    /// The unbiased variance of one playout's payoff; 0 for fewer than two playouts.
    pub fn variance(&self) -> f64 {
        if self.playouts < 2 {
            return 0.0;
        }
        let n = self.playouts as f64;
        let mean = self.mean();
        ((self.sum_squares as f64 - n * mean * mean) / (n - 1.0)).max(0.0)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.sum += other.sum;
        self.sum_squares += other.sum_squares;
    }
}
