use std::sync::Arc;

use super::candidates::{Candidates, decide};
use super::{Decided, Meter, MoveEstimate, MoveStream, NoTree, Searcher, Stop, Ties};
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
/// A forced move is played without playouts, at every level. [With a discount](Self::with_discount) and one playout it is the nested search
/// for two players of Cazenave, Saffidine, Schofield, Thielscher 2016, without its pruning.
///
/// # Cost
/// About (*b k*)ⁿ *p*ⁿ⁻¹ playouts per decision, with *b* moves per turn, *p* plies per game and *k* playouts per move.
#[derive(Clone)]
pub struct NestedRollout<G> {
    level: u32,
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    discount: bool,
}

/// The games after a move: their payoffs, and what they count.
#[derive(Clone, Copy, Debug, Default)]
struct Games {
    tally: Tally,
    /// The sum of what they count, and of its squares.
    sum: f64,
    squares: f64,
}

impl<G: Game> NestedRollout<G> {
    /// The policy of this level over a base policy.
    ///
    /// # Panics
    /// If the level or the number of playouts is 0.
    pub fn new(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(level > 0 && playouts > 0, "nested rollouts have at least one level and one playout");
        Self { level, playouts, policy, ties, discount: false }
    }

    /// Sets whether a game counts *v*/(*t* + 1) at all levels, where *v* is its payoff less the middle of the payoffs, and *t* its plies
    /// after the decision: soon won is better, and late lost.
    ///
    /// # References
    /// Cazenave, Saffidine, Schofield, Thielscher 2016, "Nested Monte Carlo search for two-player games", AAAI.
    #[must_use]
    pub fn with_discount(self, discount: bool) -> Self {
        Self { discount, ..self }
    }

    /// Games played after each candidate, which is `plies` after the decision, for the player to move there.
    fn after_each(
        &self,
        game: &G,
        (candidates, plies): (&Candidates<G>, u64),
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Vec<Games> {
        let games = |(index, child)| {
            self.games(game, (child, plies), candidates.player, level, key.child(index), meter)
        };
        (0..).zip(&candidates.children).map(games).collect()
    }

    /// Games played from here by the policy of this level, for a player.
    #[inline(never)]
    fn games(
        &self,
        game: &G,
        (from, plies): (&G::Position, u64),
        player: Player,
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Games {
        let mut games = Games::default();
        if level == 0 && !self.discount {
            games.tally = self.policy.playouts(game, from, player, Batch::new(key, self.playouts));
            meter.count_playouts(&games.tally);
            return games;
        }
        for number in 0..self.playouts {
            let (payoff, end) = if level == 0 {
                let alone = Batch { key, first: number, count: 1 };
                let tally = self.policy.playouts(game, from, player, alone);
                meter.count_playouts(&tally);
                (tally.sum as i32, plies + tally.plies)
            } else {
                self.play(game, (*from, plies), player, level, key.child(number), meter)
            };
            games.tally.record(payoff, 0);
            if self.discount {
                let worth = (f64::from(payoff) - middle(game)) / (end + 1) as f64;
                games.sum += worth;
                games.squares += worth * worth;
            }
        }
        games
    }

    /// The mean of what games count.
    fn mean(&self, game: &G, games: &Games) -> f64 {
        if self.discount { middle(game) + games.sum / self.playouts as f64 } else { games.tally.mean() }
    }

    fn estimate(&self, game: &G, number: usize, games: &Games) -> MoveEstimate<usize> {
        let estimate = MoveEstimate::of(number, &games.tally);
        if !self.discount {
            return estimate;
        }
        let n = self.playouts as f64;
        let variance = (games.squares - games.sum * games.sum / n).max(0.0) / (n - 1.0).max(1.0);
        MoveEstimate { value: self.mean(game, games), standard_error: (variance / n).sqrt(), ..estimate }
    }

    /// Plays one game to its end by the policy of this level, at least 1. Returns a player's payoff, and the plies after the decision.
    #[inline(never)]
    fn play(
        &self,
        game: &G,
        (mut position, plies): (G::Position, u64),
        player: Player,
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> (i32, u64) {
        let mut end = plies;
        loop {
            let key = key.child(end - plies);
            let mv = match game.turn(&position) {
                Turn::Over => return (game.payoff(&position, player), end),
                Turn::Chance => game.random_outcome(&position, &mut key.playout(0)),
                Turn::Player(mover) => {
                    let candidates = Candidates::of(game, &position, mover);
                    let best = if candidates.moves.len() == 1 {
                        0
                    } else {
                        let all = self.after_each(game, (&candidates, end + 1), level - 1, key, meter);
                        self.ties
                            .best(all.iter().map(|games| self.mean(game, games)), &mut Rng::from_key(key))
                    };
                    candidates.moves[best]
                }
            };
            game.apply(&mut position, mv);
            end += 1;
        }
    }
}

/// The middle of the payoffs, which a discount leaves as it is.
fn middle<G: Game>(game: &G) -> f64 {
    let facts = game.facts();
    f64::midpoint(facts.min_payoff.into(), facts.max_payoff.into())
}

impl<G: Game> Searcher<G> for NestedRollout<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        decide(game, at, stream, meter, self.ties, &mut |candidates, meter| {
            let all = self.after_each(game, (candidates, 1), self.level - 1, stream.playouts(), meter);
            let estimates = all.iter().enumerate().map(|(number, games)| self.estimate(game, number, games));
            Ok((estimates.collect(), Stop::Complete))
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
