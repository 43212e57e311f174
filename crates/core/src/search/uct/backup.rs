//! The value of a node after a result: mean, maximum, implicit minimax, bounds.

use super::super::tree::{Arena, Kind, Scale, Step, mean, set_score};
use super::bounds::{cut, tighten};
use super::parts::Backup;

impl Backup<()> {
    /// Values a node. `tightens` says whether the bounds of the node below changed, and is set to whether those of this
    /// node did.
    #[inline(always)]
    pub(super) fn update(
        self,
        arena: &mut Arena,
        step: Step,
        scale: Scale,
        is_leaf: bool,
        tightens: &mut bool,
    ) {
        let node = step.node;
        if arena.minimax.is_used()
            && let Some(value) = minimax(arena, node)
        {
            arena.minimax[node] = value;
        }
        if *tightens && !is_leaf {
            // With transpositions, proofs of its children may not have reached a node yet.
            *tightens = tighten(arena, node) || arena.has_index;
            cut(arena, node);
        }
        if !arena.nodes[node].is_cut {
            let value = self.value(arena, node, scale);
            set_score(&mut arena.nodes[node], step, value);
        }
    }

    /// The value for the player at the root: mean and best child mixed, with the evaluation, within the bounds.
    #[inline(always)]
    fn value(self, arena: &Arena, node: u32, scale: Scale) -> f64 {
        let mut value = mean(arena, node, scale);
        if let Self::Mixed { max_share } = self
            && max_share > 0.0
        {
            let kind = arena.nodes[node].kind;
            let visited = arena.visited(node).map(|child| &arena.nodes[child]).filter(|child| !child.is_cut);
            let values = visited.map(|child| (f64::from(child.visits), child.score.value));
            if kind == Kind::Chance {
                let (n, sum) = values.fold((0.0, 0.0), |(all, sum), (n, value)| (all + n, sum + n * value));
                value = if n > 0.0 { sum / n } else { value };
            } else if let Some(best) = values.map(|(_, value)| value).reduce(f64::max) {
                value = max_share * kind.view(best) + (1.0 - max_share) * value;
            }
        }
        if let Self::Implicit { share, .. } = self {
            value = (1.0 - share) * value + share * arena.minimax[node];
        }
        if arena.bounds.is_used() {
            let bounds = arena.bounds[node];
            value = value.clamp(scale.value(bounds.low), scale.value(bounds.high));
        }
        value
    }
}

/// The evaluation of a node by minimax over its children, if all are visited; at chance nodes the mean of the visited
/// ones.
fn minimax(arena: &Arena, node: u32) -> Option<f64> {
    let children = arena.children(node);
    let kind = arena.nodes[node].kind;
    let visits = |child: u32| f64::from(arena.nodes[child].visits);
    let complete = kind == Kind::Chance || children.clone().all(|child| visits(child) > 0.0);
    if !complete || children.is_empty() {
        return None;
    }
    let values = arena.minimax[children.clone()].iter().copied();
    Some(match kind {
        Kind::Max => values.fold(0.0, f64::max),
        Kind::Min => values.fold(1.0, f64::min),
        _ => {
            let sum: f64 = values.zip(children.clone()).map(|(value, child)| value * visits(child)).sum();
            sum / children.map(visits).sum::<f64>()
        }
    })
}
