//! Evaluations: heuristic values of the positions at which a search stops, and priors over their moves.
//!
//! The key decision: an [`Evaluation`] values one position per call, without overhead, and may value many at a time, as a
//! network does. A search reads [`EvaluationFacts::prefers_batches`], and then either collects requests or calls directly.
//! Rejected: single and batched calls that default to each other, because an evaluation that implements neither would
//! recurse forever.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::{Game, GameExt, LineValues, Player, Turn};

/// A heuristic value of a position for a named player. Larger is better. Values are integers, so that ties are exact.
///
/// # Laws
/// - `evaluate` depends on the game, the position and the player only, and `evaluate_many` gives the same values,
///   whatever else is in the batch. So does `each_child`, up to a common amount if values are only compared.
/// - In a zero-sum game the values for the two players add up to 0, unless the view is the mover's.
/// - Both lie within `range`.
/// - `|evaluate| ≤ largest` unless `finished` is overridden, so that a certain win outweighs every estimate.
pub trait Evaluation<G: Game>: Send + Sync {
    /// The value of an unfinished position for `player`; also of a finished one, for a search that does not know the end
    /// of the game.
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64;

    /// Appends the answer to each request, in order. By default one call of [`Evaluation::evaluate`] for each.
    ///
    /// # Panics
    /// May panic if a request asks for a prior and the facts state none; the default does.
    fn evaluate_many(
        &self,
        game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        for request in requests {
            assert!(!request.prior, "a prior was requested of an evaluation without one");
            answers.push(self.evaluate(game, &request.position, request.player));
        }
    }

    /// Shows the value of each child of a position at a player's turn to `found`, in the order of the moves, until that
    /// breaks off. A finished child has the value of [`Evaluation::finished`] if the ends are known. If values are only
    /// compared, all may be larger by the same amount.
    ///
    /// By default each move is made. An evaluation overrides it if the values of the children follow from that of the
    /// position with less work.
    fn each_child(&self, game: &G, position: &G::Position, wanted: ChildValues, found: Found<'_>) {
        let player = wanted.player;
        let finished = |child: &G::Position| self.finished(game, child, player);
        let value = |child: &G::Position| self.evaluate(game, child, player);
        each_made_child(game, position, wanted.ends, &finished, &value, found);
    }

    /// The facts of the evaluation, the same in every game.
    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts::default()
    }

    /// The value of a finished position for `player`, comparable with [`Evaluation::evaluate`]: the payoff, more than
    /// any estimate. An evaluation that estimates the payoff in its own units overrides it.
    fn finished(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        i64::from(game.payoff(position, player)) * (self.facts().largest + 1)
    }

    /// The values of whole lines of a player's moves, for an evaluation that compares those in a solitaire, with memory kept from
    /// one look to the next. By default `None`: it compares moves.
    fn lines<'v>(&'v self, _game: &'v G) -> Option<Box<dyn LineValues<G> + 'v>> {
        None
    }

    /// The least and the largest value of any position, finished ones included, for either player. The default follows
    /// from the laws and the default of `finished`. In games of chance a narrower range allows more cuts.
    fn range(&self, game: &G) -> (i64, i64) {
        let (facts, more) = (game.facts(), self.facts().largest + 1);
        let (low, high) = (i64::from(facts.min_payoff) * more, i64::from(facts.max_payoff) * more);
        (low.min(-more), high.max(more))
    }
}

/// Makes each move, and shows the value of the position after it: of a known end of the game the first, else the second.
pub(super) fn each_made_child<G: Game, T>(
    game: &G,
    position: &G::Position,
    ends: Ends,
    finished: &dyn Fn(&G::Position) -> T,
    value: &dyn Fn(&G::Position) -> T,
    found: Found<'_, T>,
) {
    for (_, child) in game.children(position) {
        let is_over = ends == Ends::Known && game.turn(&child) == Turn::Over;
        if found(if is_over { finished(&child) } else { value(&child) }).is_break() {
            break;
        }
    }
}

/// The facts of an evaluation. The default is one of single positions, in whole numbers, whose values for the two players add up
/// to 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluationFacts {
    /// How the values of a position for the two players are related.
    pub view: View,
    /// The value of 1 in the evaluation's own units, in which people write scales and temperatures.
    pub unit: f64,
    /// The largest absolute value of an unfinished position.
    pub largest: i64,
    /// Whether one call with many positions is cheaper than many calls. If so, a search asks for batches only.
    pub prefers_batches: bool,
    /// Whether `evaluate_many` gives priors over the moves.
    pub has_prior: bool,
    /// Whether values estimate the points of a game, in their unit: 0 for the least payoff, 1 for the largest.
    pub is_points: bool,
}

impl EvaluationFacts {
    /// The points in [0, 1] that a value estimates; `None` if values estimate something else.
    pub fn points(self, value: i64) -> Option<f64> {
        self.is_points.then(|| (value as f64 * self.unit).clamp(0.0, 1.0))
    }
}

impl Default for EvaluationFacts {
    fn default() -> Self {
        Self {
            view: View::Antisymmetric,
            unit: 1.0,
            largest: (1 << 20) - 1,
            prefers_batches: false,
            has_prior: false,
            is_points: false,
        }
    }
}

/// The receiver of the values of children, until it breaks off.
pub type Found<'f, T = i64> = &'f mut dyn FnMut(T) -> ControlFlow<()>;

/// The values of children that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildValues {
    /// The player whose gain the values count.
    pub player: Player,
    /// Whether the ends of games are known.
    pub ends: Ends,
    /// Whether values are only compared, so that all may be larger by the same amount if that is less work.
    pub compared: bool,
}

/// Whether the end of the game is known to an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The end is known.
    Known,
    /// A finished position is valued like any other.
    Unknown,
}

impl Ends {
    /// The exact values of children for a player.
    pub const fn exact(self, player: Player) -> ChildValues {
        ChildValues { player, ends: self, compared: false }
    }

    /// Values that are only compared.
    pub const fn compared(self, player: Player) -> ChildValues {
        ChildValues { player, ends: self, compared: true }
    }
}

/// How the values of a position for the two players are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// In a zero-sum game they add up to 0.
    Antisymmetric,
    /// Each is the position as that player sees it, and they need not add up to 0. A search values every position for
    /// the player at its root.
    Mover,
}

/// A position to value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationRequest<P> {
    /// The position, unfinished.
    pub position: P,
    /// The player from whose view the position is valued.
    pub player: Player,
    /// Whether a prior over the legal moves is also requested; at a player's turn only.
    pub prior: bool,
}

/// Answers to evaluation requests, in flat buffers that are reused.
#[derive(Clone, Debug, Default)]
pub struct EvaluationBuffer {
    values: Vec<i64>,
    priors: Vec<f32>,
    /// The end of each answer's prior.
    ends: Vec<usize>,
}

impl EvaluationBuffer {
    /// Removes all answers, and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
        self.ends.clear();
    }

    /// Appends a value without a prior.
    pub fn push(&mut self, value: i64) {
        self.push_with_prior(value, []);
    }

    /// Appends a value, and the probability of each legal move in the game's order.
    pub fn push_with_prior(&mut self, value: i64, prior: impl IntoIterator<Item = f32>) {
        self.values.push(value);
        self.priors.extend(prior);
        self.ends.push(self.priors.len());
    }

    /// All answers.
    pub fn all(&self) -> Evaluations<'_> {
        Evaluations { buffer: self, range: (0, self.values.len()) }
    }
}

/// Some consecutive answers of an [`EvaluationBuffer`].
#[derive(Clone, Copy, Debug)]
pub struct Evaluations<'a> {
    buffer: &'a EvaluationBuffer,
    range: (usize, usize),
}

impl<'a> Evaluations<'a> {
    /// The values, one for each request.
    pub fn values(self) -> &'a [i64] {
        &self.buffer.values[self.range.0..self.range.1]
    }

    /// The prior of an answer: a probability for each legal move in the game's order. Empty if none was requested.
    ///
    /// # Panics
    /// If there is no such answer.
    pub fn prior(self, index: usize) -> &'a [f32] {
        let Self { buffer, range: (first, _) } = self;
        let begin = (first + index).checked_sub(1).map_or(0, |before| buffer.ends[before]);
        &buffer.priors[begin..buffer.ends[first + index]]
    }

    /// Some of these answers.
    ///
    /// # Panics
    /// If the range exceeds them.
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Self {
        let (first, end) = self.range;
        assert!(
            range.start <= range.end && first + range.end <= end,
            "a part of {range:?} exceeds the answers"
        );
        Self { range: (first + range.start, first + range.end), ..self }
    }
}

/// An evaluation in a game's catalogue: a name, a description, and the evaluation.
#[derive(Clone)]
pub struct NamedEvaluation<G> {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation<G>>,
}

impl<G: Game> NamedEvaluation<G> {
    /// An evaluation under a name.
    pub fn new(name: &'static str, about: &'static str, evaluation: impl Evaluation<G> + 'static) -> Self {
        Self { name, about, evaluation: Arc::new(evaluation) }
    }
}
