//! Playing games out: the loop that everything else waits for.

use super::{Game, Kernel, Player, Policy, Tally, Turn, accelerate};
use crate::rng::{Draws, PlayoutKey};

/// Which playouts: `count` of them under `key`, numbered from `first`.
///
/// Two batches that name the same key and number name the same playout, however they are cut.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// The key that all these playouts share.
    pub key: PlayoutKey,
    /// The number of the first one.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Batch {
    /// The first `count` playouts under `key`.
    pub const fn new(key: PlayoutKey, count: u64) -> Self {
        Self { key, first: 0, count }
    }
}

/// A batch of playouts from a position of its own: one of many that are played in one call.
///
/// # Example: playouts of two positions in one call
/// ```
/// use shikou::game::{Batch, Game, GameExt, PlayoutRequest, Player, Tally};
/// use shikou::games::othello::Othello;
/// use shikou::rng::PlayoutKey;
/// let game = Othello::default();
/// let requests = ["f5d6", "f5f6"].map(|moves| PlayoutRequest {
///     from: game.follow(moves).unwrap(),
///     player: Player::FIRST,
///     batch: Batch::new(PlayoutKey::new(1), 10),
/// });
/// let mut tallies = [Tally::default(); 2];
/// game.uniform_playouts_of_many(&requests, &mut tallies);
/// assert_eq!(tallies[1], game.uniform_playouts(&requests[1].from, Player::FIRST, requests[1].batch));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlayoutRequest<P> {
    /// Where the playouts begin.
    pub from: P,
    /// Whose payoffs are added up.
    pub player: Player,
    /// Which playouts.
    pub batch: Batch,
}

/// Plays the position out to the end of the game, in place. Returns the plies it took.
///
/// At chance's turns the game's own outcomes are drawn; at a player's turn the policy chooses.
///
/// # Cost
/// Nothing is allocated. The loop is static in the game and the policy.
#[inline(always)]
pub fn play_out<G: Game, P: Policy<G> + ?Sized>(
    game: &G,
    policy: &P,
    position: &mut G::Position,
    draws: &mut Draws,
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

/// Plays a batch out with any policy, one game after the other, and adds up what `player` got.
///
/// This is the default of every batch of playouts; a faster override must give the same tally.
pub fn run_playouts<G: Game, P: Policy<G> + ?Sized>(
    game: &G,
    policy: &P,
    from: &G::Position,
    player: Player,
    batch: Batch,
) -> Tally {
    accelerate(PlayoutLoop { game, policy, from, player, batch })
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
