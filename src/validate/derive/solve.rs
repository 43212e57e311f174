//! The values of positions under best play.

use std::path::Path;
use std::sync::Arc;

use super::{Context, Derivation, Derive, derivation, game};
use crate::experiment::document::Section;
use crate::game::options::texts;
use crate::players::{AnyGame, Registry, SolveMethod};
use crate::search::BestMoves;
use crate::validate::{Found, Value};

/// The size of the transposition table.
const TABLE_BYTES: u64 = 256 << 20;

derivation! { read(section, _path, registry) -> Solve {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    /// The start if none is given.
    positions: Option<Vec<String>> = section.get("positions", &texts(0..=usize::MAX).optional())?,
} }

impl Derive for Solve {
    fn derive(&self, context: &Context<'_>) -> Result<Found, String> {
        let value = |position: &String| {
            let method =
                SolveMethod::new(TABLE_BYTES).with_threads(context.threads).with_best(BestMoves::One);
            let value = self.game.solve(position, &method).map_err(|error| error.to_string())?.value.0;
            Ok(if value.fract() == 0.0 { Value::Whole(value as i64) } else { Value::Real(value) })
        };
        let positions = self.positions.clone().unwrap_or_else(|| vec![String::new()]);
        positions.iter().map(value).collect::<Result<_, String>>().map(Found::Exact)
    }
}
