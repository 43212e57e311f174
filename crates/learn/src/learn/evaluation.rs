//! Networks as evaluations.

use super::input::{Input, Inputs};
use super::network::{Network, Scratch};
use crate::game::tuples::Seen;
use crate::game::{
    Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Game, Player, RangeError,
};

/// A network as an evaluation. A value is rounded once, to a multiple of a unit.
///
/// A value is that of [`Network::values`], bit by bit, alone or in a batch. The first layer adds a row of weights for each
/// input that is 1, in place of all products. Rejected: to keep the sums of that layer and to change only those of the
/// squares that a move turns. That would save at most the 14 % of the work that the sums of a network of 192 wide layers
/// are, its rounding would depend on the moves before, and a searcher would have to say which position a position follows.
///
/// # Example
/// ```
/// use shikou::game::tuples::Seen;
/// use shikou::game::{Evaluation, Game, NamedGame, Player};
/// use shikou::games::othello::Othello;
/// use shikou::learn::{Activation, Input, Layer, Network, NetworkEvaluation, Squares};
/// use shikou::rng::Stream;
/// let game = Othello::default();
/// let input = Input::squares(&game, game.entries().board.unwrap(), Squares::OneHot);
/// let layers = [
///     Layer { width: 8, activation: Activation::Tanh },
///     Layer { width: 1, activation: Activation::Linear },
/// ];
/// let network = Network::random(192, &layers, Stream::new(1)).unwrap();
/// let mut numbers = Vec::new();
/// input.numbers(&game, &game.start(), Player::FIRST, &mut numbers);
/// let expected = network.value(&numbers);
/// let evaluation = NetworkEvaluation::new(&game, network, input, Seen::Inversion, 1e-6).unwrap();
/// let value = evaluation.evaluate(&game, &game.start(), Player::FIRST);
/// assert_eq!(value, (f64::from(expected) / 1e-6).round() as i64);
/// ```
#[derive(Clone)]
pub struct NetworkEvaluation<G> {
    network: Network,
    input: Input<G>,
    seen: Seen,
    unit: f64,
    largest: i64,
}

impl<G: Game> NetworkEvaluation<G> {
    /// The evaluation by a network of the inputs.
    ///
    /// # Errors
    /// If a value could leave the range.
    ///
    /// # Panics
    /// If the network has another number of inputs.
    pub fn new(
        game: &G,
        network: Network,
        input: Input<G>,
        seen: Seen,
        unit: f64,
    ) -> Result<Self, RangeError> {
        assert_eq!(network.inputs(), input.width(), "the network takes these inputs");
        let most = input.largest(game).ok_or(RangeError::NoLargest)?;
        let largest = RangeError::check(&game.facts(), network.largest(most) / unit + 1.0, unit)?;
        Ok(Self { network, input, seen, unit, largest })
    }

    fn values(&self, game: &G, requests: &[EvaluationRequest<G::Position>]) -> Vec<i64> {
        let mut inputs = Inputs::default();
        for EvaluationRequest { position, player, .. } in requests {
            self.input.append(game, position, self.seen.by(*player).0, &mut inputs);
        }
        let players = requests.iter().map(|request| request.player);
        rounded(&self.network, &inputs, self.unit, players.map(|player| self.seen.by(player).1).collect())
    }
}

/// The values of a network in units, some of which are negated.
fn rounded(network: &Network, inputs: &Inputs, unit: f64, negated: Vec<bool>) -> Vec<i64> {
    let mut values = Vec::with_capacity(negated.len());
    inputs.values(network, &mut Scratch::default(), &mut values);
    let value = |(value, is_negated): (f32, bool)| {
        let value = (f64::from(value) / unit).round() as i64;
        if is_negated { -value } else { value }
    };
    values.into_iter().zip(negated).map(value).collect()
}

impl<G: Game> Evaluation<G> for NetworkEvaluation<G> {
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.values(game, &[EvaluationRequest { position: *position, player, prior: false }])[0]
    }

    fn evaluate_many(
        &self,
        game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        assert!(requests.iter().all(|request| !request.prior), "a network of one value has no prior");
        self.values(game, requests).into_iter().for_each(|value| answers.push(value));
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts {
            view: self.seen.view(),
            unit: self.unit,
            largest: self.largest,
            prefers_batches: true,
            ..EvaluationFacts::default()
        }
    }
}
