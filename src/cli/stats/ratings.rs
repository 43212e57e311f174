//! Ratings from a table of points.

use std::path::PathBuf;

use clap::Args;

use super::{Shown, percent};
use crate::cli::error::{Result, usage};
use crate::cli::folder::read_text;
use crate::players::Registry;
use crate::report::{Block, Document, PRIOR, Table, column, counted, number, object, when};
use crate::stats::bradley_terry as rate;

#[derive(Args)]
#[command(after_help = "Example:
  printf ',a,b,c\\na,0,60,75\\nb,40,0,58\\nc,25,42,0\\n' | shikou stats bradley-terry -

Each row has the points of a player against each: a win is 1, a draw 0.5. The first line and the
first column may hold names. The diagonal is ignored. Players that never met, not even by way of
others, have ratings of their own; a difference between them cannot be estimated.")]
pub(super) struct BradleyTerryArguments {
    /// The table, a CSV file; - is standard input
    file: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

const MOST: usize = 1000;

pub(super) fn bradley_terry(_registry: &Registry, arguments: &BradleyTerryArguments) -> Result {
    let path = &arguments.file;
    let text = read_text(path)?;
    let (names, points) = parse(&text).map_err(|message| usage!("{}: {message}", path.display()))?;
    if points.iter().enumerate().all(|(i, row)| row.iter().enumerate().all(|(j, p)| i == j || *p == 0.0)) {
        return Err(usage!("{}: all points are 0: nothing was played", path.display()));
    }
    let ratings = rate(&points);
    let confidence = arguments.shown.level;
    let mut order: Vec<usize> = (0..names.len()).collect();
    let groups = ratings.groups();
    order.sort_by(|&x, &y| {
        ratings.group(x).cmp(&ratings.group(y)).then(ratings.elo()[y].total_cmp(&ratings.elo()[x]))
    });
    let pairs = order.iter().enumerate();
    let pairs = pairs.flat_map(|(at, &first)| order[at + 1..].iter().map(move |&second| (first, second)));
    // Every two players of a group, the stronger first.
    let differences: Vec<_> = pairs
        .filter_map(|(first, second)| {
            let estimate = ratings.difference(first, second, confidence)?;
            let standard_error = ratings.difference_error(first, second)?;
            let superiority = ratings.superiority(first, second)?;
            let (first, second) = (&names[first], &names[second]);
            Some(object! { first, second, standard_error, superiority, #[serde(flatten)] estimate })
        })
        .collect();
    let table = Table::of(
        &order,
        [
            column("<player", &|player| names[*player].clone()),
            when(groups > 1, column(">group", &|player| ratings.group(*player) + 1)),
            number(">Elo", 2, &|player| Some(ratings.elo()[*player])),
            number(">± std. error", 2, &|player| Some(ratings.standard_error(*player))),
        ],
    );
    let pairs = Table::of(
        &differences,
        [
            column("<first", &|of| of.first.clone()),
            column("<second", &|of| of.second.clone()),
            number(">first minus second", 2, &|of| Some(of.estimate.value)),
            number(">± std. error", 2, &|of| Some(of.standard_error)),
            column(">level", &|_| percent(confidence.level())),
            number(">low", 2, &|of| Some(of.estimate.low)),
            number(">high", 2, &|of| Some(of.estimate.high)),
            number(">superiority", 4, &|of| Some(of.superiority)),
        ],
    );
    let mut notes = vec![
        "Normal intervals; games count as independent. Superiority is the likelihood that the first is stronger."
            .to_owned(),
    ];
    if ratings.prior() {
        notes.insert(0, PRIOR.into());
    }
    if groups > 1 {
        let apart =
            format!("{groups} groups of players never met, so no difference between them can be estimated.");
        notes.insert(0, apart);
    }
    let head = format!(
        "Bradley–Terry{}, ratings with mean 0{}",
        if ratings.prior() { "" } else { ", maximum likelihood" },
        if groups > 1 { " in each group" } else { "" }
    );
    let document = Document(vec![head.into(), table.into(), pairs.into(), Block::Text(notes)]);
    let standard_errors: Vec<f64> = (0..names.len()).map(|player| ratings.standard_error(player)).collect();
    let groups: Vec<usize> = (0..names.len()).map(|player| ratings.group(player) + 1).collect();
    let content = object! {
        level: confidence.level(), names: &names, elo: ratings.elo(), standard_errors, groups,
        prior: ratings.prior(),
        differences,
    };
    arguments.shown.output.show("stats bradley-terry", content, document)
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
    if let Some(name) = (1..names.len()).find_map(|at| names[..at].iter().find(|name| **name == names[at])) {
        return Err(format!("two columns are named {name:?}; give every player a name of its own"));
    }
    if rows.len() != names.len() {
        return Err(format!("{} of points for {} players", counted(rows.len() as u64, "row"), names.len()));
    }
    let mut points = Vec::new();
    for ((line, mut row), name) in rows.into_iter().zip(&names) {
        if is_named {
            let own = row.remove(0);
            if own != *name {
                let expected = format!("expected {name:?} as in the first line");
                return Err(format!("line {line}: found the row of {own:?}, {expected}"));
            }
        }
        if row.len() != names.len() {
            let figures = counted(row.len() as u64, "figure");
            return Err(format!("line {line}: {figures} for {} players", names.len()));
        }
        let number = |cell: &String| match cell.parse::<f64>() {
            Ok(points) if (0.0..=1e12).contains(&points) => Ok(points),
            _ => Err(format!("line {line}: found {cell:?}, expected a number of points from 0 to 10¹²")),
        };
        points.push(row.iter().map(number).collect::<Result<_, _>>()?);
    }
    Ok((names, points))
}
