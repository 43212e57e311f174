use std::sync::Arc;

use super::tree::{
    Arena, Descent, Found, Iteration, Kind, Logarithms, Method, Root, Sample, Score, Totals, back_up,
    most_visited, object,
};
use super::{Decision, SearchError, Ties, TreeSearch, UctSettings};
use crate::game::{Game, Policy};
use crate::rng::Rng;

/// The method of [`TreeSearch::open_loop`].
#[derive(Clone)]
struct OpenLoop {
    exploration: f64,
    ties: Ties,
    logarithms: Logarithms,
    /// The kind of the present position of the descent, and its payoff.
    at: (Kind, f64),
    /// The places of the legal moves among the children of a node.
    places: Vec<u32>,
}

impl<G: Game> TreeSearch<G> {
    /// Open-loop UCT (Perez Liebana et al. 2015, "Open loop search for general video game playing"): a node is a sequence
    /// of players' moves, whatever the chance outcomes between them, and each iteration samples chance anew. So the tree
    /// stays small if chance has many outcomes. But one decision after a chance turn covers all its outcomes, which is
    /// never worth more than deciding with the outcome known.
    ///
    /// The legal moves may differ from visit to visit. A child's bound counts the visits at which it was legal:
    /// *x* + factor · √(2 ln *N* / *n*) with *N* that number (Cowling, Powley, Whitehouse 2012, "Information set Monte Carlo
    /// tree search"). Without chance it is plain UCT. The move with the most visits is played.
    ///
    /// An exploration factor of 1 is UCB1 as published.
    ///
    /// # Cost
    /// As UCT, plus a look-up of the child of each legal move, which is a search among the children if the legal moves
    /// differ between visits. At the memory limit the children of the least visited nodes are recycled.
    pub fn open_loop(policy: Arc<dyn Policy<G>>, exploration: f64, ties: Ties) -> Self {
        let (logarithms, at, places) = (Logarithms::new(), (Kind::Unseen, 0.0), Vec::new());
        let method = OpenLoop { exploration, ties, logarithms, at, places };
        Self::of(Arc::new(UctSettings::new(policy)), Box::new(method))
    }
}

impl OpenLoop {
    /// Chooses among the moves that are legal now: an unvisited move, and the one with the largest bound. Returns their places
    /// among the children of the node, after which the newcomers are added.
    #[inline(always)]
    fn choose(
        &self,
        descent: &mut Descent<'_>,
        node: u32,
        places: impl Iterator<Item = u32>,
    ) -> (Option<u32>, Option<u32>) {
        let (arena, scale) = (&mut *descent.arena, descent.root.scale);
        let kind = arena.nodes[node].kind;
        let children = arena.children(node);
        let (mut fresh, mut best) = (None, None);
        let (mut count, mut largest) = (0, f64::NEG_INFINITY);
        for place in places {
            let child = Some(children.start + place).filter(|child| children.contains(child));
            let visits = child.map_or(0, |child| arena.nodes[child].visits);
            if let Some(child) = child.filter(|_| visits > 0) {
                let available = &mut arena.available[child];
                *available += 1;
                let log = self.logarithms.of(*available);
                let value = kind.view(scale.quotient(arena.totals[child].mean(visits)));
                let bound = value + self.exploration * (2.0 * log / f64::from(visits)).sqrt();
                if bound > largest {
                    (best, largest) = (Some(place), bound);
                }
                continue;
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

impl Method for OpenLoop {
    object!();

    fn set_columns(&self, arena: &mut Arena) {
        arena.available.default = Some(0);
    }

    fn start(&mut self, descent: &mut Descent<'_>) {
        descent.start();
        self.at = descent.board.go(None);
    }

    fn arrive(&self, _descent: &mut Descent<'_>) -> (Kind, f64) {
        self.at
    }

    fn select(&mut self, descent: &mut Descent<'_>, node: u32, _kind: Kind) -> Option<u32> {
        let (fresh, best) = if descent.board.has_places(descent.arena, node, &mut self.places) {
            self.choose(descent, node, 0..descent.arena.nodes[node].count.into())
        } else {
            let found = self.choose(descent, node, self.places.iter().copied());
            descent.board.add_places(descent.arena, node, Score::UNUSED, descent.meter);
            found
        };
        let arena = &mut *descent.arena;
        let children = arena.children(node);
        let child_at = |place: u32| Some(children.start + place).filter(|child| children.contains(child));
        let child = fresh.and_then(child_at).or_else(|| best.and_then(child_at))?;
        if arena.nodes[child].visits == 0 {
            arena.available[child] = 1;
            self.at = descent.board.make(child, None);
        } else {
            self.at = descent.board.make(child, Some(&mut descent.draws));
            arena.nodes[child].kind = self.at.0;
        }
        Some(child)
    }

    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample) {
        back_up(iteration.arena, iteration.path, sample, |_, _, _| {});
    }

    fn decide(&mut self, found: Found<'_>, rng: &mut Rng) -> Result<Decision<u32>, SearchError> {
        found.require_children()?;
        let Found { root, arena, children, .. } = found;
        let estimate = |&child: &u32| {
            let value = self.value(arena, root, child, Kind::Max).unwrap_or(root.range.low);
            found.estimate(child, value, Totals::standard_error_of_means)
        };
        let moves: Vec<_> = children.iter().map(estimate).collect();
        let ranks = moves.iter().map(|estimate| (estimate.visits, estimate.value));
        let best = self.ties.best(ranks, rng);
        Ok(Decision { chosen: moves[best].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, _: &Root, child: u32, _: Kind) -> Option<f64> {
        let visits = arena.nodes[child].visits;
        (visits > 0).then(|| arena.totals[child].mean(visits))
    }

    fn principal(&self, arena: &Arena, _node: u32, children: &[u32]) -> Option<u32> {
        most_visited(arena, children)
    }
}
