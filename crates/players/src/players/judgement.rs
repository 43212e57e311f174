//! What a decision says of a move.

use serde::{Serialize, Serializer};

use super::DecisionView;
use crate::search::{MoveEstimate, Stop};

impl DecisionView {
    /// The value of a move, if anything was found of it: a searcher that never tried a move states the worst payoff for it.
    pub fn value_of(&self, mv: &str) -> Option<f64> {
        let estimate = self.moves.iter().find(|estimate| estimate.mv == mv)?;
        let is_known = estimate.visits > 0 || mv == self.chosen || self.values_unvisited;
        is_known.then_some(estimate.value)
    }

    /// What a move gives away against the best of those that the searcher tried; `None` if its value is unknown.
    pub fn given_away(&self, mv: &str) -> Option<f64> {
        let values = self.moves.iter().filter_map(|estimate| self.value_of(&estimate.mv));
        Some(values.max_by(f64::total_cmp)? - self.value_of(mv)?)
    }
}

impl Serialize for DecisionView {
    /// A move of which nothing was found has neither a value nor an error.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'v> {
            chosen: &'v str,
            moves: Vec<MoveEstimate<&'v str, Option<f64>>>,
            stop: Stop,
        }
        let mut moves = Vec::new();
        for MoveEstimate { mv, visits, standard_error, .. } in &self.moves {
            let value = self.value_of(mv);
            let standard_error = value.map(|_| *standard_error);
            moves.push(MoveEstimate { mv: &**mv, visits: *visits, value, standard_error });
        }
        Written { chosen: &self.chosen, moves, stop: self.stop }.serialize(serializer)
    }
}
