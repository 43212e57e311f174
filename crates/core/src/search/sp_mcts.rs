use std::sync::Arc;

use super::tree::{
    Arena, Board, Descent, Found, Iteration, Kind, Leaf, Logarithms, Method, Node, ROOT, Root, Sample, Scale,
    Score, Totals, back_up, object, score_mean,
};
use super::uct::best_of;
use super::{Decision, MoveEstimate, SearchError, Ties, TreeSearch, UctSettings};
use crate::game::{Game, Policy};
use crate::rng::Rng;

/// The method of [`TreeSearch::sp_mcts`].
#[derive(Clone)]
struct SinglePlayer {
    bound: Bound,
    ties: Ties,
    /// The visits of a node before it gets children.
    threshold: u32,
    logarithms: Logarithms,
    /// The payoff of the best known line from the root, which the board keeps.
    best: Option<f64>,
}

/// The bound of a child: *x* + *C* √(ln *N* / *n*) + √(σ² + *D* / *n*), where σ² is the variance of its payoffs (equation 1).
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// *C*.
    exploration: f64,
    /// *D*.
    possible: f64,
}

impl Bound {
    /// The bound, from ln *N* and the sum of the squared deviations of the child's payoffs.
    fn of(self, child: &Node, log: f64, squares: f64) -> f64 {
        if child.visits == 0 {
            return child.score.value;
        }
        let n = f64::from(child.visits);
        let deviation = ((squares + self.possible).max(0.0) / n).sqrt();
        child.score.value + self.exploration * (log / n).sqrt() + deviation
    }
}

impl<G: Game> TreeSearch<G> {
    /// Single-player Monte Carlo tree search (Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008, "Single-player
    /// Monte-Carlo tree search", CG), for solitaires without chance.
    ///
    /// UCT with a third term in the bound, the deviation of a child's payoffs: a poor mean with a large deviation may hide
    /// a good line. The best line of all playouts, including those of earlier decisions, is kept and followed. The value of
    /// a move is the mean of its playouts. Payoffs are normalised to `[0, 1]`.
    ///
    /// A node gets children after `threshold` visits. `exploration` and `possible` are the constants *C* and *D* of the bound. *D* is a square of normalised payoffs, and keeps moves
    /// with few visits in the search. A forced move is played without search.
    ///
    /// # Cost
    /// An iteration costs one playout, repeated if it is the best so far, and one pass over the children of each node of
    /// the path. At the memory limit the children of the least visited nodes are recycled.
    pub fn sp_mcts(
        policy: Arc<dyn Policy<G>>,
        (exploration, possible): (f64, f64),
        threshold: u32,
        ties: Ties,
    ) -> Self {
        let (bound, logarithms) = (Bound { exploration, possible }, Logarithms::new());
        let method = SinglePlayer { bound, ties, threshold, logarithms, best: None };
        Self::of(Arc::new(UctSettings::new(policy)), Box::new(method))
    }
}

impl Method for SinglePlayer {
    object!();

    fn counts_nodes(&self) -> bool {
        false
    }

    fn begin(&mut self, board: &mut dyn Board) {
        self.best = board.take_up_line();
    }

    fn expand(&mut self, descent: &mut Descent<'_>, node: u32) -> Option<Leaf> {
        if node != ROOT && descent.arena.nodes[node].visits < self.threshold {
            return Some(Leaf::Playouts);
        }
        let score = Score { value: f64::INFINITY, width: 0.0 };
        (!descent.expand(node, (score, 0), self.ties == Ties::Random)).then_some(Leaf::Playouts)
    }

    #[inline(always)]
    fn select(&mut self, descent: &mut Descent<'_>, node: u32, _kind: Kind) -> Option<u32> {
        let arena = &*descent.arena;
        let (children, log) = (arena.children(node), self.logarithms.of(arena.visits(node)));
        let rows = arena.nodes[children.clone()].iter().zip(&arena.totals[children.clone()]);
        let bounds = rows.map(|(child, totals)| {
            let n = f64::from(child.visits);
            self.bound.of(child, log, totals.squares - n * (totals.sum / n) * (totals.sum / n))
        });
        Some(children.start + best_of(bounds))
    }

    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample) {
        let Iteration { board, root, arena, path } = iteration;
        if self.best.is_none_or(|best| sample.sum > best) {
            self.best = Some(board.keep_line(path, root.playout()));
        }
        let normalised = Sample::exactly(root.scale.quotient(sample.sum), 1);
        back_up(arena, path, &normalised, |arena, step, _| score_mean(arena, step, Scale::default()));
    }

    fn decide(&mut self, found: Found<'_>, _rng: &mut Rng) -> Result<Decision<u32>, SearchError> {
        found.require_children()?;
        let (scale, stop) = (found.root.scale, found.stop);
        let estimate = |&child: &u32| {
            let value = self.value(found.arena, found.root, child, Kind::Max);
            let error = |totals: Totals, n| scale.range * totals.standard_error_of_means(n);
            found.estimate(child, value.unwrap_or(scale.min), error)
        };
        let moves: Vec<MoveEstimate<u32>> = found.children.iter().map(estimate).collect();
        Ok(Decision { chosen: found.board.follow_line(found.arena), moves, stop })
    }

    fn value(&self, arena: &Arena, root: &Root, child: u32, _: Kind) -> Option<f64> {
        let visits = arena.nodes[child].visits;
        (visits > 0).then(|| root.scale.payoff_of_quotient(arena.totals[child].mean(visits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_sp_mcts_is_that_of_the_paper() {
        let bound_of = Bound { exploration: 0.5, possible: 0.01 };
        let score = Score { value: 0.4, width: 1.0 / 10.0_f64.sqrt() };
        let child = Node { visits: 10, ..Node::unseen(score) };
        // Ten visits: five of .2 and five of .6, or all of .4; the parent has 100.
        let explored = 0.4 + 0.5 * (libm::log(100.0) / 10.0).sqrt();
        let bound = |squares| bound_of.of(&child, libm::log(100.0), squares);
        let (differing, alike) = (bound(5.0 * 0.04 + 5.0 * 0.36 - 1.6), bound(0.0));
        assert!((differing - explored - (0.041_f64).sqrt()).abs() < 1e-12, "{differing}");
        assert!((alike - explored - (0.001_f64).sqrt()).abs() < 1e-12, "{alike}");
    }
}
