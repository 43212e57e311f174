//! The parts of learners that several methods share: places of n-tuples, inputs of networks, layers.

use std::sync::Arc;

use super::form::Made;
use super::{Form, Learning};
use crate::game::options::{Part, Parts, Setting, text};
use crate::game::tuples::{Seen, SquareEffects, TupleTable, square_effects};
use crate::learn::{Activation, Layer, Network, Problem, TupleSum};
use crate::players::choices::{PlainEvaluation, UNIT};
use crate::players::evaluations::{form_of, staged_names};
use crate::players::network_file::{NetworkForm, seen_word};
use crate::players::weights_file::WeightsForm;
use crate::players::{FitError, SearcherSpec};

/// An evaluation of a game whose weights are learned, and players.
pub(super) struct Setup<'s> {
    pub(super) game: &'s dyn Learning,
    pub(super) part: &'s Part,
    pub(super) players: &'s [SearcherSpec],
}

/// Checks that a part has no weights, which are learned, and names no training.
pub(super) fn without_weights(part: &Part) -> Result<(), FitError> {
    let mut given = part.options.iter().filter(|(decl, value)| **value != decl.default);
    match given.find(|(decl, _)| ["weights", "file", "evolved"].contains(&decl.name)) {
        None => Ok(()),
        Some((decl, _)) => {
            Err(FitError::option("evaluation", format!("its weights are learned; omit `{}`", decl.name)))
        }
    }
}

/// Places of n-tuples whose weights are learned.
pub(super) struct Tuples {
    pub(super) game: Box<dyn Learning>,
    pub(super) columns: usize,
    pub(super) tables: Vec<TupleTable>,
    pub(super) sum: TupleSum,
    pub(super) seen: Seen,
    pub(super) stages: usize,
    pub(super) of: String,
    pub(super) unit: f64,
}

impl Tuples {
    pub(super) fn read(game: &dyn Learning, part: &Part) -> Result<Self, FitError> {
        let Some(PlainEvaluation::Tuples { shapes, seen, stages, unit, .. }) = PlainEvaluation::read(part)
        else {
            unreachable!("the method is of tuples")
        };
        without_weights(part)?;
        let seen = seen.unwrap_or(Seen::Negation);
        let (game, ([rows, columns], tables)) = game.board(&shapes)?;
        let (sum, unit) = (TupleSum::new(rows * columns, &tables), unit.unwrap_or(UNIT));
        Ok(Self { game, columns, tables, sum, seen, stages, of: form_of(&shapes, seen, stages), unit })
    }

    /// The form of the weights. A `sparse` file leaves weights of 0 out.
    pub(super) fn form(&self, sparse: bool) -> Form {
        let &Self { columns, seen, stages, unit, .. } = self;
        let (of, tables, squares) = (self.of.clone(), self.tables.clone(), self.sum.squares());
        let effects = (stages == 1).then(|| -> Made<SquareEffects> {
            let tables = tables.clone();
            Arc::new(move |weights| SquareEffects {
                columns,
                values: square_effects(squares, &tables, weights),
            })
        });
        let game = self.game.game().0.into();
        let names = move || {
            let names = staged_names(&tables, stages);
            WeightsForm { game, of, unit, names, sparse }
        };
        let evaluation = format!("tuples(seen={},file=weights)", seen_word(seen));
        let form = Form::of_weights(self.of.clone(), stages * self.sum.weights(), names);
        Form { evaluation, effects, ..form }
    }
}

/// A game by the inputs of a part `network` whose parameters are learned, how it sees a position, and what its file states.
pub(super) fn network_input(
    game: &dyn Learning,
    part: &Part,
) -> Result<(Box<dyn Learning>, Seen, NetworkForm), FitError> {
    let Some(PlainEvaluation::Network { input, features, seen, .. }) = PlainEvaluation::read(part) else {
        unreachable!("the method is of a network")
    };
    without_weights(part)?;
    let (game, form) = game.inputs("evaluation", input, &features, seen)?;
    Ok((game, seen, form))
}

pub(super) fn activations() -> Setting<String> {
    text("activations such as \"relu,tanh,linear\", one for each layer", "")
}

/// The layers of a network for this number of inputs. With `activations` each has one of its own, otherwise all but the last
/// have the `activation`.
pub(super) fn layers(
    inputs: usize,
    widths: &[i64],
    activation: Activation,
    activations: &str,
) -> Result<Arc<[Layer]>, Problem> {
    let count = widths.len();
    let activations = if activations.is_empty() {
        let hidden = count.saturating_sub(1);
        (0..count).map(|layer| if layer < hidden { activation } else { Activation::Linear }).collect()
    } else {
        Activation::list(activations, count)?
    };
    let widths = widths.iter().map(|&width| width as usize);
    let layers: Arc<[Layer]> =
        widths.zip(activations).map(|(width, activation)| Layer { width, activation }).collect();
    Network::count_parameters(inputs, &layers)?;
    Ok(layers)
}
