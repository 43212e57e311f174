//! The "simple tree": expectimax of a fixed height with playouts at the leaves.

use std::sync::Arc;

use super::leaf_buffer::{Fold, LeafBuffer, Step};
use super::searcher::decide;
use super::{Decision, Fault, Meter, MoveEstimate, MoveStream, Searcher, Ties};
use crate::game::{Batch, Game, GameExt, Player, PlayoutRequest, Policy, Turn};
use crate::rng::PlayoutKey;

/// The simple tree (TIM Labs 2015, "Calculation", part 15): to a fixed height `level`, which counts layers of
/// decisions and of chance alike, with `playouts` playouts at each leaf, whose mean is its value.
///
/// At a decision the largest value for the player at the root counts (the smallest where the opponent decides),
/// at chance's turn the average by weight, at the end of the game the payoff. A new tree is built for every move; a forced one is played without.
///
/// # Cost
/// Leaves × playouts a decision. Each leaf's playouts are a batch of their own, and up to some thousand leaves are played
/// in one call. The memory for these does not grow with the tree: less than a megabyte for positions of 100 bytes.
#[derive(Clone)]
pub struct SimpleTree<G: Game> {
    level: u32,
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    common: bool,
    buffer: LeafBuffer<G>,
}

impl<G: Game> SimpleTree<G> {
    /// A tree of this height with this many playouts a leaf.
    ///
    /// # Panics
    /// Where the level or the number of playouts is 0.
    pub fn new(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(level > 0 && playouts > 0, "a simple tree has at least one level and one playout a leaf");
        Self { level, playouts, policy, ties, common: false, buffer: LeafBuffer::new() }
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
    policy: &'a dyn Policy<G>,
    playouts: u64,
    player: Player,
    key: PlayoutKey,
    /// The number of the next leaf.
    leaf: u64,
    buffer: &'a mut LeafBuffer<G>,
    meter: &'a mut Meter,
}

impl<G: Game> Search<'_, G> {
    /// Goes through what is below a position, which has this weight in the node above.
    fn visit(&mut self, position: &G::Position, level: u32, weight: u32) {
        self.meter.count_node();
        self.make_room();
        let game = self.game;
        match game.turn(position) {
            Turn::Over => {
                let payoff = game.payoff(position, self.player);
                self.buffer.push(Step::Finished { payoff, weight });
            }
            _ if level == 0 => {
                let batch = Batch::new(self.key.child(self.leaf), self.playouts);
                self.leaf += 1;
                let request = PlayoutRequest { from: *position, player: self.player, batch };
                self.buffer.push_leaf(request, weight);
            }
            Turn::Chance => {
                self.buffer.push(Step::Begin { fold: Fold::Mean, weight });
                for (outcome, weight) in game.outcomes(position) {
                    let mut child = *position;
                    game.apply(&mut child, outcome);
                    self.visit(&child, level - 1, weight);
                }
                self.end();
            }
            Turn::Player(player) => {
                let fold = if player == self.player { Fold::Largest } else { Fold::Smallest };
                self.buffer.push(Step::Begin { fold, weight });
                for (_, child) in game.children(position) {
                    self.visit(&child, level - 1, 1);
                }
                self.end();
            }
        }
    }

    fn end(&mut self) {
        self.make_room();
        self.buffer.push(Step::End);
    }

    fn make_room(&mut self) {
        if self.buffer.is_full() {
            self.play();
        }
    }

    /// Plays the leaves that have been met and not played.
    fn play(&mut self) {
        self.buffer.play(self.game, self.policy, self.meter);
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
        let Self { level, playouts, ref policy, ties, common, ref mut buffer } = *self;
        decide(game, position, stream, meter, ties, |player, meter| {
            buffer.clear(meter)?;
            let (policy, key) = (&**policy, stream.playouts());
            let mut search = Search { game, policy, playouts, player, key, leaf: 0, buffer, meter };
            let visit = |(mv, child)| {
                if common {
                    search.leaf = 0;
                }
                let before = search.leaf;
                search.visit(&child, level - 1, 1);
                (mv, (search.leaf - before) * playouts)
            };
            let visits: Vec<_> = game.children(position).map(visit).collect();
            search.play();
            let estimate = |((mv, visits), &value)| MoveEstimate { mv, visits, value, spread: 0.0 };
            Ok(visits.into_iter().zip(buffer.values()).map(estimate).collect())
        })
    }

    fn remembers(&self) -> bool {
        false
    }
}
