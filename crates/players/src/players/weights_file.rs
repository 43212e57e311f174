//! Files of weights: a header in one line, and a named weight in each other line.
//!
//! ```text
//! # shikou-weights=1 game=othello of=squares unit=0.0001 weights=64
//! a1,0.5
//! b1,-0.25
//! ```
//!
//! With `given=2` at the end of the header, two weights follow, and all others are 0.

use std::fmt::Write;

use crate::game::options::nearest;
use crate::words::counted;

const VERSION: &str = "1";

/// The first word of a header, without its version.
const MARK: &str = "shikou-weights";

/// The purpose of the weights of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsForm {
    /// The name of the game.
    pub game: String,
    /// The features, such as `squares`; or the shapes of tuples and how they are seen, such as `all-2/inversion`.
    pub of: String,
    /// The unit of the weights.
    pub unit: f64,
    /// The names of the weights.
    pub names: Vec<String>,
    /// Whether a file leaves weights of 0 out.
    pub sparse: bool,
}

/// Why a file of weights is refused, and the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {reason}")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

fn error(line: usize, reason: impl Into<String>) -> WeightsError {
    WeightsError { line, reason: reason.into() }
}

/// The text of a file. A weight is written so that it reads back exactly.
///
/// # Panics
/// If there are not as many weights as names.
///
/// # Example
/// ```
/// use shikou::players::{WeightsForm, write_weights};
/// let names = vec!["a1".into(), "b1".into()];
/// let form = WeightsForm { game: "othello".into(), of: "squares".into(), unit: 1e-6, names, sparse: false };
/// let text = write_weights(&form, &[0.1, -3.0]);
/// assert_eq!(text, "# shikou-weights=1 game=othello of=squares unit=1e-6 weights=2\na1,0.1\nb1,-3.0\n");
/// ```
pub fn write_weights(form: &WeightsForm, weights: &[f64]) -> String {
    assert_eq!(weights.len(), form.names.len(), "each weight has a name");
    let WeightsForm { game, of, unit, names, sparse } = form;
    let mut text = format!("# {MARK}={VERSION} game={game} of={of} unit={unit:?} weights={}", names.len());
    let given = |weight: f64| !sparse || weight != 0.0;
    if *sparse {
        let count = weights.iter().filter(|weight| given(**weight)).count();
        write!(text, " given={count}").expect("a string takes every text");
    }
    text.push('\n');
    for (name, weight) in names.iter().zip(weights).filter(|(_, weight)| given(**weight)) {
        writeln!(text, "{name},{weight:?}").expect("a string takes every text");
    }
    text
}

#[derive(Debug)]
pub(super) struct Header<'t> {
    pub(super) game: &'t str,
    pub(super) of: &'t str,
    pub(super) unit: f64,
    count: usize,
    /// The number of weights that are not left out, if any are.
    given: Option<usize>,
}

/// The header of a text that has one.
pub(super) fn read_header(text: &str) -> Option<Result<Header<'_>, WeightsError>> {
    let line = text.lines().next()?.strip_prefix("# ")?;
    line.starts_with(MARK).then(|| {
        let field = |name: &str| {
            let fields = line.split(' ').filter_map(|field| field.split_once('='));
            let found = fields.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value);
            found.ok_or_else(|| error(1, format!("the header has no `{name}`; write `{name}=…` in it")))
        };
        let version = field(MARK)?;
        if version != VERSION {
            let reason = format!("this is version {version:?} of the format; this program reads {VERSION}");
            return Err(error(1, reason));
        }
        let unit = field("unit")?.parse().ok().filter(|unit: &f64| *unit > 0.0 && unit.is_finite());
        let unit = unit.ok_or_else(|| error(1, "the unit must be a positive number"))?;
        let whole = |name: &str, text: &str| {
            text.parse::<usize>().map_err(|_| error(1, format!("`{name}` must be a whole number")))
        };
        let count = whole("weights", field("weights")?)?;
        let given = field("given").ok().map(|text| whole("given", text)).transpose()?;
        Ok(Header { game: field("game")?, of: field("of")?, unit, count, given })
    })
}

/// The weights of a text with this header, for these names.
pub(super) fn read_weights(
    text: &str,
    header: &Header<'_>,
    game: &str,
    names: &[String],
) -> Result<Vec<f64>, WeightsError> {
    if header.game != game {
        return Err(error(1, format!("these are weights for {}, not for {game}", header.game)));
    }
    if header.count != names.len() {
        let (promised, needed) = (counted(header.count as u64, "weight"), names.len());
        return Err(error(1, format!("the header promises {promised}, but {needed} are needed")));
    }
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let promised = header.given.unwrap_or(names.len());
    if lines.len() != promised {
        let found = lines.len();
        let reason = format!(
            "the header promises {}, but the file has {found}; it is cut off or too long",
            counted(promised as u64, "weight")
        );
        return Err(error(1 + found.min(promised + 1), reason));
    }
    let weight = |(number, (line, name)): (usize, (&str, &String))| {
        let number = number + 2;
        let pair = line.split_once(',');
        let (found, weight) = pair.ok_or_else(|| error(number, "expected a name, a comma and a weight"))?;
        if found != name {
            let hint =
                nearest(found, [name.as_str()]).map_or(String::new(), |_| "; check its spelling".into());
            return Err(error(number, format!("expected the weight of `{name}`, not of `{found}`{hint}")));
        }
        read_number(weight).ok_or_else(|| error(number, format!("{weight:?} is not a finite number")))
    };
    let mut weights = vec![0.0; names.len()];
    let mut left = names.iter().enumerate();
    for (number, line) in lines.into_iter().enumerate() {
        let found = line.split_once(',').map_or(line, |(name, _)| name);
        let at = if header.given.is_none() { left.next() } else { left.find(|(_, name)| *name == found) };
        let (at, name) = at.ok_or_else(|| {
            error(number + 2, format!("`{found}` is no weight here, or stands before one that follows it"))
        })?;
        weights[at] = weight((number, (line, name)))?;
    }
    Ok(weights)
}

fn read_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// The weights of a row of a table with a header: the first column names the rows, the others are `names`.
pub(super) fn read_row(text: &str, row: &str, names: &[String]) -> Result<Vec<f64>, WeightsError> {
    let columns: Vec<&str> = text.lines().next().unwrap_or_default().split(',').map(str::trim).collect();
    if !columns.get(1..).is_some_and(|columns| columns.iter().eq(names)) {
        let reason =
            format!("expected a header `# {MARK}=…`, or a table with the columns {}", names.join(","));
        return Err(error(1, reason));
    }
    let rows: Vec<(usize, &str, Vec<&str>)> = (2..)
        .zip(text.lines().skip(1))
        .filter_map(|(number, line)| {
            let mut cells = line.split(',').map(str::trim);
            let name = cells.next().filter(|name| !name.is_empty())?;
            Some((number, name, cells.collect()))
        })
        .collect();
    let Some((number, _, cells)) = rows.iter().find(|(_, name, _)| *name == row) else {
        let known: Vec<&str> = rows.iter().map(|(_, name, _)| *name).collect();
        let advice = format!("write one of these after the # of the file: {}", known.join(", "));
        return Err(error(1, format!("the table has no row `{row}`; {advice}")));
    };
    if cells.len() != names.len() {
        let (given, needed) = (counted(cells.len() as u64, "weight"), names.len());
        return Err(error(*number, format!("the row has {given}, but {needed} are needed")));
    }
    let weight = |cell: &&str| {
        read_number(cell).ok_or_else(|| error(*number, format!("{cell:?} is not a finite number")))
    };
    cells.iter().map(weight).collect()
}
