use std::sync::Arc;

use super::{
    ChildSum, ChildValues, Evaluation, EvaluationFacts, Facts, Features, Found, Game, Player, WeightedSum,
    made_sum,
};

/// The largest value that a search compares exactly: doubles hold it without rounding.
const MOST: f64 = (1_u64 << 52) as f64;

/// The largest absolute value of a sum of whole weights, so that a certain win outweighs it.
const CLAMPED: i64 = (1 << 20) - 1;

/// An evaluation that is linear in some features: the sum of weight · value.
///
/// With whole weights the sum is clamped below 2²⁰. Real weights are rounded once, to multiples of a unit, and the sum
/// of these integers is not clamped: weights whose sum could leave the range are refused. Only the ratios of the weights
/// matter to a search that compares values.
///
/// # Example: the weighted piece counter from the ten kinds of squares
/// ```
/// use shikou::game::{Evaluation, GameExt, Linear, NamedGame, Player};
/// use shikou::games::othello::{Othello, Weights};
/// let game = Othello::default();
/// let kinds = game.entries().features.into_iter().find(|features| features.name == "square-kinds").unwrap();
/// assert_eq!(kinds.features.names(&game), ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"]);
/// let linear = Linear::new(&game, kinds.features.clone(), vec![100, -25, 10, 5, -25, 1, 1, 5, 2, 1]);
/// let position = game.follow("f5d6c3").unwrap();
/// let value = linear.evaluate(&game, &position, Player::FIRST);
/// assert_eq!(value, Weights.evaluate(&game, &position, Player::FIRST));
/// let reals = [1.0, -0.25, 0.1, 0.05, -0.25, 0.01, 0.01, 0.05, 0.02, 0.01];
/// let real = Linear::of_reals(&game, kinds.features, &reals, 1e-6).unwrap();
/// assert_eq!(real.evaluate(&game, &position, Player::FIRST), 10_000 * value);
/// ```
#[derive(Clone)]
pub struct Linear<G> {
    sum: Arc<dyn WeightedSum<G>>,
    unit: f64,
    /// The largest absolute value; `None` clamps the sum.
    largest: Option<i64>,
}

fn weighted_sum<G: Game>(
    game: &G,
    features: Arc<dyn Features<G>>,
    weights: Vec<i64>,
) -> Arc<dyn WeightedSum<G>> {
    features.prepared(game, &weights).unwrap_or_else(|| {
        let game = game.clone();
        Arc::new(made_sum(move |position: &G::Position, player| {
            let (mut few, mut many) = ([0; 64], Vec::new());
            let values = few.get_mut(..weights.len()).unwrap_or_else(|| {
                many.resize(weights.len(), 0);
                &mut many[..]
            });
            features.values(&game, position, player, values);
            values.iter().zip(&weights).map(|(&value, &weight)| i64::from(value) * weight).sum()
        }))
    })
}

/// Why real weights are refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RangeError {
    /// The features state no largest value.
    #[error(
        "these features state no largest value, so that a sum of real weights could leave its range; write whole weights without a unit"
    )]
    NoLargest,
    /// The sum could leave its range.
    #[error(
        "with these weights in units of {unit:?} a value could reach {largest:.1e}, which leaves the range of {MOST:.1e}; write a larger unit"
    )]
    TooLarge {
        /// The unit of the weights.
        unit: f64,
        /// The largest absolute value, finished games included.
        largest: f64,
    },
}

pub(crate) fn in_units(numbers: &[f64], unit: f64) -> Vec<i64> {
    numbers.iter().map(|number| (number / unit).round() as i64).collect()
}

impl RangeError {
    /// Checks that an evaluation with this largest value, and its finished games, stay in the range.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(facts: &Facts, largest: f64, unit: f64) -> Result<i64, Self> {
        let payoff = facts.max_payoff.unsigned_abs().max(facts.min_payoff.unsigned_abs()).max(1);
        let with_ends = f64::from(payoff) * (largest + 1.0);
        if with_ends <= MOST { Ok(largest as i64) } else { Err(Self::TooLarge { unit, largest: with_ends }) }
    }
}

impl<G: Game> Linear<G> {
    /// The evaluation with a whole weight for each feature, in the order of their names.
    ///
    /// # Panics
    /// May panic if there are not as many weights as features.
    pub fn new(game: &G, features: Arc<dyn Features<G>>, weights: Vec<i64>) -> Self {
        Self { sum: weighted_sum(game, features, weights), unit: 1.0, largest: None }
    }

    /// The evaluation with a real weight for each feature. Each is rounded to a multiple of `unit`.
    ///
    /// # Errors
    /// If a value could leave the range.
    ///
    /// # Panics
    /// May panic if there are not as many weights as features.
    pub fn of_reals(
        game: &G,
        features: Arc<dyn Features<G>>,
        weights: &[f64],
        unit: f64,
    ) -> Result<Self, RangeError> {
        let each = features.largest(game).ok_or(RangeError::NoLargest)?;
        let sum: f64 = weights.iter().map(|weight| (weight / unit).abs() + 0.5).sum();
        let largest = RangeError::check(&game.facts(), sum * f64::from(each), unit)?;
        let weights = in_units(weights, unit);
        Ok(Self { sum: weighted_sum(game, features, weights), unit, largest: Some(largest) })
    }

    #[inline]
    fn value(&self, child: ChildSum) -> i64 {
        match child {
            ChildSum::Sum(sum) => self.clamped(sum),
            ChildSum::Payoff(payoff) => i64::from(payoff) * (self.facts().largest + 1),
        }
    }

    #[inline]
    fn clamped(&self, sum: i64) -> i64 {
        if self.largest.is_none() { sum.clamp(-CLAMPED, CLAMPED) } else { sum }
    }
}

impl<G: Game> Evaluation<G> for Linear<G> {
    #[inline]
    fn evaluate(&self, _game: &G, position: &G::Position, player: Player) -> i64 {
        self.clamped(self.sum.sum(position, player))
    }

    fn each_child(&self, game: &G, position: &G::Position, wanted: ChildValues, found: Found<'_>) {
        // A common amount could be clamped.
        let wanted = ChildValues { compared: wanted.compared && self.largest.is_some(), ..wanted };
        self.sum.each_child(game, position, wanted, &mut |child| found(self.value(child)));
    }

    fn facts(&self) -> EvaluationFacts {
        let largest = self.largest.unwrap_or(CLAMPED);
        EvaluationFacts { unit: self.unit, largest, ..EvaluationFacts::default() }
    }
}
