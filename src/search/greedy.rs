//! The greedy player: the best mean of an evaluation some plies ahead, and now and then a random move.

use std::sync::Arc;

use super::searcher::{chances_of_equals, decide};
use super::{Decision, Fault, Limit, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties, Weighted};
use crate::game::{Evaluation, Game, GameExt, Player, Turn};

/// Plays the move behind which an evaluation is best: at once with depth 1, else in the plain mean over all lines
/// that follow to the depth, whoever moves in them. The mean takes the opponent for a random player: cheap, and what
/// the simple players of many papers do. With chance `epsilon` any legal move is played instead.
///
/// At chance's turns the mean is that by weight. A forced move is played without search.
///
/// # Cost
/// Every position to the depth is visited once.
#[derive(Clone)]
pub struct Greedy<G> {
    depth: u32,
    evaluation: Arc<dyn Evaluation<G>>,
    epsilon: f64,
    ties: Ties,
}

/// The number of values of a draw.
const WHOLE: u64 = 1 << 32;

impl<G: Game> Greedy<G> {
    /// A player that looks `depth` plies ahead and moves at random with chance `epsilon`.
    ///
    /// # Panics
    /// Where the depth is 0 or `epsilon` is no probability.
    pub fn new(depth: u32, evaluation: Arc<dyn Evaluation<G>>, epsilon: f64, ties: Ties) -> Self {
        assert!(depth > 0, "a greedy player looks at least one ply ahead");
        assert!((0.0..=1.0).contains(&epsilon), "epsilon is a probability");
        Self { depth, evaluation, epsilon, ties }
    }

    /// The mean of the evaluation `left` plies further on, for `player`.
    fn mean(
        &self,
        game: &G,
        position: &G::Position,
        player: Player,
        left: u32,
        meter: &mut Meter,
    ) -> Result<f64, Limit> {
        if let Some(limit) = meter.limit() {
            return Err(limit);
        }
        meter.count_node();
        let (mut sum, mut weights) = (0.0, 0_u64);
        match game.turn(position) {
            Turn::Over => return Ok(self.evaluation.finished(game, position, player) as f64),
            _ if left == 0 => return Ok(self.evaluation.evaluate(game, position, player) as f64),
            Turn::Player(_) => {
                for (_, child) in game.children(position) {
                    sum += self.mean(game, &child, player, left - 1, meter)?;
                    weights += 1;
                }
            }
            Turn::Chance => {
                for (outcome, weight) in game.outcomes(position) {
                    let mut child = *position;
                    game.apply(&mut child, outcome);
                    sum += f64::from(weight) * self.mean(game, &child, player, left - 1, meter)?;
                    weights += u64::from(weight);
                }
            }
        }
        Ok(sum / weights as f64)
    }
}

impl<G: Game> Searcher<G> for Greedy<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        if self.epsilon > 0.0 {
            // Not the generator that chooses among equals: it would choose by the draw that did not hit.
            let mut draws = stream.playouts().playout(0);
            if f64::from(draws.next_u32()) < self.epsilon * WHOLE as f64 {
                return Ok(Decision::unsearched(game.random_move(position, &mut draws), Stop::Complete));
            }
        }
        decide(game, position, stream, meter, self.ties, |player, meter| {
            let estimate = |(mv, child)| {
                let before = meter.spent().nodes;
                let value = self.mean(game, &child, player, self.depth - 1, meter);
                let value = value.map_err(|limit| Fault::Budget { limit })?;
                Ok(MoveEstimate { mv, visits: meter.spent().nodes - before, value, spread: 0.0 })
            };
            game.children(position).map(estimate).collect()
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn distribution(
        &mut self,
        game: &G,
        position: &G::Position,
        meter: &mut Meter,
    ) -> Result<Option<Weighted<G::Move>>, Fault> {
        let mut greedy = Self { epsilon: 0.0, ..self.clone() };
        let best = chances_of_equals(&mut greedy, self.ties, game, position, meter)?;
        // A draw of 32 bits below this plays any move.
        let random = (self.epsilon * WHOLE as f64).ceil() as u64;
        let (all, alike) = (u64::from(game.move_count(position)), best.len() as u64);
        // ε / all, and for the best (1 − ε) / alike more, times all · alike · 2³².
        let weight = |mv| {
            let is_best = best.iter().any(|&(other, _)| other == mv);
            random * alike + if is_best { (WHOLE - random) * all } else { 0 }
        };
        Ok(Some(game.moves(position).map(|mv| (mv, weight(mv))).filter(|&(_, weight)| weight > 0).collect()))
    }
}
