//! Unbounded best-first minimax: the tree grows at the end of the principal variation.

use std::sync::Arc;

use super::tree::{
    Arena, Columns, Descent, Expansion, Found, Iteration, Kind, Method, Root, Sample, Scale, Score, TreeOf,
    TreeSearch, Value, back_up,
};
use super::{Decision, Meter, SearchError, Ties};
use crate::game::{Evaluation, EvaluationRequest, Game, Player, Turn};
use crate::rng::Rng;

/// Unbounded best-first minimax (Korf, Chickering 1996, "Best-first minimax search", Artificial Intelligence 84) with
/// the completion of Cohen-Solal 2020 ("Learning to play two-player perfect-information games without knowledge").
///
/// Each iteration expands the leaf at the end of the principal variation, evaluates its children, and backs the values up
/// by minimax. For games without chance, for one player, or for two with payoffs that add up to 0.
///
/// Completion: a position with a proved value is not visited again, so the search moves on to open positions and is
/// complete. It ends when the root is proved. Without an evaluation the value of every unfinished position is 0. The
/// move with the largest value is played; more visits break ties.
///
/// # Cost
/// The time and memory of one position per evaluated child, and one descent per expansion.
pub type UnboundedMinimax<G> = TreeSearch<G, BestFirst<G>>;

/// The method of [`UnboundedMinimax`].
#[derive(Clone)]
pub struct BestFirst<G: Game> {
    evaluation: Option<Arc<dyn Evaluation<G>>>,
    ties: Ties,
    /// The smallest and the largest value.
    range: (i64, i64),
    /// The children that are being evaluated.
    waiting: Vec<u32>,
}

impl<G: Game> TreeSearch<G, BestFirst<G>> {
    /// A searcher with this evaluation.
    pub fn new(evaluation: Option<Arc<dyn Evaluation<G>>>, ties: Ties) -> Self {
        Self::of(BestFirst { evaluation, ties, range: (0, 0), waiting: Vec::new() })
    }
}

/// The best child that `admits` accepts, for the player to move; the first among equals.
fn best_child(arena: &Arena, node: u32, admits: impl Fn(Value) -> bool) -> Option<u32> {
    let is_max = arena.nodes[node].kind == Kind::Max;
    let worth = |child: u32| {
        let value = arena.values[child].number();
        (if is_max { value } else { -value }, arena.nodes[child].visits)
    };
    let admitted = arena.children(node).filter(|&child| admits(arena.values[child]));
    admitted.reduce(|best, next| if worth(next) > worth(best) { next } else { best })
}

/// The minimax value of a node. It is proved if all children are proved, or if one child is proved to have the best
/// possible value.
fn minimax(arena: &Arena, node: u32, (low, high): (i64, i64)) -> Value {
    let best = best_child(arena, node, |_| true).expect("an expanded node has children");
    let value = arena.values[best].number();
    let most = if arena.nodes[node].kind == Kind::Max { high } else { low };
    let best_proved = best_child(arena, node, Value::is_proved);
    let is_most = best_proved.is_some_and(|child| arena.values[child].number() == most);
    let all_proved = arena.values[arena.children(node)].iter().all(|value| value.is_proved());
    if is_most || all_proved { Value::Proved(value) } else { Value::Estimate(value) }
}

impl<G: Game> BestFirst<G> {
    /// The value of a position for a player; `None` if its evaluation must be requested.
    fn value(&self, game: &G, position: &G::Position, player: Player) -> Option<Value> {
        let is_over = game.turn(position) == Turn::Over;
        Some(match &self.evaluation {
            Some(evaluation) if is_over => Value::Proved(evaluation.finished(game, position, player)),
            Some(evaluation) if evaluation.prefers_batches() => return None,
            Some(evaluation) => Value::Estimate(evaluation.evaluate(game, position, player)),
            None if is_over => Value::Proved(game.payoff(position, player).into()),
            None => Value::Estimate(0),
        })
    }
}

impl<G: Game> Method<G> for BestFirst<G> {
    const COUNTS_NODES: bool = false;

    fn columns(&self) -> Columns {
        Columns { values: true, ..Columns::default() }
    }

    fn evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        self.evaluation.as_ref().filter(|evaluation| evaluation.prefers_batches())
    }

    fn can_ask(&self) -> bool {
        self.evaluation().is_some()
    }

    fn take_evaluations(
        &mut self,
        arena: &mut Arena,
        _scale: Scale,
        values: &[i64],
        _meter: &mut Meter,
    ) -> Sample {
        for (&child, &value) in self.waiting.iter().zip(values) {
            arena.values[child] = Value::Estimate(value);
        }
        Sample::VISIT
    }

    fn begin(&mut self, game: &G, _position: &G::Position) {
        let facts = game.facts();
        let payoffs = (facts.min_payoff.into(), facts.max_payoff.into());
        self.range = self.evaluation.as_ref().map_or(payoffs, |evaluation| evaluation.range(game));
    }

    /// Whether the value is proved. The payoff itself is in the column of values.
    fn proved(&mut self, arena: &Arena, node: u32) -> Option<f64> {
        arena.values[node].is_proved().then_some(0.0)
    }

    fn expand(&mut self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) -> Expansion {
        let (game, player) = (descent.game, descent.root.player);
        let score = Score { value: 0.0, width: 0.0 };
        if descent.meter.nodes_left() < u64::from(game.move_count(position))
            || !descent.expand(node, position, score, 0)
        {
            return Expansion::Abandoned;
        }
        self.waiting.clear();
        for child in descent.tree.arena.children(node) {
            let mut at = *position;
            game.apply(&mut at, descent.tree.mv(child));
            descent.meter.count_node();
            descent.tree.arena.nodes[child].kind = Kind::of(game.turn(&at), player);
            if let Some(value) = self.value(game, &at, player) {
                descent.tree.arena.values[child] = value;
            } else {
                self.waiting.push(child);
                descent.evaluations.push(EvaluationRequest { position: at, player, prior: false });
            }
        }
        Expansion::Valued
    }

    /// The best child (Korf and Chickering 1996) among those that are not proved (Cohen-Solal 2020).
    fn select(&mut self, descent: &mut Descent<'_, G>, node: u32, _kind: Kind) -> Option<u32> {
        best_child(&descent.tree.arena, node, |value| !value.is_proved())
    }

    fn back_up(&mut self, iteration: Iteration<'_, G>, sample: &Sample) {
        let Iteration { tree, path, .. } = iteration;
        back_up(&mut tree.arena, path, sample, |arena, step, _| {
            arena.values[step.node] = minimax(arena, step.node, self.range);
        });
    }

    /// # Errors
    /// If the budget or the memory was too small for the children of the root, or the memory for those of another node.
    fn decide(&mut self, found: &Found<'_, G>, rng: &mut Rng) -> Result<Decision<G::Move>, SearchError> {
        let arena = &found.tree.arena;
        if arena.is_full {
            return Err(found.meter.out_of_memory(1));
        }
        found.require_children()?;
        let children = found.children();
        let ranks = children.iter().map(|&child| (arena.values[child].number(), arena.nodes[child].visits));
        let chosen = self.ties.best(ranks, rng);
        let estimate = |&child: &u32| found.estimate(child, arena.values[child].number() as f64, |_, _| 0.0);
        let moves: Vec<_> = children.iter().map(estimate).collect();
        Ok(Decision { chosen: moves[chosen].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, _: &Root<G::Position>, child: u32, _: Kind) -> Option<f64> {
        Some(arena.values[child].number() as f64)
    }

    fn principal(&self, _game: &G, tree: &TreeOf<G>, node: u32, _at: &G::Position) -> Option<u32> {
        best_child(&tree.arena, node, |_| true)
    }
}
