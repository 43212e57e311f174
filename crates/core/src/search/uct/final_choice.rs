//! The final choice: which move of the root is played (Chaslot et al. 2008, "Progressive strategies for Monte-Carlo
//! tree search").

use super::super::tree::{Arena, Bounds};
use crate::rng::Rng;
use crate::search::Ties;

/// The rule for the move of the root that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalChoice {
    /// The most visits; among equals the largest value.
    #[default]
    Robust,
    /// The largest value.
    Max,
    /// The largest lower bound: value − 1/√visits.
    Secure,
}

impl FinalChoice {
    /// The index of the move that is played, of these children of the root with values in `[0, 1]` for the player there.
    ///
    /// Proofs come first: a move that is proved to be no better than another, and may be worse, is not played, and a proved
    /// move is played if no open one looks better.
    pub(super) fn choose(
        self,
        arena: &Arena,
        order: &[u32],
        values: &[f64],
        ties: Ties,
        rng: &mut Rng,
    ) -> usize {
        let rank = |index: usize| {
            let (visits, value) = (arena.nodes[order[index]].visits, values[index]);
            match self {
                Self::Robust => (f64::from(visits), value),
                Self::Max if visits == 0 => (f64::NEG_INFINITY, value),
                Self::Max => (value, f64::from(visits)),
                Self::Secure => (value - 1.0 / f64::from(visits).sqrt(), value),
            }
        };
        let mut best_of =
            |indices: &[usize]| indices[ties.best(indices.iter().map(|&index| rank(index)), rng)];
        let all: Vec<usize> = (0..order.len()).collect();
        if !arena.bounds.is_used() {
            return best_of(&all);
        }
        let bounds: Vec<Bounds> = order.iter().map(|&child| arena.bounds[child]).collect();
        let best_low = bounds.iter().map(|bounds| bounds.low).fold(f64::NEG_INFINITY, f64::max);
        let is_proved = |index: &usize| bounds[*index].low == best_low && bounds[*index].proved().is_some();
        let proved: Vec<usize> = all.iter().copied().filter(is_proved).collect();
        let open: Vec<usize> = all.into_iter().filter(|&index| bounds[index].high > best_low).collect();
        match (&proved[..], &open[..]) {
            ([], open) => best_of(open),
            (proved, []) => proved[ties.best(proved.iter().map(|_| 0), rng)],
            (proved, open) => {
                let best = best_of(open);
                if values[proved[0]] >= values[best] { proved[0] } else { best }
            }
        }
    }
}
