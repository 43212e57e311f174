//! Proofs: bounds on the payoff under best play.
//!
//! MCTS-Solver (Winands, Björnsson, Saito 2008, "Monte-Carlo tree search solver") proves wins and losses; score
//! bounds (Cazenave, Saffidine 2010, "Score bounded Monte-Carlo tree search") do the same for any payoff. A node is
//! proved if its bounds meet. A move that cannot be better than another is cut, and not visited again.

use super::super::tree::{Arena, Bounds, Kind};

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

/// Cuts the children of a node that cannot be better than the payoff proved for the player who decides.
pub(super) fn cut(arena: &mut Arena, node: u32) {
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
