//! The curves of an optimisation: numbers against the generation.

use crate::experiment::{CurvePoint, OptimisationRunSummary, OptimisationSummary};
use crate::report::figure::{Axis, Figure, Line, Place, Point, Scale, Series, in_words};
use crate::report::numbers::decimals;
use crate::report::table::Table;

/// The most runs of which curves are drawn; of more, those that the judge found best.
const MOST: usize = 6;

/// The curves of an optimisation: for each run the fitness seen, the judge, and the spread of the genes. Empty before
/// the first generation.
pub(in crate::report) fn curves(of: &OptimisationSummary) -> Vec<Figure> {
    let mut runs: Vec<&OptimisationRunSummary> = of.runs.iter().filter(|run| !run.curve.is_empty()).collect();
    if runs.len() > MOST {
        runs.sort_by(|a, b| b.held_out().total_cmp(&a.held_out()));
        runs.truncate(MOST);
    }
    runs.into_iter().flat_map(|run| of_run(of, run)).collect()
}

fn of_run(of: &OptimisationSummary, run: &OptimisationRunSummary) -> Vec<Figure> {
    let title = |what: &str| {
        let run = if run.name == of.name { String::new() } else { format!(", {}", run.name) };
        format!("{}{run}: {what}", of.name)
    };
    let best = line("best seen", run, |point| Some(point.best));
    let mean = line("mean seen", run, |point| Some(point.mean));
    let spread = line("genes", run, |point| Some(point.spread));
    let unit = if of.for_two { "points a game" } else { "success" };
    let in_points = of.measure == "points";
    let seen = if in_points { unit.into() } else { format!("fitness: {}", of.measure) };
    let mut first = vec![best, mean];
    let mut figures = Vec::new();
    if in_points {
        first.push(judge(run));
    } else {
        let points = line("all candidates", run, |point| Some(point.points));
        figures.push(figure("points", title("points"), unit, vec![points, judge(run)]));
    }
    figures.insert(0, figure("seen", title("what the fitness saw"), &seen, first));
    let what = "mean standard deviation of a gene over the candidates";
    figures.push(figure("spread", title("spread"), what, vec![spread]));
    figures
}

/// The numbers of the generations that have one.
fn line(name: &str, run: &OptimisationRunSummary, value: impl Fn(&CurvePoint) -> Option<f64>) -> Series {
    let point = |(generation, point): (usize, &CurvePoint)| {
        let value = value(point)?;
        Some(place(generation, value.into(), &decimals(value, 3)))
    };
    Series::new(name, Line::Plain, run.curve.iter().enumerate().filter_map(point))
}

/// The judge, with intervals.
fn judge(run: &OptimisationRunSummary) -> Series {
    let point = |(generation, point): (usize, &CurvePoint)| {
        let judge = point.judge?;
        Some(place(generation, judge.into(), &in_words(&judge, 3)))
    };
    Series::new("judge", Line::Plain, run.curve.iter().enumerate().filter_map(point))
}

fn place(generation: usize, y: Place, words: &str) -> Point {
    Point { x: generation.into(), y, words: format!("generation {generation}: {words}") }
}

fn figure(kind: &'static str, title: String, what: &str, mut series: Vec<Series>) -> Figure {
    series.retain(|series| !series.points.is_empty());
    let mut table = Table::new(&["<line", ">generation", &format!(">{what}"), ">low", ">high"]);
    for (series, point) in
        series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point)))
    {
        let ends = point
            .y
            .interval
            .map_or_else(|| ["–"; 2].map(String::from), |ends| ends.map(|end| decimals(end, 4)));
        let numbers = [decimals(point.x.value, 0), decimals(point.y.value, 4)];
        table.row([series.name.clone()].into_iter().chain(numbers).chain(ends));
    }
    let has_intervals =
        series.iter().flat_map(|series| &series.points).any(|point| point.y.interval.is_some());
    let intervals = if has_intervals { ", with 95 % intervals of the judge" } else { "" };
    Figure {
        kind,
        title,
        about: format!("{what}{intervals}"),
        words: in_short(&series),
        x: Axis::new("generation", Scale::Numbers([0.0, 1.0])),
        y: Axis::new(what, Scale::Numbers([0.0, 0.0])),
        series,
        table,
        ..Figure::default()
    }
}

/// Of each line the first, the largest and the last number.
fn in_short(series: &[Series]) -> String {
    let line = |series: &Series| {
        let values = || series.points.iter().map(|point| point.y.value);
        let most = values().fold(f64::NEG_INFINITY, f64::max);
        let [first, last] = [values().next(), values().next_back()].map(|value| value.unwrap_or(f64::NAN));
        let [first, most, last] = [first, most, last].map(|value| decimals(value, 3));
        format!("{}: first {first}, largest {most}, last {last}.", series.name)
    };
    series.iter().map(line).collect::<Vec<_>>().join(" ")
}
