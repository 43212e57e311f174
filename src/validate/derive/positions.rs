//! The number of reachable positions, by exhaustive search over their texts: slow but simple, for any game whose position
//! text is a line of squares.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::{Context, Derivation, Derive, derivation, game};
use crate::experiment::document::Section;
use crate::game::Turn;
use crate::game::options::flag;
use crate::players::{AnyGame, Registry};
use crate::validate::{Found, Value};

/// The maximum number of positions.
const MOST: usize = 10_000_000;

derivation! { read(section, _path, registry) -> Positions {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    /// Whether positions that are rotations or reflections of one another count as one.
    up_to_symmetry: bool = section.get("up-to-symmetry", &flag(false))?,
} }

impl Derive for Positions {
    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let people = vec![None; usize::from(self.game.facts().players)];
        let mut table = self.game.table(&people).map_err(|misfit| misfit.to_string())?;
        let no_text = || format!("{} has no text form of positions", self.game.spec());
        let start = table.position_text().ok_or_else(no_text)?;
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            if seen.len() > MOST {
                return Err(format!("there are more than {MOST} positions"));
            }
            table.begin_at(&position).map_err(|error| error.to_string())?;
            if table.turn() == Turn::Over {
                continue;
            }
            for mv in table.legal_moves() {
                table.begin_at(&position).map_err(|error| error.to_string())?;
                table.make_written_move(&mv);
                let next = table.position_text().ok_or_else(no_text)?;
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        let count = if self.up_to_symmetry {
            seen.iter()
                .map(|position| smallest_image(position))
                .collect::<Option<BTreeSet<_>>>()
                .ok_or("the text of a position is not a square board")?
                .len()
        } else {
            seen.len()
        };
        Ok(Found::Exact(vec![Value::Whole(count as i64)]))
    }
}

/// The smallest of the eight images of a square board written row by row; the text after a space is kept.
fn smallest_image(position: &str) -> Option<String> {
    let (board, rest) = position.split_once(' ').unwrap_or((position, ""));
    let squares: Vec<char> = board.chars().collect();
    let size = squares.len().isqrt();
    if size * size != squares.len() {
        return None;
    }
    let image = |turn: usize| -> String {
        let at = |row: usize, column: usize| {
            let (row, column) = if turn & 1 == 0 { (row, column) } else { (column, row) };
            let row = if turn & 2 == 0 { row } else { size - 1 - row };
            let column = if turn & 4 == 0 { column } else { size - 1 - column };
            squares[row * size + column]
        };
        (0..size).flat_map(|row| (0..size).map(move |column| (row, column))).map(|(r, c)| at(r, c)).collect()
    };
    (0..8).map(image).min().map(|image| format!("{image} {rest}"))
}
