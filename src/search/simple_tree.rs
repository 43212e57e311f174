//! The "simple tree": expectimax of a fixed height with playouts at the leaves.

use std::sync::Arc;

use super::searcher::decide;
use super::{Decision, Fault, Meter, MoveEstimate, MoveStream, Searcher, Ties};
use crate::game::{Batch, Game, GameExt, Player, Policy, Turn};
use crate::rng::PlayoutKey;

/// The simple tree (TIM Labs 2015, "Calculation", part 15): to a fixed height `level`, which counts layers of
/// decisions and of chance alike, with `playouts` playouts at each leaf, whose mean is its value.
///
/// At a decision the largest value for the player at the root counts (the smallest where the opponent decides),
/// at chance's turn the average by weight, at the end of the game the payoff. A new tree is built for every move; a forced one is played without.
///
/// # Cost
/// Leaves × playouts a decision; each leaf's playouts are one batch. The memory is that of the recursion.
#[derive(Clone)]
pub struct SimpleTree<G> {
    level: u32,
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    common: bool,
}

impl<G: Game> SimpleTree<G> {
    /// A tree of this height with this many playouts a leaf.
    ///
    /// # Panics
    /// Where the level or the number of playouts is 0.
    pub fn new(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(level > 0 && playouts > 0, "a simple tree has at least one level and one playout a leaf");
        Self { level, playouts, policy, ties, common: false }
    }

    /// The same with common random numbers across the candidates: leaf *i* behind a move has the draws of leaf *i*
    /// behind every other, so that what differs between them is less due to luck. Where two moves lead to alike
    /// trees their values are equal.
    #[must_use]
    pub fn with_common_random_numbers(self, common: bool) -> Self {
        Self { common, ..self }
    }
}

/// One move's search: what all its nodes share.
struct Search<'a, G: Game> {
    game: &'a G,
    tree: &'a SimpleTree<G>,
    player: Player,
    key: PlayoutKey,
    leaves: u64,
    meter: &'a mut Meter,
}

impl<G: Game> Search<'_, G> {
    fn value(&mut self, position: &G::Position, level: u32) -> f64 {
        self.meter.count_node();
        match self.game.turn(position) {
            Turn::Over => f64::from(self.game.payoff(position, self.player)),
            _ if level == 0 => self.leaf(position),
            Turn::Chance => self.average(position, level),
            Turn::Player(player) => self.best(position, level, player),
        }
    }

    fn leaf(&mut self, position: &G::Position) -> f64 {
        let batch = Batch::new(self.key.child(self.leaves), self.tree.playouts);
        self.leaves += 1;
        let tally = self.tree.policy.playouts(self.game, position, self.player, batch);
        self.meter.count_playouts(&tally);
        tally.mean()
    }

    fn average(&mut self, position: &G::Position, level: u32) -> f64 {
        let mut sum = 0.0;
        let mut weights = 0_u64;
        let game = self.game;
        for (outcome, weight) in game.outcomes(position) {
            let mut child = *position;
            game.apply(&mut child, outcome);
            sum += f64::from(weight) * self.value(&child, level - 1);
            weights += u64::from(weight);
        }
        sum / weights as f64
    }

    fn best(&mut self, position: &G::Position, level: u32, player: Player) -> f64 {
        let game = self.game;
        let better = if player == self.player { f64::max } else { f64::min };
        let values = game.children(position).map(|(_, child)| self.value(&child, level - 1));
        values.reduce(better).expect("a player's turn has a move")
    }
}

impl<G: Game> Searcher<G> for SimpleTree<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        decide(game, position, stream, meter, self.ties, |player, meter| {
            let mut search = Search { game, tree: self, player, key: stream.playouts(), leaves: 0, meter };
            let estimate = |(mv, child)| {
                if self.common {
                    search.leaves = 0;
                }
                let before = search.meter.spent().playouts;
                let value = search.value(&child, self.level - 1);
                let visits = search.meter.spent().playouts - before;
                MoveEstimate { mv, visits, value, spread: 0.0 }
            };
            Ok(game.children(position).map(estimate).collect())
        })
    }
}
