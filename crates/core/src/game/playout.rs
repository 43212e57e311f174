//! Playing games out: the innermost loop of every search by playouts.

use super::{Game, Kernel, Path, Player, Policy, Tally, Turn, accelerate};
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
/// This is the default of every batch of playouts; a faster way must give the same tally.
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
///
/// # Panics
/// If `tallies` is not as long as `requests`.
pub fn play_plain_batches<G: Game, P: Policy<G> + ?Sized>(
    game: &G,
    policy: &P,
    requests: &[PlayoutRequest<G::Position>],
    tallies: &mut [Tally],
) -> Path {
    assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
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
