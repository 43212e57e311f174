//! The root during a decision: its rule shares the iterations among the moves, and chooses one.

use super::super::root::{Allocation, AnytimeHalving, Arms, GumbelState, Halving};
use super::super::tree::{Arena, Descent, ROOT};
use super::grave::amaf_of;
use super::root_rule::RootRule;
use crate::rng::Rng;
use crate::search::Ties;

/// The rule for the children of the root, for a number of iterations if it is known.
fn begin(
    rule: RootRule,
    arena: &Arena,
    iterations: Option<u64>,
    rng: &mut Rng,
) -> Option<Box<dyn Allocation>> {
    let moves = arena.children(ROOT).len();
    Some(match rule {
        RootRule::None {} => return None,
        RootRule::Halving { rounds, .. } => Box::new(Halving::new(moves, iterations, rounds)),
        RootRule::AnytimeHalving {} => Box::new(AnytimeHalving::new(moves)),
        RootRule::Gumbel { considered, visit_offset, scale } => {
            let uniform = vec![1.0; moves];
            let priors = if arena.priors.is_used() { &arena.priors[arena.children(ROOT)] } else { &[] };
            // A prior that excludes every move excludes none.
            let weights = if priors.iter().any(|&prior| prior > 0.0) { priors } else { &uniform };
            let total = weights.iter().sum();
            Box::new(GumbelState::new((considered, visit_offset, scale), (weights, total), iterations, rng))
        }
    })
}

/// The rule during a decision. A copy is before its decision.
#[derive(Default)]
pub(super) struct AtRoot(Option<Sharing>);

impl Clone for AtRoot {
    fn clone(&self) -> Self {
        Self(None)
    }
}

struct Sharing {
    rule: Box<dyn Allocation>,
    /// The weight of the AMAF mean.
    score_weight: f64,
    arms: Arms,
    rng: Rng,
    /// The move of the last iterations, and how many more it has.
    turn: (usize, u64),
}

impl Sharing {
    /// Takes over the results of a move from the tree.
    fn read(&mut self, arena: &Arena, arm: usize) {
        let number = arena.children(ROOT).start + arm as u32;
        let child = &arena.nodes[number];
        if child.visits == 0 {
            return;
        }
        let (visits, mut value) = (f64::from(child.visits), child.score.value);
        if self.score_weight > 0.0 {
            // Fabiano and Cazenave 2021, "Sequential halving using scores": μ + c · AMAF / n. A tree that was kept may lack results.
            let amaf = amaf_of(arena, (ROOT, number));
            let mean = if amaf.visits == 0 { 0.0 } else { amaf.mean() };
            value += self.score_weight * mean / visits;
        }
        self.arms.set(arm, child.visits.into(), value, value * visits);
    }

    /// Takes over the results of all moves.
    fn read_all(&mut self, arena: &Arena) {
        (0..arena.children(ROOT).len()).for_each(|arm| self.read(arena, arm));
    }
}

impl AtRoot {
    /// The child of the root to visit next, by this rule. An iteration has `batch` playouts.
    #[inline(never)]
    pub(super) fn next(&mut self, rule: RootRule, descent: &Descent<'_>, batch: u32) -> u32 {
        let arena = &*descent.arena;
        if self.0.is_none() {
            let left = Some(descent.meter.playouts_left()).filter(|&left| left < u64::MAX);
            let (mut rng, arms) = (descent.root.stream.rng(), Arms::of_values(arena.children(ROOT).len()));
            let iterations = left.map(|left| left.div_ceil(batch.into()));
            let score_weight = rule.score_weight();
            let rule = begin(rule, arena, iterations, &mut rng).expect("there is a rule");
            self.0 = Some(Sharing { rule, score_weight, arms, rng, turn: (0, 0) });
        }
        let sharing = self.0.as_mut().expect("the rule has begun");
        if sharing.turn.1 == 0 {
            sharing.read_all(arena);
            sharing.turn = sharing.rule.next(&sharing.arms, &mut sharing.rng);
        }
        sharing.turn.1 -= 1;
        arena.children(ROOT).start + sharing.turn.0 as u32
    }

    /// The child of the root that is played. `None` if the rule has not begun.
    pub(super) fn choose(&mut self, arena: &Arena, ties: Ties) -> Option<u32> {
        let sharing = self.0.as_mut()?;
        sharing.read_all(arena);
        let arm = sharing.rule.choose(&sharing.arms, ties, &mut sharing.rng);
        Some(arena.children(ROOT).start + arm as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::{Amaf, Bounds, Kind, Node, Score};
    use super::*;
    use crate::rng::Stream;
    use crate::search::RoundLength;

    /// Two moves with ten visits of value .5 and .6, and AMAF means of .9 and .3: with *c* = 2 they count .5 + .18 and .6 + .06, with
    /// *c* = 1 .59 and .63.
    #[test]
    fn a_score_is_the_value_and_the_amaf_mean_over_the_visits() {
        let mut arena = Arena::new(0, 0);
        arena.amaf.default = Some(Amaf::default());
        arena.clear(Kind::Max, Bounds { low: 0.0, high: 1.0 });
        arena.adopt(ROOT, 3, Score::UNUSED, 0);
        for (child, value, mean) in [(1, 0.5, 0.9), (2, 0.6, 0.3)] {
            arena.nodes[child] = Node { visits: 10, ..Node::unseen(Score { value, width: 0.0 }) };
            arena.amaf[child] = Amaf { sum: 20.0 * mean, visits: 20 };
        }
        for (score_weight, better) in [(2.0, 1), (1.0, 2), (0.0, 2)] {
            let rule = Box::new(Halving::new(2, Some(100), RoundLength::Ceiling));
            let (arms, rng) = (Arms::of_values(2), Stream::new(1).rng());
            let mut at_root = AtRoot(Some(Sharing { rule, score_weight, arms, rng, turn: (0, 0) }));
            assert_eq!(at_root.choose(&arena, Ties::First), Some(better), "{score_weight}");
        }
    }
}
