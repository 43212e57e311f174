use std::sync::Arc;

use super::tree::{
    Arena, Board, Descent, Found, Iteration, Kind, Leaf, Method, Root, Sample, Score, Value, back_up, object,
};
use super::{Decision, Meter, Playouts, SearchError, Sight, Ties, TreeSearch, UctSettings};
use crate::game::{Evaluation, Game, Uniform};
use crate::rng::Rng;

/// The method of [`TreeSearch::unbounded_minimax`].
#[derive(Clone)]
struct BestFirst {
    ties: Ties,
    /// Whether values are requested in batches.
    can_ask: bool,
    /// The smallest and the largest value.
    range: (i64, i64),
    /// The children that are being evaluated.
    waiting: Vec<u32>,
}

impl<G: Game> TreeSearch<G> {
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
    pub fn unbounded_minimax(evaluation: Option<Arc<dyn Evaluation<G>>>, ties: Ties) -> Self {
        let can_ask = evaluation.as_ref().is_some_and(|evaluation| evaluation.facts().prefers_batches);
        let mut settings = UctSettings::new(Arc::new(Uniform));
        if let Some(evaluation) = evaluation {
            let (scale, batch, decisive) = (evaluation.facts().unit, 1, Sight::Never);
            settings.playouts = Playouts::Cut { plies: 0, evaluation, scale, batch, decisive };
        }
        let method = BestFirst { ties, can_ask, range: (0, 0), waiting: Vec::new() };
        Self::of(Arc::new(settings), Box::new(method))
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

impl Method for BestFirst {
    object!();

    fn counts_nodes(&self) -> bool {
        false
    }

    fn set_columns(&self, arena: &mut Arena) {
        arena.values.default = Some(Value::Estimate(0));
    }

    fn can_ask(&self) -> bool {
        self.can_ask
    }

    fn take_evaluations(
        &mut self,
        _board: &mut dyn Board,
        arena: &mut Arena,
        values: &[i64],
        _meter: &mut Meter,
    ) -> Sample {
        for (&child, &value) in self.waiting.iter().zip(values) {
            arena.values[child] = Value::Estimate(value);
        }
        Sample::VISIT
    }

    fn begin(&mut self, board: &mut dyn Board) {
        self.range = board.values();
    }

    /// Whether the value is proved. The payoff itself is in the column of values.
    fn proved(&mut self, arena: &Arena, node: u32) -> Option<f64> {
        arena.values[node].is_proved().then_some(0.0)
    }

    fn expand(&mut self, descent: &mut Descent<'_>, node: u32) -> Option<Leaf> {
        if descent.meter.nodes_left() < descent.board.move_count()
            || !descent.expand(node, (Score::UNUSED, 0), false)
        {
            return Some(Leaf::Abandoned);
        }
        let Descent { board, arena, meter, .. } = descent;
        self.waiting.clear();
        let family = arena.nodes[node].family;
        for child in arena.children(node) {
            meter.count_node();
            (arena.nodes[child].kind, _) = board.go(Some((family, child)));
            if let Some(value) = board.value() {
                arena.values[child] = value;
            } else {
                self.waiting.push(child);
                board.request(false);
            }
        }
        Some(if self.waiting.is_empty() { Leaf::Valued } else { Leaf::Requested })
    }

    /// The best child (Korf and Chickering 1996) among those that are not proved (Cohen-Solal 2020).
    fn select(&mut self, descent: &mut Descent<'_>, node: u32, _kind: Kind) -> Option<u32> {
        best_child(descent.arena, node, |value| !value.is_proved())
    }

    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample) {
        back_up(iteration.arena, iteration.path, sample, |arena, step, _| {
            arena.values[step.node] = minimax(arena, step.node, self.range);
        });
    }

    /// # Errors
    /// If the budget or the memory was too small for the children of the root, or the memory for those of another node.
    fn decide(&mut self, found: Found<'_>, rng: &mut Rng) -> Result<Decision<u32>, SearchError> {
        let Found { arena, children, .. } = found;
        if arena.is_full {
            return Err(found.meter.out_of_memory(1));
        }
        found.require_children()?;
        let ranks = children.iter().map(|&child| (arena.values[child].number(), arena.nodes[child].visits));
        let chosen = self.ties.best(ranks, rng);
        let estimate = |&child: &u32| found.estimate(child, arena.values[child].number() as f64, |_, _| 0.0);
        let moves: Vec<_> = children.iter().map(estimate).collect();
        Ok(Decision { chosen: moves[chosen].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, _: &Root, child: u32, _: Kind) -> Option<f64> {
        Some(arena.values[child].number() as f64)
    }

    fn principal(&self, arena: &Arena, node: u32, _children: &[u32]) -> Option<u32> {
        best_child(arena, node, |_| true)
    }
}
