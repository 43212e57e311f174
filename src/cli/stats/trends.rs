//! Slopes of series.

use std::path::PathBuf;

use clap::Args;

use super::{Shown, number, percent, small};
use crate::cli::error::{Result, usage};
use crate::cli::folder::read_text;
use crate::players::Registry;
use crate::report::{Block, Document, Table, column, counted, number as figure, object};
use crate::stats::slope as slope_of;

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats slope tests/data/source-n-wins.csv --from 35 --to 60

The first column is x; each other one is a series, whose name stands in the first line. Cells may
be empty; a series without a point in the range is left out."
)]
pub(super) struct SlopeArguments {
    /// The series, a CSV file; - is standard input
    file: PathBuf,
    /// Leave out points with a smaller x
    #[arg(long, value_parser = number)]
    from: Option<f64>,
    /// Leave out points with a larger x
    #[arg(long, value_parser = number)]
    to: Option<f64>,
    #[command(flatten)]
    shown: Shown,
}

const NOTES: [&str; 2] = [
    "Ordinary least squares: the values scatter about a line, independently and by one normal distribution. Student's interval; t and p test a slope of 0.",
    "No correction for several series: `shikou stats holm` takes their p.",
];

pub(super) fn slope(_registry: &Registry, arguments: &SlopeArguments) -> Result {
    let &SlopeArguments { ref file, from, to, ref shown } = arguments;
    let refused = |message: String| usage!("{}: {message}", file.display());
    let (x, series) = parse(&read_text(file)?).map_err(refused)?;
    let is_in = |x: f64| from.is_none_or(|from| x >= from) && to.is_none_or(|to| x <= to);
    let mut slopes = Vec::new();
    for (name, points) in series {
        let points: Vec<(f64, f64)> = points.into_iter().filter(|point| is_in(point.0)).collect();
        if points.is_empty() {
            continue;
        }
        let found = slope_of(&points, shown.level).ok_or_else(|| {
            let points = counted(points.len() as u64, "point");
            refused(format!("{name:?} has {points} here; a slope needs three or more that are not on a line"))
        })?;
        slopes.push(object! { name, #[serde(flatten)] found });
    }
    if slopes.is_empty() {
        return Err(refused("no series has a point here; choose other values for --from and --to".into()));
    }
    let table = Table::of(
        &slopes,
        [
            column("<series", &|of| of.name.clone()),
            column(">points", &|of| of.found.points),
            figure(">mean", 3, &|of| Some(of.found.mean)),
            figure(">slope", 4, &|of| Some(of.found.slope.value)),
            column(">level", &|_| percent(shown.level.level())),
            figure(">low", 4, &|of| Some(of.found.slope.low)),
            figure(">high", 4, &|of| Some(of.found.slope.high)),
            figure(">t", 3, &|of| Some(of.found.t)),
            column(">p", &|of| small(of.found.p)),
        ],
    );
    let head = format!("Slopes over {x:?}, for each unit of it");
    let notes = NOTES.map(str::to_owned).to_vec();
    let document = Document(vec![head.into(), table.into(), Block::Text(notes)]);
    let content = object! { level: shown.level.level(), x, from, to, slopes };
    shown.output.show("stats slope", content, document)
}

/// A series: its name and its points.
type Series = (String, Vec<(f64, f64)>);

/// The name of x, and the series.
fn parse(text: &str) -> Result<(String, Vec<Series>), String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut names = reader.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned);
    let x = names.next().unwrap_or_default();
    let mut series: Vec<Series> = names.map(|name| (name, Vec::new())).collect();
    if series.is_empty() {
        return Err("there is no second column; write x in the first and a series in each other".into());
    }
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let parsed =
            |cell: &str| number(cell).map_err(|expected| format!("line {line}: found {cell:?}, {expected}"));
        let at = parsed(&record[0])?;
        for ((_, points), cell) in series.iter_mut().zip(record.iter().skip(1)) {
            if !cell.is_empty() {
                points.push((at, parsed(cell)?));
            }
        }
    }
    Ok((x, series))
}
