//! The distance of a network's values of given positions from published ones.

use std::path::{Path, PathBuf};

use super::{Context, Derivation, Derive, Derived, word};
use crate::experiment::document::{PlacedError, Section, array};
use crate::game::tuples::Seen;
use crate::game::{Evaluation, NamedGame, Player};
use crate::games::othello::{Othello, Position};
use crate::learn::{Input, NetworkEvaluation, Squares, read_network};
use crate::players::Registry;
use crate::players::files::{is_data, no_data, path_of, read_file};
use crate::validate::{Found, Value};

const UNIT: f64 = 1e-9;

struct Values {
    name: String,
    path: PathBuf,
    /// Positions of Othello, each with the player who sees it and the published value.
    positions: Vec<(Position, Player, f64)>,
}

pub(super) fn read(section: &mut Section<'_>, path: &Path, _registry: &Registry) -> Derivation {
    let name = section.get("file", &word("data:evolution/source-n-network.safetensors"))?;
    let listed = section.require("values", "values = [\"BOARD X -6.97460\"]")?;
    let positions = array("values", listed)?
        .iter()
        .map(|value| {
            let text = crate::experiment::document::text("values", value)?;
            let refused = |reason: String| PlacedError::new(value.span(), reason);
            let (position, figure) = text.rsplit_once(' ').unwrap_or((&text, ""));
            let figure = figure.parse().map_err(|_| {
                refused(format!(
                    "{text:?} does not end with a value; write a board, who sees it and the value"
                ))
            })?;
            let found =
                Othello::default().parse_board(position).map_err(|error| refused(error.to_string()))?;
            let player = if position.ends_with('X') { Player::FIRST } else { Player::SECOND };
            Ok((found, player, figure))
        })
        .collect::<Result<_, PlacedError>>()?;
    section.finish()?;
    let path = path_of(&name, path.parent().unwrap_or(Path::new("")));
    Ok(Box::new(Values { name, path, positions }))
}

impl Derive for Values {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        if is_data(&self.name) && !self.path.is_file() {
            return Ok(Found::Missing(no_data(&self.name)));
        }
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let bytes = read_file(&self.path).map_err(|error| failed(&error))?;
        let network = read_network(&bytes, None).map_err(|error| failed(&error))?.network;
        let game = Othello::default();
        let input = Input::squares(&game, game.entries().board.expect("Othello has one"), Squares::OneHot);
        if network.inputs() != input.width() {
            return Err(failed(&format!("the network takes {} inputs, not 192", network.inputs())).into());
        }
        let evaluation = NetworkEvaluation::new(&game, network, input, Seen::Inversion, UNIT);
        let evaluation = evaluation.map_err(|error| failed(&error))?;
        let difference = |(position, player, published): &(Position, Player, f64)| {
            (evaluation.evaluate(&game, position, *player) as f64 * UNIT - published).abs()
        };
        let largest = self.positions.iter().map(difference).fold(0.0, f64::max);
        Ok(Found::Exact(vec![Value::Real(largest)]))
    }
}
