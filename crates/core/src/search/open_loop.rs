//! Open-loop UCT: a tree of moves without chance nodes.

use std::sync::Arc;

use super::tree::{
    Arena, Columns, Descent, Expansion, Found, Iteration, Kind, Logarithms, Method, Root, Sample, Score,
    Totals, TreeOf, TreeSearch, back_up, most_visited,
};
use super::{Decision, SearchError, Ties};
use crate::game::{Game, Policy, Turn};
use crate::rng::Rng;

/// Open-loop UCT (Perez Liebana et al. 2015, "Open loop search for general video game playing"): a node is a sequence
/// of players' moves, whatever the chance outcomes between them, and each iteration samples chance anew. So the tree
/// stays small if chance has many outcomes. But one decision after a chance turn covers all its outcomes, which is
/// never worth more than deciding with the outcome known.
///
/// The legal moves may differ from visit to visit. A child's bound counts the visits at which it was legal:
/// *x* + factor · √(2 ln *N* / *n*) with *N* that number (Cowling, Powley, Whitehouse 2012, "Information set Monte Carlo
/// tree search"). Without chance it is plain UCT. The move with the most visits is played.
///
/// # Cost
/// As UCT, plus a look-up of the child of each legal move, which is a search among the children if the legal moves
/// differ between visits. At the memory limit the children of the least visited nodes are recycled.
pub type OpenLoopUct<G> = TreeSearch<G, OpenLoop<G>>;

/// The method of [`OpenLoopUct`].
#[derive(Clone)]
pub struct OpenLoop<G: Game> {
    policy: Arc<dyn Policy<G>>,
    exploration: f64,
    ties: Ties,
    logarithms: Logarithms,
    /// The position of the descent.
    position: Option<G::Position>,
    /// The legal moves without a child in the node.
    newcomers: Vec<G::Move>,
}

/// The unused score of children: their bounds are computed from their totals.
const UNSCORED: Score = Score { value: 0.0, width: 0.0 };

impl<G: Game> TreeSearch<G, OpenLoop<G>> {
    /// A searcher with this playout policy. An exploration factor of 1 is UCB1 as published.
    pub fn new(policy: Arc<dyn Policy<G>>, exploration: f64, ties: Ties) -> Self {
        let (logarithms, position, newcomers) = (Logarithms::new(), None, Vec::new());
        Self::of(OpenLoop { policy, exploration, ties, logarithms, position, newcomers })
    }
}

impl<G: Game> OpenLoop<G> {
    /// Chooses among the moves that are legal now: an unvisited move, and the one with the largest bound. Returns their places
    /// among the children of the node, after which the newcomers are added.
    fn choose(
        &mut self,
        descent: &mut Descent<'_, G>,
        node: u32,
        position: &G::Position,
    ) -> (Option<u32>, Option<u32>) {
        let (tree, scale) = (&mut *descent.tree, descent.root.scale);
        let kind = tree.arena.nodes[node].kind;
        let children = tree.arena.children(node);
        let (mut fresh, mut best) = (None, None);
        let (mut count, mut largest) = (0, f64::NEG_INFINITY);
        self.newcomers.clear();
        for (index, mv) in (0..).zip(descent.game.moves(position)) {
            let child = tree.child_near(node, index, mv);
            let visits = child.map_or(0, |child| tree.arena.nodes[child].visits);
            if let Some(child) = child.filter(|_| visits > 0) {
                let available = &mut tree.arena.available[child];
                *available += 1;
                let log = self.logarithms.of(*available);
                let value = kind.view(scale.quotient(tree.arena.totals[child].mean(visits)));
                let bound = value + self.exploration * (2.0 * log / f64::from(visits)).sqrt();
                if bound > largest {
                    (best, largest) = (Some(child - children.start), bound);
                }
                continue;
            }
            let place = child.unwrap_or(children.end + self.newcomers.len() as u32) - children.start;
            if child.is_none() {
                self.newcomers.push(mv);
            }
            count += 1;
            // The k-th of them replaces the one held with probability 1/k.
            if count == 1 || self.ties == Ties::Random && descent.draws.below(count) == 0 {
                fresh = Some(place);
            }
        }
        (fresh, best)
    }
}

impl<G: Game> Method<G> for OpenLoop<G> {
    fn columns(&self) -> Columns {
        Columns { available: true, ..Columns::default() }
    }

    fn policy(&self) -> &Arc<dyn Policy<G>> {
        &self.policy
    }

    fn start(&mut self, descent: &mut Descent<'_, G>) {
        descent.start();
        self.position = Some(descent.root.position);
    }

    fn position(&self, _descent: &Descent<'_, G>) -> G::Position {
        self.position.expect("a descent was begun")
    }

    fn expand(&mut self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) -> Expansion {
        if descent.expand(node, position, UNSCORED, 0) { Expansion::Children } else { Expansion::Leaf }
    }

    fn select(&mut self, descent: &mut Descent<'_, G>, node: u32, _kind: Kind) -> Option<u32> {
        let position = self.position(descent);
        let (fresh, best) = self.choose(descent, node, &position);
        if !self.newcomers.is_empty() {
            descent.tree.extend(node, position, &self.newcomers, UNSCORED, descent.meter);
        }
        let children = descent.tree.arena.children(node);
        let child_at = |place: u32| Some(children.start + place).filter(|child| children.contains(child));
        let child = fresh.and_then(child_at).or_else(|| best.and_then(child_at))?;
        let arena = &mut descent.tree.arena;
        let is_new = arena.nodes[child].visits == 0;
        if is_new {
            arena.available[child] = 1;
        }
        let at = self.position.as_mut().expect("a descent was begun");
        descent.game.apply(at, descent.tree.mv(child));
        if !is_new {
            while descent.game.turn(at) == Turn::Chance {
                let outcome = descent.game.random_outcome(at, &mut descent.draws);
                descent.game.apply(at, outcome);
            }
            descent.tree.arena.nodes[child].kind = Kind::of(descent.game.turn(at), descent.root.player);
        }
        Some(child)
    }

    fn back_up(&mut self, iteration: Iteration<'_, G>, sample: &Sample) {
        let Iteration { tree, path, .. } = iteration;
        back_up(&mut tree.arena, path, sample, |_, _, _| {});
    }

    fn decide(&mut self, found: &Found<'_, G>, rng: &mut Rng) -> Result<Decision<G::Move>, SearchError> {
        found.require_children()?;
        let arena = &found.tree.arena;
        let estimate = |&child: &u32| {
            let value = Method::<G>::value(self, arena, found.root, child, Kind::Max);
            let value = value.unwrap_or(found.root.range.low);
            found.estimate(child, value, Totals::standard_error_of_means)
        };
        let moves: Vec<_> = found.children().iter().map(estimate).collect();
        let ranks = moves.iter().map(|estimate| (estimate.visits, estimate.value));
        let best = self.ties.best(ranks, rng);
        Ok(Decision { chosen: moves[best].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, _: &Root<G::Position>, child: u32, _: Kind) -> Option<f64> {
        let visits = arena.nodes[child].visits;
        (visits > 0).then(|| arena.totals[child].mean(visits))
    }

    fn principal(&self, game: &G, tree: &TreeOf<G>, node: u32, at: &G::Position) -> Option<u32> {
        most_visited(game, tree, node, at)
    }
}
