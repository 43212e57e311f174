use std::sync::Arc;

use super::candidates::{Candidates, decide};
use super::{Decided, Meter, MoveEstimate, MoveStream, NoTree, Searcher, Stop, Ties};
use crate::game::options::{Setting, choice};
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
/// for two players of Cazenave, Saffidine, Schofield, Thielscher 2016, with [its pruning](Pruning).
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
    pruning: Pruning,
}

/// The games of a level that are not played, or not to their end.
///
/// # References
/// Cazenave, Saffidine, Schofield, Thielscher 2016, "Nested Monte Carlo search for two-player games", AAAI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// None: all are played to their end.
    None,
    /// A choice ends with the first move whose games are all won (cut on win).
    Won,
    /// A game ends when it could no longer count as much as the best one of that choice so far (pruning on depth). With a discount and one
    /// game a move it changes no decision.
    Depth,
}

impl Pruning {
    /// Whether the depth of a game decides.
    pub const fn by_depth(self) -> bool {
        matches!(self, Self::Depth)
    }
}

/// The setting for the games that are not played.
pub fn pruning() -> Setting<Pruning> {
    choice([
        ("none", "all games are played to their end", Pruning::None),
        ("won", "no move is tried after one whose games are all won", Pruning::Won),
        ("depth", "a game ends when it is too late to count as much as the best", Pruning::Depth),
    ])
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
        Self { level, playouts, policy, ties, discount: false, pruning: Pruning::None }
    }

    /// Sets which games are pruned.
    ///
    /// # Panics
    /// If they are pruned by their depth without a discount, or with several games a move.
    #[must_use]
    pub fn with_pruning(self, pruning: Pruning) -> Self {
        let fits = !pruning.by_depth() || self.discount && self.playouts == 1;
        assert!(fits, "a depth decides about one discounted game");
        Self { pruning, ..self }
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

    /// Games played after each candidate, which is `plies` after the decision, for the player to move there. No more candidates follow
    /// one that is won, if the choice then ends.
    fn after_each(
        &self,
        game: &G,
        (candidates, plies): (&Candidates<G>, u64),
        level: u32,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Vec<Games> {
        let cuts = self.pruning == Pruning::Won;
        let won = self.playouts as i64 * i64::from(game.facts().max_payoff);
        let (mut all, mut best) = (Vec::new(), f64::NEG_INFINITY);
        for (index, child) in (0..).zip(&candidates.children) {
            let from = (child, plies, best);
            let games = self.games(game, from, candidates.player, level, key.child(index), meter);
            best = best.max(games.sum);
            all.push(games);
            if cuts && games.tally.playouts == self.playouts && games.tally.sum == won {
                break;
            }
        }
        all
    }

    /// Whether a game that goes on at these plies after the decision counts less than this, however it ends.
    fn is_late(&self, game: &G, plies: u64, best: f64) -> bool {
        let most = f64::from(game.facts().max_payoff) - middle(game);
        self.pruning.by_depth() && most / ((plies + 2) as f64) < best
    }

    /// Games played from here by the policy of this level, for a player.
    #[inline(never)]
    fn games(
        &self,
        game: &G,
        (from, plies, best): (&G::Position, u64, f64),
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
            let played = if level == 0 && !self.pruning.by_depth() {
                let alone = Batch { key, first: number, count: 1 };
                let tally = self.policy.playouts(game, from, player, alone);
                meter.count_playouts(&tally);
                Some((tally.sum as i32, plies + tally.plies))
            } else {
                self.play(game, (*from, plies, best), player, level, (key, number), meter)
            };
            // A game that was pruned counts as the middle, which is less than the best.
            let Some((payoff, end)) = played else { continue };
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

    /// Plays game `number` of a key by the policy of this level. Returns a player's payoff, and the plies after the decision; `None` if it
    /// is pruned because it counts less than `best`.
    #[inline(never)]
    fn play(
        &self,
        game: &G,
        (mut position, plies, best): (G::Position, u64, f64),
        player: Player,
        level: u32,
        (key, number): (PlayoutKey, u64),
        meter: &mut Meter,
    ) -> Option<(i32, u64)> {
        let (mut draws, key, mut end) = (key.playout(number), key.child(number), plies);
        let found = loop {
            let key = key.child(end - plies);
            let mv = match game.turn(&position) {
                Turn::Over => break Some((game.payoff(&position, player), end)),
                _ if self.is_late(game, end, best) => break None,
                Turn::Chance if level == 0 => game.random_outcome(&position, &mut draws),
                Turn::Chance => game.random_outcome(&position, &mut key.playout(0)),
                Turn::Player(_) if level == 0 => self.policy.choose(game, &position, &mut draws),
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
        };
        if level == 0 {
            meter.count_playouts(&Tally { playouts: 1, plies: end - plies, ..Tally::default() });
        }
        found
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
            let untried = |number| MoveEstimate::exact(number, 0, game.facts().min_payoff.into());
            let untried = (all.len()..candidates.moves.len()).map(untried);
            Ok((estimates.chain(untried).collect(), Stop::Complete))
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
