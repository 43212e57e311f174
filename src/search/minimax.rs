//! Plain minimax: the whole tree to a depth, without cuts. Slow and obvious, and the yardstick of the others.

use std::sync::Arc;

use super::searcher::{chances_of_equals, decide};
use super::{Decision, Fault, Limits, Meter, MoveEstimate, MoveStream, Searcher, Ties, Weighted};
use crate::game::{Evaluation, Game, GameExt, Player, Turn};

/// Minimax (von Neumann 1928; Shannon 1950, "Programming a computer for playing chess"): every line to the
/// depth, best for each player in turn. For one or two players, without chance.
///
/// At the depth an evaluation stands in; finished games count by [`Evaluation::finished`]. Without a depth every
/// game is played to its end, and values are payoffs.
/// A forced move is played without search.
///
/// A budget of nodes or time ends it without a decision: half of a plain minimax says nothing of the other half.
///
/// # Cost
/// Every position to the depth is visited once: about bᵈ nodes.
#[derive(Clone)]
pub struct Minimax<G> {
    horizon: Option<Horizon<G>>,
    ties: Ties,
}

#[derive(Clone)]
struct Horizon<G> {
    depth: u32,
    evaluation: Arc<dyn Evaluation<G>>,
}

impl<G: Game> Minimax<G> {
    /// To the end of every game.
    pub const fn full(ties: Ties) -> Self {
        Self { horizon: None, ties }
    }

    /// To `depth` plies, where the evaluation stands in.
    ///
    /// # Panics
    /// Where the depth is 0.
    pub fn to_depth(depth: u32, evaluation: Arc<dyn Evaluation<G>>, ties: Ties) -> Self {
        assert!(depth > 0, "minimax looks at least one ply ahead");
        Self { horizon: Some(Horizon { depth, evaluation }), ties }
    }

    /// The value of a position for `player`, with `left` plies to go.
    fn value(
        &self,
        game: &G,
        position: &G::Position,
        player: Player,
        left: u32,
        meter: &mut Meter,
    ) -> Result<i64, Fault> {
        if let Some(limit) = meter.limit() {
            return Err(Fault::Budget { limit });
        }
        meter.count_node();
        match (game.turn(position), &self.horizon) {
            (Turn::Over, None) => Ok(i64::from(game.payoff(position, player))),
            (Turn::Over, Some(horizon)) => Ok(horizon.evaluation.finished(game, position, player)),
            (_, Some(horizon)) if left == 0 => Ok(horizon.evaluation.evaluate(game, position, player)),
            (turn, _) => {
                let better = if turn == Turn::Player(player) { i64::max } else { i64::min };
                let mut best = None;
                for (_, child) in game.children(position) {
                    let value = self.value(game, &child, player, left.saturating_sub(1), meter)?;
                    best = Some(best.map_or(value, |best| better(best, value)));
                }
                Ok(best.expect("a player's turn has a move"))
            }
        }
    }
}

impl<G: Game> Searcher<G> for Minimax<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        let depth = self.horizon.as_ref().map_or(u32::MAX, |horizon| horizon.depth);
        decide(game, position, stream, meter, self.ties, |player, meter| {
            let estimate = |(mv, child)| {
                let before = meter.spent().nodes;
                let value = self.value(game, &child, player, depth - 1, meter)?;
                let visits = meter.spent().nodes - before;
                Ok(MoveEstimate { mv, visits, value: value as f64, spread: 0.0 })
            };
            game.children(position).map(estimate).collect()
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    /// A best move of each player in turn, the first in the game's order, to the depth; nothing but the move where it
    /// was forced.
    fn line(&self, game: &G, position: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let mut line = vec![decision.chosen];
        let (Turn::Player(player), false) = (game.turn(position), decision.moves.is_empty()) else {
            return line;
        };
        let mut left = self.horizon.as_ref().map_or(u32::MAX, |horizon| horizon.depth) - 1;
        let mut meter = Meter::new(Limits::default());
        let mut at = *position;
        game.apply(&mut at, decision.chosen);
        while let (Turn::Player(mover), 1..) = (game.turn(&at), left) {
            left -= 1;
            let mut value = |(mv, child)| {
                let value = self.value(game, &child, player, left, &mut meter);
                let value = value.expect("nothing limits this search");
                (if mover == player { value } else { -value }, mv, child)
            };
            let best = game
                .children(&at)
                .map(&mut value)
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            let (_, mv, child) = best.expect("a player's turn has a move");
            line.push(mv);
            at = child;
        }
        line
    }

    fn distribution(
        &mut self,
        game: &G,
        position: &G::Position,
        meter: &mut Meter,
    ) -> Result<Option<Weighted<G::Move>>, Fault> {
        chances_of_equals(self, self.ties, game, position, meter).map(Some)
    }
}
