//! Ratings from a table of points.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::SCHEMA;
use super::figures::percent;
use super::shown::Shown;
use crate::cli::error::CommandError;
use crate::cli::folder::read_text;
use crate::report::counted;
use crate::report::{Block, Document, Table, decimals};
use crate::stats::{Confidence, Estimate, Ratings, bradley_terry as rate};

#[derive(Args)]
#[command(after_help = "Example:
  printf ',a,b,c\\na,0,60,75\\nb,40,0,58\\nc,25,42,0\\n' | shikou stats bradley-terry -

Each row has the points of a player against each: a win is 1, a draw 0.5. The first line and the
first column may hold names. The diagonal is ignored.")]
pub(super) struct BradleyTerryArguments {
    /// The table, a CSV file; - is standard input
    file: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

/// The largest number of players in a table.
const MOST: usize = 1000;

#[derive(Serialize)]
struct Content<'a> {
    level: f64,
    names: &'a [String],
    elo: &'a [f64],
    /// Standard errors against the mean of all.
    standard_errors: Vec<f64>,
    /// Whether one drawn game was added between every two players.
    prior: bool,
    differences: Vec<Difference<'a>>,
}

#[derive(Serialize)]
struct Difference<'a> {
    first: &'a str,
    second: &'a str,
    standard_error: f64,
    superiority: f64,
    #[serde(flatten)]
    estimate: Estimate,
}

pub(super) fn bradley_terry(arguments: &BradleyTerryArguments) -> Result<(), CommandError> {
    let path = &arguments.file;
    let text = read_text(path)?;
    let (names, points) =
        parse(&text).map_err(|message| CommandError::Usage(format!("{}: {message}", path.display())))?;
    let ratings = rate(&points);
    let confidence = Confidence::new(arguments.shown.level);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&x, &y| ratings.elo()[y].total_cmp(&ratings.elo()[x]));
    let differences = differences(&names, &ratings, &order, confidence);
    let mut table = Table::new(&["<player", ">Elo", ">± std. error"]);
    for &player in &order {
        let error = ratings.standard_error(player);
        table.row([names[player].clone(), decimals(ratings.elo()[player], 2), decimals(error, 2)]);
    }
    let headings = [
        "<first",
        "<second",
        ">first minus second",
        ">± std. error",
        ">level",
        ">low",
        ">high",
        ">superiority",
    ];
    let mut pairs = Table::new(&headings);
    for difference in &differences {
        let Difference { first, second, standard_error, superiority, estimate } = difference;
        pairs.row([
            (*first).to_owned(),
            (*second).to_owned(),
            decimals(estimate.value, 2),
            decimals(*standard_error, 2),
            percent(confidence.level()),
            decimals(estimate.low, 2),
            decimals(estimate.high, 2),
            decimals(*superiority, 4),
        ]);
    }
    let mut notes = vec![
        "Normal intervals; games count as independent. Superiority is the likelihood that the first is stronger."
            .to_owned(),
    ];
    if ratings.prior() {
        let prior = "A rating would be infinite by the results alone: one drawn game was added between every two players.";
        notes.insert(0, prior.into());
    }
    let head = "Bradley–Terry, maximum-likelihood ratings with mean 0";
    let document = Document(vec![head.into(), table.into(), pairs.into(), Block::Text(notes)]);
    let content = Content {
        level: confidence.level(),
        names: &names,
        elo: ratings.elo(),
        standard_errors: (0..names.len()).map(|player| ratings.standard_error(player)).collect(),
        prior: ratings.prior(),
        differences,
    };
    arguments.shown.output.show("stats bradley-terry", SCHEMA, content, document)
}

/// Every two players, the stronger first.
fn differences<'a>(
    names: &'a [String],
    ratings: &Ratings,
    order: &[usize],
    confidence: Confidence,
) -> Vec<Difference<'a>> {
    let pairs = order
        .iter()
        .enumerate()
        .flat_map(|(at, &first)| order[at + 1..].iter().map(move |&second| (first, second)));
    pairs
        .map(|(first, second)| Difference {
            first: &names[first],
            second: &names[second],
            standard_error: ratings.difference_error(first, second),
            superiority: ratings.superiority(first, second),
            estimate: ratings.difference(first, second, confidence),
        })
        .collect()
}

/// The names and the points of a table, or its error.
fn parse(text: &str) -> Result<(Vec<String>, Vec<Vec<f64>>), String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        rows.push((line, record.iter().map(str::to_owned).collect::<Vec<_>>()));
    }
    let is_named =
        rows.first().is_some_and(|(_, row)| row.iter().skip(1).any(|cell| cell.parse::<f64>().is_err()));
    let names: Vec<String> = if is_named {
        rows.remove(0).1.split_off(1)
    } else {
        (1..=rows.len()).map(|number| number.to_string()).collect()
    };
    if !(2..=MOST).contains(&names.len()) {
        return Err(format!("{} in the table; expected 2 to {MOST}", counted(names.len() as u64, "player")));
    }
    if rows.len() != names.len() {
        return Err(format!("{} of points for {} players", counted(rows.len() as u64, "row"), names.len()));
    }
    let mut points = Vec::new();
    for ((line, mut row), name) in rows.into_iter().zip(&names) {
        if is_named {
            let own = row.remove(0);
            if own != *name {
                return Err(format!(
                    "line {line}: found the row of {own:?}, expected {name:?} as in the first line"
                ));
            }
        }
        if row.len() != names.len() {
            return Err(format!(
                "line {line}: {} for {} players",
                counted(row.len() as u64, "figure"),
                names.len()
            ));
        }
        let number = |cell: &String| match cell.parse::<f64>() {
            Ok(points) if (0.0..=1e12).contains(&points) => Ok(points),
            _ => Err(format!("line {line}: found {cell:?}, expected a number of points from 0 to 10¹²")),
        };
        points.push(row.iter().map(number).collect::<Result<_, _>>()?);
    }
    Ok((names, points))
}
