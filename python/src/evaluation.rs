//! A function of many positions as an evaluation: a network, in whatever library.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use shikou::game::{EvaluationBuffer, EvaluationRequest, GameObject, Player, Turn, Value};
use shikou::players::{Foreign, ValuePositions};

use crate::play::State;
use crate::{Result, ask, error, kept, register};

/// Values are rounded to millionths of a payoff.
const UNIT: f64 = 1e-6;

/// The answers of the function: doubles, and floats of priors with the number of them for each position.
type Answers<'py> = (Bound<'py, PyBytes>, Option<(Bound<'py, PyBytes>, usize)>);

/// Registers an evaluation. The function takes the squares of the board, seen by the player to move, with the number of rows and
/// columns; or the positions if it does not want squares or there are none.
#[pyfunction]
pub(crate) fn add_evaluation(name: &str, has_prior: bool, wants_squares: bool, function: Py<PyAny>) {
    let name = kept(name);
    let values = move |object: &Arc<dyn GameObject>,
                       asked: &[EvaluationRequest<Value>],
                       out: &mut EvaluationBuffer| {
        ask(name, |py| {
            let facts = object.facts();
            let (low, high) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
            // A position of chance is seen by the first player.
            let seen: Vec<Player> = asked
                .iter()
                .map(|request| match object.turn(&request.position) {
                    Turn::Player(player) => player,
                    _ => Player::FIRST,
                })
                .collect();
            let board = object.board_size().filter(|_| wants_squares);
            let answers = if let Some((rows, columns)) = board {
                let mut squares = vec![1; asked.len() * rows * columns];
                let boards = squares.chunks_mut(rows * columns);
                for ((request, player), board) in asked.iter().zip(&seen).zip(boards) {
                    object.owners(&request.position, *player, board);
                }
                function.call1(py, (PyBytes::new(py, &squares), rows, columns))?
            } else {
                let state = |request: &EvaluationRequest<Value>| State {
                    object: Arc::clone(object),
                    game: None,
                    at: request.position.clone(),
                };
                let states = asked.iter().map(|request| Py::new(py, state(request)));
                let states = states.collect::<Result<Vec<_>>>()?;
                function.call1(py, (PyList::new(py, states)?, 0, 0))?
            };
            let (values, priors): Answers<'_> = answers.extract(py)?;
            let values: Vec<f64> = values
                .as_bytes()
                .chunks_exact(8)
                .map(|of| f64::from_le_bytes(of.try_into().unwrap_or_default()))
                .collect();
            if values.len() != asked.len() || values.iter().any(|value| value.is_nan()) {
                let (found, wanted) = (values.len(), asked.len());
                return Err(error(format!(
                    "{found} values for {wanted} positions, or one that is not a number"
                )));
            }
            for (index, (request, value)) in asked.iter().zip(values).enumerate() {
                let value = (value.clamp(low, high) / UNIT).round() as i64;
                let value = if request.player == seen[index] { value } else { -value };
                match &priors {
                    Some((priors, width)) if request.prior => {
                        let row = priors.as_bytes().chunks_exact(4 * width).nth(index);
                        let row = row.ok_or_else(|| error("a row of priors for each position"))?;
                        out.push_with_prior(value, prior(object, &request.position, row)?);
                    }
                    None if request.prior => {
                        return Err(error("it was registered with priors, and returned none"));
                    }
                    _ => out.push(value),
                }
            }
            Ok(())
        });
    };
    let values: Arc<ValuePositions> = Arc::new(values);
    register(move |registry| registry.add_foreign(Foreign::Evaluation(name, has_prior, Arc::clone(&values))));
}

/// The probabilities of the legal moves by a row of weights: by the numbers of the moves, or by their places if they have none.
fn prior(object: &Arc<dyn GameObject>, at: &Value, row: &[u8]) -> Result<Vec<f32>> {
    let weight = |place: usize| {
        let of = row.get(4 * place..4 * place + 4).and_then(|bytes| bytes.try_into().ok());
        let weight = of.map(f32::from_le_bytes).filter(|weight| weight.is_finite() && *weight >= 0.0);
        weight.ok_or_else(|| {
            error(format!("no weight from 0 for move {place} in a row of {} priors", row.len() / 4))
        })
    };
    let moves = object.moves(at).into_iter().enumerate();
    let places = moves.map(|(place, mv)| object.move_number(&mv).map_or(place, usize::from));
    let weights = places.map(weight).collect::<Result<Vec<f32>>>()?;
    let sum: f32 = weights.iter().sum();
    let even = 1.0 / weights.len() as f32;
    Ok(weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { even }).collect())
}
