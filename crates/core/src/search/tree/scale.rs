use super::node::Bounds;
use crate::game::Game;

/// The linear map of a game's payoffs to `[0, 1]`.
///
/// Committed results depend on the last bit, so there are two ways to divide by the range: a product with its
/// reciprocal, as UCT does at every node, and a quotient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) min: f64,
    /// The largest payoff less the smallest; 1 if they are equal.
    pub(crate) range: f64,
    /// 1 over the range.
    pub(crate) factor: f64,
    /// The factor of every exploration term.
    pub(crate) exploration: f64,
}

impl Default for Scale {
    /// The scale of already normalised payoffs.
    fn default() -> Self {
        Self { min: 0.0, range: 1.0, factor: 1.0, exploration: 1.0 }
    }
}

impl Scale {
    pub(crate) fn of<G: Game>(game: &G) -> Self {
        let Bounds { low, high } = payoffs(game);
        let range = if high > low { high - low } else { 1.0 };
        Self { min: low, range, factor: 1.0 / range, exploration: 1.0 }
    }

    /// The scale whose exploration is that of payoffs in a range of this size; 0 is the size of the game's own.
    pub(crate) fn explored(self, size: f64) -> Self {
        Self { exploration: if size > 0.0 { size * self.factor } else { 1.0 }, ..self }
    }

    #[inline(always)]
    pub(crate) fn value(self, payoff: f64) -> f64 {
        (payoff - self.min) * self.factor
    }

    pub(crate) fn quotient(self, payoff: f64) -> f64 {
        (payoff - self.min) / self.range
    }

    /// The payoff of a [value](Scale::value).
    pub(crate) fn payoff(self, value: f64) -> f64 {
        value / self.factor + self.min
    }

    /// The payoff of a [quotient](Scale::quotient).
    pub(crate) fn payoff_of_quotient(self, value: f64) -> f64 {
        self.min + self.range * value
    }
}

pub(crate) fn payoffs<G: Game>(game: &G) -> Bounds {
    let facts = game.facts();
    Bounds { low: facts.min_payoff.into(), high: facts.max_payoff.into() }
}
