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
        "{0:?} is no shape; write all-1 to all-4 (straight lines), lines (whole ones), 2x2, or squares such as 111|010 or \
         a1:111|010, several with + between"
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
/// - `lines`: whole rows, columns and diagonals of at least 4 squares;
/// - squares such as `111|010`: rows with `|` between, 1 for a square and 0 for a gap;
/// - squares at one place, such as `a1:111|111|111`: the upper left corner of the shape is there, and where the symmetries
///   of the board put it.
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
///     let tables = tables_of_shapes(&game, &*game.entries().board.unwrap(), shapes).unwrap();
///     let places: usize = tables.iter().map(|table| table.places.len()).sum();
///     (tables.len(), places, tables.iter().map(TupleTable::weights).sum::<usize>())
/// };
/// assert_eq!(count("all-2"), (32, 210, 288));
/// assert_eq!(count("all-3"), (24, 168, 648));
/// assert_eq!(count("all-4"), (21, 130, 1701));
/// assert_eq!(count("11|11"), (10, 49, 810));
/// assert_eq!(count("lines"), (9, 34, 4 * 6561 + 6561 + 2187 + 729 + 243 + 81));
/// assert_eq!(count("a1:11111|11111"), (1, 8, 59049));
/// ```
pub fn tables_of_shapes<G: Game>(
    game: &G,
    board: &dyn Board<G>,
    shapes: &str,
) -> Result<Vec<TupleTable>, ShapeError> {
    tables(&board.symmetries(game), board.size(game), shapes)
}

fn tables(
    symmetries: &[Vec<usize>],
    size: (usize, usize),
    shapes: &str,
) -> Result<Vec<TupleTable>, ShapeError> {
    let mut tables = Vec::new();
    for shape in shapes.split('+') {
        let all = places_of(shape.trim(), size)?;
        if all.iter().any(|place| place.len() > LONGEST) {
            return Err(ShapeError::TooLong(shape.into()));
        }
        let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
        let before = tables.len();
        for place in all {
            let length = place.len();
            let mut places = Vec::new();
            for symmetry in symmetries {
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

/// The places of a shape on a board; none if it does not fit.
fn places_of(shape: &str, size: (usize, usize)) -> Result<Vec<Vec<usize>>, ShapeError> {
    if shape == "lines" {
        return Ok(whole_lines(size));
    }
    let Some((corner, squares)) = shape.split_once(':') else {
        return Ok(patterns(shape)?.iter().flat_map(|pattern| placed(pattern, size)).collect());
    };
    let unknown = || ShapeError::Unknown(shape.into());
    let (row, column) = square(corner).ok_or_else(unknown)?;
    let [pattern] = &patterns(squares)?[..] else { return Err(unknown()) };
    let fits = pattern.iter().all(|(down, right)| row + down < size.0 && column + right < size.1);
    let place = pattern.iter().map(|(down, right)| size.1 * (row + down) + column + right).collect();
    Ok(if fits { vec![place] } else { Vec::new() })
}

/// The row and the column of a square such as `a1`.
fn square(text: &str) -> Option<(usize, usize)> {
    let (file, row) = text.split_at_checked(1)?;
    let file = file.bytes().next().filter(u8::is_ascii_lowercase)?;
    let row: usize = row.parse().ok().filter(|&row| row > 0)?;
    Some((row - 1, usize::from(file - b'a')))
}

/// Every row, column and diagonal of at least 4 squares, from end to end.
fn whole_lines((rows, columns): (usize, usize)) -> Vec<Vec<usize>> {
    let line = |row: usize, column: usize, down: isize, right: isize| -> Vec<usize> {
        let at = |step: isize| {
            let (row, column) = (row as isize + step * down, column as isize + step * right);
            let is_on = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
            is_on.then(|| columns * row as usize + column as usize)
        };
        (0..).map_while(at).collect()
    };
    let mut lines: Vec<Vec<usize>> = (0..rows).map(|row| line(row, 0, 0, 1)).collect();
    lines.extend((0..columns).map(|column| line(0, column, 1, 0)));
    for (right, edge) in [(1, 0), (-1, columns - 1)] {
        lines.extend((0..columns).map(|column| line(0, column, 1, right)));
        lines.extend((1..rows).map(|row| line(row, edge, 1, right)));
    }
    lines.retain(|line| line.len() >= 4);
    lines
}

/// The squares of a pattern: rows and columns.
type Pattern = Vec<(usize, usize)>;

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
