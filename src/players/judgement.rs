//! What a decision says of a move.

use super::{DecisionView, SearcherDecl};

impl DecisionView {
    /// The value of a move, if anything was found of it: a searcher that never tried a move states the worst payoff for it.
    /// `searcher` is the one that decided.
    pub fn value_of(&self, searcher: &SearcherDecl, mv: &str) -> Option<f64> {
        let estimate = self.moves.iter().find(|estimate| estimate.mv == mv)?;
        let is_known = estimate.visits > 0 || mv == self.chosen || searcher.values_unvisited;
        is_known.then_some(estimate.value)
    }

    /// What a move gives away against the best of those that the searcher tried; `None` if its value is unknown.
    pub fn given_away(&self, searcher: &SearcherDecl, mv: &str) -> Option<f64> {
        let values = self.moves.iter().filter_map(|estimate| self.value_of(searcher, &estimate.mv));
        Some(values.max_by(f64::total_cmp)? - self.value_of(searcher, mv)?)
    }
}
