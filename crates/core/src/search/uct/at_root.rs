//! The root during a decision: its rule shares the iterations among the moves, and chooses one.

use super::super::root::{Allocation, AnytimeHalving, Arms, GumbelState, Halving};
use super::super::tree::{Arena, Descent, ROOT};
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
        RootRule::Halving { rounds } => Box::new(Halving::new(moves, iterations, rounds)),
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
    arms: Arms,
    rng: Rng,
    /// The move of the last iterations, and how many more it has.
    turn: (usize, u64),
}

impl Sharing {
    /// Takes over the results of a move from the tree.
    fn read(&mut self, arena: &Arena, arm: usize) {
        let child = &arena.nodes[arena.children(ROOT).start + arm as u32];
        let (visits, value) = (f64::from(child.visits), child.score.value);
        if child.visits > 0 {
            self.arms.set(arm, child.visits.into(), value, value * visits);
        }
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
            let rule = begin(rule, arena, iterations, &mut rng).expect("there is a rule");
            let mut sharing = Sharing { rule, arms, rng, turn: (0, 0) };
            // A tree that was kept has results.
            (0..arena.children(ROOT).len()).for_each(|arm| sharing.read(arena, arm));
            self.0 = Some(sharing);
        }
        let sharing = self.0.as_mut().expect("the rule has begun");
        let (last, _) = sharing.turn;
        sharing.read(arena, last);
        if sharing.turn.1 == 0 {
            sharing.turn = sharing.rule.next(&sharing.arms, &mut sharing.rng);
        }
        sharing.turn.1 -= 1;
        arena.children(ROOT).start + sharing.turn.0 as u32
    }

    /// The child of the root that is played. `None` if the rule has not begun.
    pub(super) fn choose(&mut self, arena: &Arena, ties: Ties) -> Option<u32> {
        let sharing = self.0.as_mut()?;
        sharing.read(arena, sharing.turn.0);
        let arm = sharing.rule.choose(&sharing.arms, ties, &mut sharing.rng);
        Some(arena.children(ROOT).start + arm as u32)
    }
}
