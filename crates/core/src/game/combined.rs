use std::sync::Arc;

use super::{
    ChildValues, Ends, Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Found, Game, Player,
    RangeError, View,
};

/// An evaluation that does not know the end of the game: it values a finished position like any other, as published
/// one-ply players do.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{BlindToEnds, Evaluation, Player};
/// use shikou::games::othello::{Othello, Weights};
/// let game = Othello::default();
/// let won = game.parse_board(&format!("X{} X", "-".repeat(63))).unwrap();
/// assert_eq!(Weights.finished(&game, &won, Player::FIRST), 1 << 20);
/// assert_eq!(BlindToEnds::new(Arc::new(Weights)).finished(&game, &won, Player::FIRST), 100);
/// ```
#[derive(Clone)]
pub struct BlindToEnds<G> {
    evaluation: Arc<dyn Evaluation<G>>,
}

impl<G: Game> BlindToEnds<G> {
    /// The same evaluation, blind to ends.
    pub fn new(evaluation: Arc<dyn Evaluation<G>>) -> Self {
        Self { evaluation }
    }
}

impl<G: Game> Evaluation<G> for BlindToEnds<G> {
    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.evaluation.evaluate(game, position, player)
    }

    fn evaluate_many(
        &self,
        game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        self.evaluation.evaluate_many(game, requests, answers);
    }

    fn each_child(&self, game: &G, position: &G::Position, wanted: ChildValues, found: Found<'_>) {
        let wanted = ChildValues { ends: Ends::Unknown, ..wanted };
        self.evaluation.each_child(game, position, wanted, found);
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts { is_points: false, ..self.evaluation.facts() }
    }

    #[inline]
    fn finished(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.evaluation.evaluate(game, position, player)
    }

    fn range(&self, _game: &G) -> (i64, i64) {
        let largest = self.facts().largest;
        (-largest, largest)
    }
}

/// A term of a sum of evaluations.
#[derive(Clone)]
pub struct Term<G> {
    /// The factor, per own unit of the evaluation.
    pub times: f64,
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation<G>>,
}

/// The weighted sum of some evaluations. Each term is rounded to a multiple of the unit.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Evaluation, GameExt, Player, Term, WeightedEvaluations};
/// use shikou::games::othello::{Discs, Othello, Weights};
/// let game = Othello::default();
/// let terms = vec![
///     Term { times: 0.5, evaluation: Arc::new(Discs) },
///     Term { times: 2.0, evaluation: Arc::new(Weights) },
/// ];
/// let sum = WeightedEvaluations::new(&game, terms, 0.5).unwrap();
/// let position = game.follow("f5").unwrap(); // three discs and five hundredths more
/// assert_eq!(sum.evaluate(&game, &position, Player::FIRST), 3 + 4 * 4);
/// ```
#[derive(Clone)]
pub struct WeightedEvaluations<G> {
    /// The evaluations, each with the factor of its integers.
    terms: Vec<(f64, Arc<dyn Evaluation<G>>)>,
    facts: EvaluationFacts,
}

impl<G: Game> WeightedEvaluations<G> {
    /// The sum in multiples of `unit`.
    ///
    /// # Errors
    /// If a value could leave the range.
    pub fn new(game: &G, terms: Vec<Term<G>>, unit: f64) -> Result<Self, RangeError> {
        let mut facts = EvaluationFacts { unit, ..EvaluationFacts::default() };
        let (mut largest, mut factors) = (0.0, Vec::new());
        for Term { times, evaluation } in terms {
            let EvaluationFacts { view, prefers_batches, unit: own, largest: most, .. } = evaluation.facts();
            facts.view = if view == View::Mover { view } else { facts.view };
            facts.prefers_batches |= prefers_batches;
            let factor = times * own / unit;
            largest += factor.abs() * most as f64 + 1.0;
            factors.push((factor, evaluation));
        }
        facts.largest = RangeError::check(&game.facts(), largest, unit)?;
        Ok(Self { terms: factors, facts })
    }
}

/// A term of a sum, rounded. Opposite values have opposite terms.
fn rounded(factor: f64, value: i64) -> i64 {
    (factor * value as f64).round() as i64
}

impl<G: Game> Evaluation<G> for WeightedEvaluations<G> {
    #[inline(never)]
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        let mut sum = 0;
        for (factor, evaluation) in &self.terms {
            sum += rounded(*factor, evaluation.evaluate(game, position, player));
        }
        sum
    }

    fn evaluate_many(
        &self,
        game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        let mut sums = vec![0; requests.len()];
        for (factor, evaluation) in &self.terms {
            let mut values = EvaluationBuffer::default();
            evaluation.evaluate_many(game, requests, &mut values);
            for (sum, &value) in sums.iter_mut().zip(values.all().values()) {
                *sum += rounded(*factor, value);
            }
        }
        for sum in sums {
            answers.push(sum);
        }
    }

    fn facts(&self) -> EvaluationFacts {
        self.facts
    }
}
