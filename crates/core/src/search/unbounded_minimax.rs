use std::collections::BTreeMap;
use std::sync::Arc;

use super::tree::{
    Arena, Board, Descent, Found, Iteration, Kind, Leaf, Method, Node, ROOT, Root, Sample, Score, Value,
    back_up, object,
};
use super::{Decision, Meter, Playouts, SearchError, Sight, Stop, Ties, TreeSearch, UctSettings};
use crate::game::{Evaluation, Game, Uniform};
use crate::rng::Rng;

/// The settings of [`TreeSearch::unbounded_minimax`].
#[derive(Clone, Copy, Debug)]
pub struct BestFirstSettings {
    /// Whether positions with a proved value are not visited again. If not, nothing is proved, and the search ends when its best line
    /// ends a game.
    pub completion: bool,
    /// Whether equal positions share their children and their value, by the game's exact keys, which it must have.
    pub transpositions: bool,
    /// The choice among equal moves.
    pub ties: Ties,
}

impl BestFirstSettings {
    /// Completion, without transpositions.
    pub const fn new(ties: Ties) -> Self {
        Self { completion: true, transpositions: false, ties }
    }
}

/// The method of [`TreeSearch::unbounded_minimax`].
#[derive(Clone)]
struct BestFirst {
    settings: BestFirstSettings,
    /// With transpositions, for each key and player the first node with it, and for each node the first one like it. Values and
    /// children are those of the first.
    firsts: BTreeMap<(u128, bool), u32>,
    first_of: Vec<u32>,
    /// Whether the best line ends a game, without completion.
    is_complete: bool,
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
    /// complete. It ends when the root is proved. With transpositions a position reached by several lines is evaluated and expanded
    /// once (both: Cohen-Solal, Cazenave 2025, arXiv 2505.04525). Without an evaluation the value of every unfinished position is 0. The
    /// move with the largest value is played; more visits break ties.
    ///
    /// # Cost
    /// The time and memory of one position per evaluated child, and one descent per expansion.
    pub fn unbounded_minimax(
        evaluation: Option<Arc<dyn Evaluation<G>>>,
        settings: BestFirstSettings,
    ) -> Self {
        let can_ask = evaluation.as_ref().is_some_and(|evaluation| evaluation.facts().prefers_batches);
        let mut shared = UctSettings::new(Arc::new(Uniform));
        if let Some(evaluation) = evaluation {
            let (scale, batch, decisive) = (evaluation.facts().unit, 1, Sight::Never);
            shared.playouts = Playouts::Cut { plies: 0, minimax: 0, evaluation, scale, batch, decisive };
        }
        let (firsts, first_of, waiting) = (BTreeMap::new(), Vec::new(), Vec::new());
        let (is_complete, range) = (false, (0, 0));
        let method = BestFirst { settings, firsts, first_of, is_complete, can_ask, range, waiting };
        Self::of(Arc::new(shared), Box::new(method))
    }
}

impl BestFirst {
    /// The first node with the position of a node.
    fn first(&self, node: u32) -> u32 {
        self.first_of.get(node as usize).copied().unwrap_or(node)
    }

    fn value_of(&self, arena: &Arena, node: u32) -> Value {
        arena.values[self.first(node)]
    }

    /// The best child that `admits` accepts, for the player to move; the first among equals.
    fn best_child(&self, arena: &Arena, node: u32, admits: impl Fn(Value) -> bool) -> Option<u32> {
        let is_max = arena.nodes[node].kind == Kind::Max;
        let worth = |child: u32| {
            let value = self.value_of(arena, child).number();
            (if is_max { value } else { -value }, arena.nodes[child].visits)
        };
        let admitted = arena.children(node).filter(|&child| admits(self.value_of(arena, child)));
        admitted.reduce(|best, next| if worth(next) > worth(best) { next } else { best })
    }

    /// The minimax value of a node. It is proved if all children are proved, or if one child is proved to have the best
    /// possible value.
    fn minimax(&self, arena: &Arena, node: u32) -> Value {
        let value = |child: u32| self.value_of(arena, child);
        let best = value(self.best_child(arena, node, |_| true).expect("an expanded node has children"));
        let (low, high) = self.range;
        let most = if arena.nodes[node].kind == Kind::Max { high } else { low };
        let best_proved = self.best_child(arena, node, Value::is_proved);
        let is_most = best_proved.is_some_and(|child| value(child).number() == most);
        let all_proved = arena.children(node).all(|child| value(child).is_proved());
        if is_most || all_proved { Value::Proved(best.number()) } else { Value::Estimate(best.number()) }
    }

    /// Whether the best line ends a game.
    fn line_ends(&self, arena: &Arena) -> bool {
        let mut node = ROOT;
        while let Some(best) = self.best_child(arena, node, |_| true) {
            node = self.first(best);
        }
        arena.nodes[node].kind == Kind::Over
    }

    /// Notes a child at which the board is, and the first node with its position. Returns whether it is that node. Without memory
    /// for it, nothing.
    fn note(&mut self, descent: &mut Descent<'_>, child: u32) -> Option<bool> {
        let is_max = descent.arena.nodes[child].kind == Kind::Max;
        let is_over = descent.arena.nodes[child].kind == Kind::Over;
        if !self.settings.transpositions {
            return Some(true);
        }
        // Two of the map's entries, since it may be half full, and one of the list.
        let bytes = 2 * size_of::<((u128, bool), u32)>() + size_of::<u32>();
        descent.meter.reserve(bytes as u64).ok()?;
        let (key, _) = descent.board.known(descent.arena);
        let key = (key.expect("the game has keys"), is_max);
        let first = if is_over { child } else { *self.firsts.entry(key).or_insert(child) };
        self.first_of.resize(child as usize, 0);
        self.first_of.push(first);
        Some(first == child)
    }
}

/// Gives a node the children of another.
fn link(arena: &mut Arena, from: u32, to: u32) {
    let Node { first, count, family, .. } = arena.nodes[from];
    let node = &mut arena.nodes[to];
    (node.first, node.count, node.family) = (first, count, family);
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
        self.firsts.clear();
        self.first_of.clear();
        self.is_complete = false;
    }

    /// Whether the value is proved, or the search complete. The payoff itself is in the column of values. A position that is reached by
    /// several lines may be proved by one, which the nodes on the others do not know yet.
    fn proved(&mut self, arena: &Arena, node: u32) -> Option<f64> {
        let first = self.first(node);
        let is_shared = self.settings.transpositions && arena.is_expanded(first);
        let value = if is_shared { self.minimax(arena, first) } else { arena.values[first] };
        (value.is_proved() || self.is_complete).then_some(0.0)
    }

    fn expand(&mut self, descent: &mut Descent<'_>, node: u32) -> Option<Leaf> {
        let first = self.first(node);
        if descent.arena.is_expanded(first) {
            link(descent.arena, first, node);
            return None;
        }
        if descent.meter.nodes_left() < descent.board.move_count()
            || !descent.expand(node, (Score::UNUSED, 0), false)
        {
            return Some(Leaf::Abandoned);
        }
        link(descent.arena, node, first);
        self.waiting.clear();
        let family = descent.arena.nodes[node].family;
        for child in descent.arena.children(node) {
            (descent.arena.nodes[child].kind, _) = descent.board.go(Some((family, child)));
            let Some(is_new) = self.note(descent, child) else {
                descent.arena.is_full = true;
                return Some(Leaf::Abandoned);
            };
            if !is_new {
                continue;
            }
            descent.meter.count_node();
            if let Some(value) = descent.board.value() {
                let proves = self.settings.completion;
                descent.arena.values[child] = if proves { value } else { Value::Estimate(value.number()) };
            } else {
                self.waiting.push(child);
                descent.board.request(false);
            }
        }
        Some(if self.waiting.is_empty() { Leaf::Valued } else { Leaf::Requested })
    }

    /// The best child (Korf and Chickering 1996) among those that are not proved (Cohen-Solal 2020).
    fn select(&mut self, descent: &mut Descent<'_>, node: u32, _kind: Kind) -> Option<u32> {
        self.best_child(descent.arena, node, |value| !value.is_proved())
    }

    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample) {
        back_up(iteration.arena, iteration.path, sample, |arena, step, _| {
            let first = self.first(step.node);
            arena.values[first] = self.minimax(arena, first);
        });
        self.is_complete = !self.settings.completion && self.line_ends(iteration.arena);
    }

    /// # Errors
    /// If the budget or the memory was too small for the children of the root, or the memory for those of another node.
    fn decide(&mut self, found: Found<'_>, rng: &mut Rng) -> Result<Decision<u32>, SearchError> {
        let Found { arena, children, .. } = found;
        if arena.is_full {
            return Err(found.meter.out_of_memory(1));
        }
        found.require_children()?;
        let value = |child: u32| self.value_of(arena, child).number();
        let ranks = children.iter().map(|&child| (value(child), arena.nodes[child].visits));
        let chosen = self.settings.ties.best(ranks, rng);
        let estimate = |&child: &u32| found.estimate(child, value(child) as f64, |_, _| 0.0);
        let moves: Vec<_> = children.iter().map(estimate).collect();
        let stop = if self.is_complete { Stop::Complete } else { found.stop };
        Ok(Decision { chosen: moves[chosen].mv, moves, stop })
    }

    fn value(&self, arena: &Arena, _: &Root, child: u32, _: Kind) -> Option<f64> {
        Some(self.value_of(arena, child).number() as f64)
    }

    fn principal(&self, arena: &Arena, node: u32, _children: &[u32]) -> Option<u32> {
        self.best_child(arena, node, |_| true)
    }
}
