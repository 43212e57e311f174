//! Tables and their places, by shape.

use std::collections::BTreeSet;

use super::{Board, TupleTable};
use crate::game::Game;

/// The most squares of a place: 3¹² weights.
pub(super) const LONGEST: usize = 12;

/// Why a text names no shapes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The text is no shape.
    #[error(
        "{0:?} is no shape; write all-1 to all-4 (straight lines), 2x2, or squares such as 111|010, several with + between"
    )]
    Unknown(String),
    /// The shape does not fit.
    #[error("the shape {0:?} is larger than the board")]
    TooLarge(String),
    /// The shape has too many squares.
    #[error("the shape {0:?} has more than {LONGEST} squares")]
    TooLong(String),
}

/// The tables of some shapes, with `+` between them. Places that are alike by a symmetry of the board share a table.
///
/// - `all-1` to `all-4`: all straight lines of 1 to 4 squares: along rows, columns and both diagonals;
/// - `2x2`: all squares of four;
/// - squares such as `111|010`: rows with `|` between, 1 for a square and 0 for a gap.
///
/// # Errors
/// If a shape is unknown, or does not fit on the board.
///
/// # Example: the tables of the published players
/// ```
/// use shikou::game::NamedGame;
/// use shikou::game::tuples::{TupleTable, tables_of_shapes};
/// use shikou::games::othello::Othello;
/// let game = Othello::default();
/// let count = |shapes: &str| {
///     let tables = tables_of_shapes(&game, &*game.board().unwrap(), shapes).unwrap();
///     let places: usize = tables.iter().map(|table| table.places.len()).sum();
///     (tables.len(), places, tables.iter().map(TupleTable::weights).sum::<usize>())
/// };
/// assert_eq!(count("all-2"), (32, 210, 288));
/// assert_eq!(count("all-3"), (24, 168, 648));
/// assert_eq!(count("all-4"), (21, 130, 1701));
/// assert_eq!(count("11|11"), (10, 49, 810));
/// ```
pub fn tables_of_shapes<G: Game>(
    game: &G,
    board: &dyn Board<G>,
    shapes: &str,
) -> Result<Vec<TupleTable>, ShapeError> {
    let symmetries = board.symmetries(game);
    let mut tables = Vec::new();
    for shape in shapes.split('+') {
        let patterns = patterns(shape.trim())?;
        let length = patterns[0].len();
        if length > LONGEST {
            return Err(ShapeError::TooLong(shape.into()));
        }
        let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
        let before = tables.len();
        for place in patterns.iter().flat_map(|pattern| placed(pattern, board.size(game))) {
            let mut places = Vec::new();
            for symmetry in &symmetries {
                let image: Vec<usize> = place.iter().map(|&square| symmetry[square]).collect();
                let mut sorted = image.clone();
                sorted.sort_unstable();
                if seen.insert(sorted) {
                    places.push(image);
                }
            }
            if !places.is_empty() {
                tables.push(TupleTable { length, places });
            }
        }
        if tables.len() == before {
            return Err(ShapeError::TooLarge(shape.into()));
        }
    }
    Ok(tables)
}

/// The squares of a pattern: rows and columns.
type Pattern = Vec<(usize, usize)>;

/// The patterns of a shape.
fn patterns(shape: &str) -> Result<Vec<Pattern>, ShapeError> {
    let unknown = || ShapeError::Unknown(shape.into());
    if let Some(length) = shape.strip_prefix("all-") {
        let length: usize = length.parse().map_err(|_| unknown())?;
        let line =
            |step: fn(usize, usize) -> (usize, usize)| (0..length).map(|at| step(at, length)).collect();
        return match length {
            1 => Ok(vec![vec![(0, 0)]]),
            2..=4 => Ok(vec![
                line(|at, _| (0, at)),
                line(|at, _| (at, 0)),
                line(|at, _| (at, at)),
                line(|at, length| (at, length - 1 - at)),
            ]),
            _ => Err(unknown()),
        };
    }
    let shape = if shape == "2x2" { "11|11" } else { shape };
    let mut pattern = Vec::new();
    for (row, squares) in shape.split('|').enumerate() {
        for (column, square) in squares.chars().enumerate() {
            match square {
                '1' => pattern.push((row, column)),
                '0' => {}
                _ => return Err(unknown()),
            }
        }
    }
    if pattern.is_empty() { Err(unknown()) } else { Ok(vec![pattern]) }
}

/// The places of a pattern on a board, row by row.
fn placed(pattern: &Pattern, (rows, columns): (usize, usize)) -> Vec<Vec<usize>> {
    let height = pattern.iter().map(|(row, _)| row + 1).max().unwrap_or(0);
    let width = pattern.iter().map(|(_, column)| column + 1).max().unwrap_or(0);
    let downs = 0..(rows + 1).saturating_sub(height);
    downs
        .flat_map(|down| (0..(columns + 1).saturating_sub(width)).map(move |right| (down, right)))
        .map(|(down, right)| {
            pattern.iter().map(|(row, column)| columns * (row + down) + column + right).collect()
        })
        .collect()
}
