//! The final choice: which move of the root is played (Chaslot et al. 2008, "Progressive strategies for Monte-Carlo
//! tree search").

use super::tree::{Bounds, Tree};
use crate::rng::Rng;
use crate::search::Ties;

/// Which move of the root is played.
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
    /// Which of the children of the root, in this order, is played, from values in `[0, 1]` for the player there.
    ///
    /// What is proved goes first: a move that cannot be better than another surely is, and may be worse, is not
    /// played, and a solved move is played where no open one looks better.
    pub(super) fn choose<P: Copy + Eq, M: Copy + Eq>(
        self,
        tree: &Tree<P, M>,
        order: &[u32],
        values: &[f64],
        ties: Ties,
        rng: &mut Rng,
    ) -> usize {
        let rank = |index: usize| {
            let (visits, value) = (tree.node(order[index]).visits, values[index]);
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
        if !tree.columns.bounds {
            return best_of(&all);
        }
        let bounds: Vec<Bounds> = order.iter().map(|&child| tree.bounds[child as usize]).collect();
        let sure = bounds.iter().map(|bounds| bounds.low).fold(f64::NEG_INFINITY, f64::max);
        let solved = |index: &usize| bounds[*index].low == sure && bounds[*index].is_exact();
        let solved: Vec<usize> = all.iter().copied().filter(solved).collect();
        let open: Vec<usize> = all.into_iter().filter(|&index| bounds[index].high > sure).collect();
        match (&solved[..], &open[..]) {
            ([], open) => best_of(open),
            (solved, []) => solved[ties.best(solved.iter().map(|_| 0), rng)],
            (solved, open) => {
                let best = best_of(open);
                if values[solved[0]] >= values[best] { solved[0] } else { best }
            }
        }
    }
}
