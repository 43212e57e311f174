//! What a training learned: its learning curve, and what each square of the board counts for.

use crate::experiment::TrainingSummary;
use crate::report::figure::{Axis, Cell, Figure, Line, Point, Scale, Series, in_cells, in_words};
use crate::report::numbers::decimals;
use crate::report::table::Table;

/// The figures of a training that is alone; none of a sweep, whose trainings are too many for a curve each.
pub(in crate::report) fn learned(of: &[TrainingSummary]) -> Vec<Figure> {
    let [one] = of else { return Vec::new() };
    curve(one).into_iter().chain(board(one)).collect()
}

/// The learning curve, once it has two points.
fn curve(of: &TrainingSummary) -> Option<Figure> {
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

/// The board with what each square counts for.
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
        Cell { column, row, share: f64::midpoint(value / most, 1.0), words: format!("{name}: {text}"), text }
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
