//! What is proved of a node: bounds of its payoff under best play.
//!
//! MCTS-Solver (Winands, Björnsson, Saito 2008, "Monte-Carlo tree search solver") proves wins and losses; score
//! bounds (Cazenave, Saffidine 2010, "Score bounded Monte-Carlo tree search") do the same for any payoff. A node whose
//! bounds meet is solved. A move that cannot be better than another is is proved to be is not visited again.

use super::tree::{Bounds, Kind, Tree};

impl<P: Copy + Eq, M: Copy + Eq> Tree<P, M> {
    /// The bounds of a node from those of its children: the better ones for who decides, at chance's turn the
    /// averages by the weights that stand as priors. Returns whether they have become narrower.
    pub(super) fn tighten(&mut self, node: u32) -> bool {
        let children = self.children(node);
        let range = children.start as usize..children.end as usize;
        let of_children = &self.bounds[range.clone()];
        let lows = of_children.iter().map(|bounds| bounds.low);
        let highs = of_children.iter().map(|bounds| bounds.high);
        let found = match self.node(node).kind {
            Kind::Own => Bounds {
                low: lows.fold(f64::NEG_INFINITY, f64::max),
                high: highs.fold(f64::NEG_INFINITY, f64::max),
            },
            Kind::Other => {
                Bounds { low: lows.fold(f64::INFINITY, f64::min), high: highs.fold(f64::INFINITY, f64::min) }
            }
            Kind::Chance => {
                let weights = &self.priors[range];
                let whole: f64 = weights.iter().sum();
                let average = |bounds: &mut dyn Iterator<Item = f64>| {
                    bounds.zip(weights).map(|(bound, weight)| bound * weight).sum::<f64>() / whole
                };
                Bounds { low: average(&mut { lows }), high: average(&mut { highs }) }
            }
            Kind::Over | Kind::Unseen => return false,
        };
        let bounds = &mut self.bounds[node as usize];
        let before = *bounds;
        *bounds = Bounds { low: before.low.max(found.low), high: before.high.min(found.high) };
        *bounds != before
    }

    /// Takes the moves of a node out that cannot be better than what is proved for who decides there.
    pub(super) fn cut(&mut self, node: u32) {
        let proved = self.bounds[node as usize];
        let kind = self.node(node).kind;
        for child in self.children(node) {
            let bounds = self.bounds[child as usize];
            let useless = match kind {
                Kind::Own => bounds.high <= proved.low,
                Kind::Other => bounds.low >= proved.high,
                Kind::Chance | Kind::Over | Kind::Unseen => false,
            };
            if useless {
                self.nodes[child as usize].score.value = f64::NEG_INFINITY;
            }
        }
    }
}
