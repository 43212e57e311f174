//! Single-player Monte Carlo tree search.

use std::sync::Arc;

use super::solitaire_line::{Line, Plan, goes_on};
use super::tree::{
    Arena, Columns, Descent, Expansion, Found, Iteration, Kind, Logarithms, Method, Node, Root, Sample,
    Scale, Score, Step, Totals, TreeOf, TreeSearch, back_up, score_mean,
};
use super::uct::best_of;
use super::{Decision, MoveEstimate, SearchError, Ties};
use crate::game::{Game, Player, Policy};
use crate::rng::Rng;

/// Single-player Monte Carlo tree search (Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008, "Single-player
/// Monte-Carlo tree search", CG), for solitaires without chance.
///
/// UCT with a third term in the bound, the deviation of a child's payoffs: a poor mean with a large deviation may hide
/// a good line. The best line of all playouts, including those of earlier decisions, is kept and followed. The value of
/// a move is the mean of its playouts. Payoffs are normalised to `[0, 1]`.
///
/// A forced move is played without search.
///
/// # Cost
/// An iteration costs one playout, repeated if it is the best so far, and one pass over the children of each node of
/// the path. At the memory limit the children of the least visited nodes are recycled.
pub type SpMcts<G> = TreeSearch<G, SinglePlayer<G>>;

/// The method of [`SpMcts`].
#[derive(Clone)]
pub struct SinglePlayer<G: Game> {
    policy: Arc<dyn Policy<G>>,
    bound: Bound,
    ties: Ties,
    logarithms: Logarithms,
    /// The best known line from the root, and the plan that follows it.
    best: Option<Line<G::Move>>,
    plan: Option<Plan<G>>,
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

impl<G: Game> TreeSearch<G, SinglePlayer<G>> {
    /// A searcher with the constants *C* and *D* of the bound. *D* is a square of normalised payoffs, and keeps moves
    /// with few visits in the search.
    pub fn new(policy: Arc<dyn Policy<G>>, exploration: f64, possible: f64, ties: Ties) -> Self {
        let (bound, logarithms) = (Bound { exploration, possible }, Logarithms::new());
        Self::of(SinglePlayer { policy, bound, ties, logarithms, best: None, plan: None })
    }
}

impl<G: Game> SinglePlayer<G> {
    /// The line of an iteration: the moves of the path, then those of the playout, which is repeated to find them.
    fn line(&self, game: &G, root: &Root<G::Position>, tree: &TreeOf<G>, path: &[Step]) -> Line<G::Move> {
        let (mut position, mut draws) = (root.position, root.playout());
        let mut moves: Vec<G::Move> = path[1..].iter().map(|step| tree.mv(step.node)).collect();
        for &mv in &moves {
            game.apply(&mut position, mv);
        }
        while goes_on(game, &position) {
            let mv = self.policy.choose(game, &position, &mut draws);
            moves.push(mv);
            game.apply(&mut position, mv);
        }
        moves.reverse();
        Line { payoff: game.payoff(&position, Player::FIRST), reversed: moves }
    }
}

impl<G: Game> Method<G> for SinglePlayer<G> {
    const COUNTS_NODES: bool = false;

    fn columns(&self) -> Columns {
        Columns::default()
    }

    fn policy(&self) -> &Arc<dyn Policy<G>> {
        &self.policy
    }

    fn begin(&mut self, _game: &G, position: &G::Position) {
        self.best = self.plan.take().and_then(|plan| plan.at(position));
    }

    fn forced(&mut self, game: &G, position: &G::Position) {
        let best = self.plan.take().and_then(|plan| plan.at(position));
        self.plan = best.and_then(|line| Plan::new(*position, line).advance(game)).map(|(_, plan)| plan);
    }

    fn expand(&mut self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) -> Expansion {
        let score = Score { value: f64::INFINITY, width: 0.0 };
        if !descent.expand(node, position, score, 0) {
            return Expansion::Leaf;
        }
        if self.ties == Ties::Random {
            descent.shuffle(node);
        }
        Expansion::Children
    }

    #[inline(always)]
    fn select(&mut self, descent: &mut Descent<'_, G>, node: u32, _kind: Kind) -> Option<u32> {
        let arena = &descent.tree.arena;
        let (children, log) = (arena.children(node), self.logarithms.of(arena.visits(node)));
        let rows = arena.nodes[children.clone()].iter().zip(&arena.totals[children.clone()]);
        let bounds = rows.map(|(child, totals)| {
            let n = f64::from(child.visits);
            self.bound.of(child, log, totals.squares - n * (totals.sum / n) * (totals.sum / n))
        });
        Some(children.start + best_of(bounds))
    }

    fn back_up(&mut self, iteration: Iteration<'_, G>, sample: &Sample) {
        let Iteration { game, root, tree, path } = iteration;
        if self.best.as_ref().is_none_or(|best| sample.sum > f64::from(best.payoff)) {
            self.best = Some(self.line(game, root, tree, path));
        }
        let normalised = Sample::exactly(root.scale.quotient(sample.sum), 1);
        back_up(&mut tree.arena, path, &normalised, |arena, step, _| score_mean(arena, step, Scale::UNIT));
    }

    fn decide(&mut self, found: &Found<'_, G>, _rng: &mut Rng) -> Result<Decision<G::Move>, SearchError> {
        found.require_children()?;
        let scale = found.root.scale;
        let estimate = |&child: &u32| {
            let value = Method::<G>::value(self, &found.tree.arena, found.root, child, Kind::Max);
            let error = |totals: Totals, n| scale.range * totals.standard_error_of_means(n);
            found.estimate(child, value.unwrap_or(scale.min), error)
        };
        let moves: Vec<MoveEstimate<G::Move>> = found.children().iter().map(estimate).collect();
        let line = self.best.take().expect("the root has children, so that a line was played");
        let plan = Plan::new(found.root.position, line);
        let (chosen, plan) = plan.advance(found.game).expect("the game goes on");
        self.plan = Some(plan);
        Ok(Decision { chosen, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, root: &Root<G::Position>, child: u32, _: Kind) -> Option<f64> {
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
