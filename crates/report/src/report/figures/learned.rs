//! Curves: the learning of a training, with the weight of each square of the board; the generations of an optimisation; and the running
//! estimates of a sequential experiment.

use super::of_experiment;
use crate::experiment::{
    CurvePoint, ExperimentSummary, OptimisationRunSummary, OptimisationSummary, SURVIVAL, TrainingSummary,
};
use crate::report::figure::{Axis, Cell, Figure, Line, Place, Point, Scale, Series, in_cells, in_words};
use crate::report::measure::Measure;
use crate::report::numbers::decimals;
use crate::report::optimisation::result;
use crate::report::table::Table;

/// The figures of a training that is alone; none of a sweep, whose trainings are too many for a curve each.
pub(in crate::report) fn learned(of: &[TrainingSummary]) -> Vec<Figure> {
    let [one] = of else { return Vec::new() };
    learning_curve(one).into_iter().chain(board(one)).collect()
}

/// The learning curve, once it has two points.
fn learning_curve(of: &TrainingSummary) -> Option<Figure> {
    let (first, last) = (of.curve.first()?, of.curve.last()?);
    if of.curve.len() < 2 {
        return None;
    }
    let learned = if of.epochs.is_some() { "epochs" } else { "games" };
    let judges: Vec<&str> = of.judges.iter().map(|(name, _)| name.as_str()).collect();
    let mut table = Table::new(&[&format!(">{learned}"), ">points a game", ">low", ">high"]);
    let points = of.curve.iter().map(|point| {
        table.row([point.games.to_string()].into_iter().chain(in_cells(&point.points, 4)));
        Point {
            x: (point.games as f64).into(),
            y: point.points.into(),
            words: format!("{} {learned}: {}", point.games, in_words(&point.points, 3)),
        }
    });
    let series = Series::new("judge", Line::Marked, points);
    let value = |value: f64| decimals(value, 3);
    Some(Figure {
        kind: "learning",
        title: format!("{}: learning curve", of.name),
        about: format!("points a game against {}, with 95 % intervals", judges.join(", ")),
        words: format!(
            "{} points a game after {} {learned}, {} after {}.",
            value(first.points.value),
            first.games,
            value(last.points.value),
            last.games
        ),
        x: Axis::new(format!("{learned} learned"), Scale::Numbers([0.0, 1.0])),
        y: Axis::new("points a game", Scale::Numbers([0.5, 0.5])),
        series: vec![series],
        table,
        ..Figure::default()
    })
}

/// The board with the weight of each square.
fn board(of: &TrainingSummary) -> Option<Figure> {
    let squares = of.squares.as_ref()?;
    let (columns, values) = (squares.columns, &squares.values);
    let most = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if most == 0.0 || columns == 0 {
        return None;
    }
    let name = |square: usize| {
        let (row, column) = (square / columns, square % columns);
        (row, column, format!("{}{}", column_name(column), row + 1))
    };
    let mut table = Table::new(&["<square", ">weight"]);
    let cells = values.iter().enumerate().map(|(square, &value)| {
        let (row, column, name) = name(square);
        table.row([name.clone(), decimals(value, 4)]);
        let text = decimals(value, 2);
        Cell {
            column,
            row,
            share: f64::midpoint(value / most, 1.0),
            words: format!("{name}: {text}"),
            text,
            link: None,
        }
    });
    let cells = cells.collect();
    let ends = |end: fn(f64, f64) -> bool| {
        let of_end =
            |best: usize, square: usize| if end(values[square], values[best]) { square } else { best };
        name((0..values.len()).fold(0, of_end)).2
    };
    let rows = values.len() / columns;
    Some(Figure {
        kind: "squares",
        title: format!("{}: what each square counts for", of.name),
        about: "half the difference of an own disc and the opponent's, over the other squares of each tuple"
            .into(),
        words: format!(
            "The best square to own is {}, the worst {}.",
            ends(|value, best| value > best),
            ends(|value, worst| value < worst)
        ),
        x: Axis::new("column", Scale::Names((0..columns).map(column_name).collect())),
        y: Axis::new("row", Scale::Names((1..=rows).map(|row| row.to_string()).collect())),
        cells,
        table,
        ..Figure::default()
    })
}

/// A letter, as on most boards; beyond z a number.
fn column_name(column: usize) -> String {
    u8::try_from(column)
        .ok()
        .filter(|&column| column < 26)
        .map_or_else(|| (column + 1).to_string(), |column| char::from(b'a' + column).to_string())
}

/// The most runs of which curves are drawn; of more, those that the judge found best.
const MOST_RUNS: usize = 6;

/// The curves of an optimisation: for each run the fitness seen, the judge, the spread of the genes, the means of the selected and the
/// time. Empty before the first generation.
pub(in crate::report) fn curves(of: &OptimisationSummary) -> Vec<Figure> {
    let mut runs: Vec<&OptimisationRunSummary> = of.runs.iter().filter(|run| !run.curve.is_empty()).collect();
    if runs.len() > MOST_RUNS {
        runs.sort_by(|a, b| b.held_out().total_cmp(&a.held_out()));
        runs.truncate(MOST_RUNS);
    }
    runs.into_iter().flat_map(|run| of_run(of, run)).collect()
}

fn of_run(of: &OptimisationSummary, run: &OptimisationRunSummary) -> Vec<Figure> {
    let title = |what: &str| {
        let run = if run.name == of.name { String::new() } else { format!(", {}", run.name) };
        format!("{}{run}: {what}", of.name)
    };
    let number = |value: f64| Some((Place::from(value), decimals(value, 3)));
    let best = line("best seen", run, |point| number(point.best));
    let mean = line("mean seen", run, |point| number(point.mean));
    let spread = line("genes", run, |point| number(point.spread));
    let judge = line("judge", run, |point| Some((point.judge?.into(), in_words(&point.judge?, 3))));
    let unit = &result(of);
    let in_points = of.is_fitness_the_result();
    let seen = if in_points { unit.clone() } else { format!("fitness: {}", of.measure) };
    let mut first = vec![best, mean];
    let mut figures = Vec::new();
    if of.measure == SURVIVAL {
        figures.push(figure("points", title("points"), unit, vec![judge]));
    } else {
        if in_points {
            first.push(judge);
        } else {
            let points = line("all candidates", run, |point| number(point.points));
            figures.push(figure("points", title("points"), unit, vec![points, judge]));
        }
        figures.insert(0, figure("seen", title("what the fitness saw"), &seen, first));
    }
    let what = "mean standard deviation of a gene over the candidates";
    figures.push(figure("spread", title("spread"), what, vec![spread]));
    let of_gene =
        |(gene, name): (usize, &String)| line(name, run, |point| number(*point.selected.get(gene)?));
    let selected = run.genes.iter().enumerate().map(of_gene).collect();
    let what = "mean of a gene over the selected, moving average of 5 generations";
    figures.push(figure("genes", title("genes of the selected"), what, selected));
    let time = line("a generation", run, |point| number(point.took?.wall_ns as f64 / 1e9));
    figures.push(figure("time", title("time"), "wall time in seconds", vec![time]));
    figures.retain(|figure| !figure.series.is_empty());
    figures
}

/// The generations that have a figure, each with its words.
fn line(
    name: &str,
    run: &OptimisationRunSummary,
    figure: impl Fn(&CurvePoint) -> Option<(Place, String)>,
) -> Series {
    let point = |(generation, point): (usize, &CurvePoint)| {
        let (y, words) = figure(point)?;
        Some(Point { x: generation.into(), y, words: format!("generation {generation}: {words}") })
    };
    Series::new(name, Line::Plain, run.curve.iter().enumerate().filter_map(point))
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

/// The estimates of the players after more and more instances, with intervals that hold at all looks, and a line where the
/// rule decided. Of two players of a game for two, the first. `None` without a stopping rule.
pub(super) fn course(experiment: &ExperimentSummary) -> Option<Figure> {
    let followed = experiment.course.first().map(|(_, estimates)| estimates.len())?;
    let (of, unit) = (Measure::of(experiment), if experiment.paired { "pairs" } else { "deals" });
    let measure = of.name();
    let mut table = Table::new(&["<player", &format!(">{unit}"), &format!(">{measure}"), ">low", ">high"]);
    let count = experiment.players.len();
    let shown = if experiment.paired && count == 2 { 1 } else { count.min(followed) };
    let series = experiment.players[..shown].iter().enumerate().map(|(index, player)| {
        let points = experiment.course.iter().filter_map(|(instances, estimates)| {
            let estimate = estimates.get(index)?;
            let cells = [player.name.clone(), instances.to_string()];
            table.row(cells.into_iter().chain(in_cells(estimate, 4)));
            let words = format!("{}, {instances} {unit}: {}", player.name, in_words(estimate, of.digits()));
            Some(Point { x: (*instances as f64).into(), y: (*estimate).into(), words })
        });
        Series::new(player.name.clone(), Line::Marked, points)
    });
    let series = series.collect();
    let decided = experiment.stopping.as_ref().filter(|stopping| stopping.decision.is_some());
    let line = if decided.is_some() { "; dotted: the decision" } else { "" };
    Some(Figure {
        about: format!("{measure}, with 95 % intervals that hold at all looks{line}"),
        x: Axis::new(unit, Scale::Decades(["", " k", " M", " G"])),
        y: Axis::new(measure, Scale::Numbers(of.axis(experiment, [0.0, 1.0]))),
        series,
        rule: decided.map(|stopping| stopping.instances as f64),
        table,
        ..of_experiment(experiment, "course", "the running estimate")
    })
}
