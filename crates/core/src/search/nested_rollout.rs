use std::sync::Arc;

use super::candidates::{Candidates, decide};
use super::decision::estimates;
use super::{Decided, Meter, MoveStream, NoTree, Searcher, Stop, Ties};
use crate::game::{Batch, Game, Player, Policy, PolicyExt, Tally, Turn};
use crate::rng::{PlayoutKey, Rng};

/// Nested rollouts (Yan, Diaconis, Rusmevichientong, Van Roy 2004, "Solitaire: man versus machine", NIPS): the
/// policy of level *n* plays `playouts` games after each move by the policy of level *n* − 1, and then the move with
/// the best mean. The policy of level 0 is given.
///
/// Level 1 is the rollout of a base policy (Tesauro, Galperin 1996, "On-line policy improvement using Monte-Carlo
/// search", NIPS). It equals flat Monte Carlo to the bit. In games of chance each playout draws its own outcomes. An
/// opponent plays by the same policies.
///
/// A forced move is played without playouts, at every level.
///
/// # Cost
/// About (*b k*)ⁿ *p*ⁿ⁻¹ playouts per decision, with *b* moves per turn, *p* plies per game and *k* playouts per move.
#[derive(Clone)]
pub struct NestedRollout<G> {
    level: u32,
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
}

impl<G: Game> NestedRollout<G> {
    /// The policy of this level over a base policy.
    ///
    /// # Panics
    /// If the level or the number of playouts is 0.
    pub fn new(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(level > 0 && playouts > 0, "nested rollouts have at least one level and one playout");
        Self { level, playouts, policy, ties }
    }

    /// The payoffs of the player to move from games played after each candidate.
    fn after_each(
        &self,
        game: &G,
        candidates: &Candidates<G>,
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Vec<Tally> {
        let games =
            |(index, child)| self.games(game, child, candidates.player, level, key.child(index), meter);
        (0..).zip(&candidates.children).map(games).collect()
    }

    /// A player's payoffs from games played from here by the policy of this level.
    #[inline(never)]
    fn games(
        &self,
        game: &G,
        from: &G::Position,
        player: Player,
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Tally {
        if level == 0 {
            let tally = self.policy.playouts(game, from, player, Batch::new(key, self.playouts));
            meter.count_playouts(&tally);
            return tally;
        }
        let mut tally = Tally::default();
        for number in 0..self.playouts {
            tally.record(self.play(game, *from, player, level, key.child(number), meter), 0);
        }
        tally
    }

    /// Plays one game to its end by the policy of this level, at least 1, and returns a player's payoff.
    #[inline(never)]
    fn play(
        &self,
        game: &G,
        mut position: G::Position,
        player: Player,
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> i32 {
        for ply in 0.. {
            let key = key.child(ply);
            let mv = match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => game.random_outcome(&position, &mut key.playout(0)),
                Turn::Player(mover) => {
                    let candidates = Candidates::of(game, &position, mover);
                    let best = if candidates.moves.len() == 1 {
                        0
                    } else {
                        let tallies = self.after_each(game, &candidates, level - 1, key, meter);
                        self.ties.best(tallies.iter().map(Tally::mean), &mut Rng::from_key(key))
                    };
                    candidates.moves[best]
                }
            };
            game.apply(&mut position, mv);
        }
        game.payoff(&position, player)
    }
}

impl<G: Game> Searcher<G> for NestedRollout<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        decide(game, at, stream, meter, self.ties, &mut |candidates, meter| {
            let tallies = self.after_each(game, candidates, self.level - 1, stream.playouts(), meter);
            Ok((estimates(&tallies), Stop::Complete))
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
