//! The value of a node after a result: mean, maximum, implicit minimax, bounds.
//!
//! MCTS-Solver (Winands, Björnsson, Saito 2008, "Monte-Carlo tree search solver") proves wins and losses; score
//! bounds (Cazenave, Saffidine 2010, "Score bounded Monte-Carlo tree search") do the same for any payoff. A node is
//! proved if its bounds meet. A move that cannot be better than another is cut, and not visited again.

use super::super::tree::{Arena, Board, Bounds, Kind, Scale, Step, mean, set_score};
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

/// Narrows the bounds of a node by those of its children: by the best bounds for the player who decides, or the
/// weighted means at chance nodes. Returns whether they changed.
pub(super) fn tighten(arena: &mut Arena, node: u32) -> bool {
    let children = &arena.bounds[arena.children(node)];
    let lows = children.iter().map(|bounds| bounds.low);
    let highs = children.iter().map(|bounds| bounds.high);
    let found = match arena.nodes[node].kind {
        Kind::Max => Bounds {
            low: lows.fold(f64::NEG_INFINITY, f64::max),
            high: highs.fold(f64::NEG_INFINITY, f64::max),
        },
        Kind::Min => {
            Bounds { low: lows.fold(f64::INFINITY, f64::min), high: highs.fold(f64::INFINITY, f64::min) }
        }
        Kind::Chance => {
            let weights = &arena.weights[arena.children(node)];
            let whole: f64 = weights.iter().sum();
            let mean = |bounds: &mut dyn Iterator<Item = f64>| {
                bounds.zip(weights).map(|(bound, weight)| bound * weight).sum::<f64>() / whole
            };
            Bounds { low: mean(&mut { lows }), high: mean(&mut { highs }) }
        }
        Kind::Over | Kind::Unseen => return false,
    };
    let before = arena.bounds[node];
    arena.bounds[node] = before.narrowed(found);
    arena.bounds[node] != before
}

/// Searches for a proof of the last but one node of a path by plain minimax of some plies, the first time that the last node is proved
/// and this does not prove it (MCTS-MB: Baier, Winands 2015, "MCTS-minimax hybrids"). Not at the root, whose moves need the proofs.
/// Returns whether its bounds changed. A second search would find the same, so that there is one. The board moves.
pub(super) fn deepen(
    board: &mut dyn Board,
    (arena, range): (&mut Arena, Bounds),
    path: &[Step],
    plies: u32,
) -> bool {
    let [.., parent, step, below] = path else { return false };
    let (node, before) = (step.node, arena.bounds[step.node]);
    if arena.probed[node] || !arena.nodes[node].kind.is_player() || arena.proved(below.node).is_none() {
        return false;
    }
    tighten(arena, node);
    if arena.proved(node).is_none() {
        board.go(Some((arena.nodes[parent.node].family, node)));
        arena.bounds[node] = arena.bounds[node].narrowed(board.probe(range, plies));
        arena.probed[node] = true;
    }
    arena.bounds[node] != before
}

/// Cuts the children of a node that cannot be better than the payoff proved for the player who decides.
fn cut(arena: &mut Arena, node: u32) {
    let proved = arena.bounds[node];
    let kind = arena.nodes[node].kind;
    for child in arena.children(node) {
        let bounds = arena.bounds[child];
        let is_cut = match kind {
            Kind::Max => bounds.high <= proved.low,
            Kind::Min => bounds.low >= proved.high,
            Kind::Chance | Kind::Over | Kind::Unseen => false,
        };
        if is_cut {
            arena.nodes[child].cut();
        }
    }
}
