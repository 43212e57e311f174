//! The cross table and the ratings of more than two players.

use super::{title, words};
use crate::experiment::{ExperimentSummary, RankedPlayer};
use crate::report::figure::{Axis, Cell, Figure, Line, Place, Point, Scale, Series};
use crate::report::numbers::{brackets, decimals};
use crate::report::table::Table;
use crate::stats::Confidence;

/// The largest number of players of a cross table that is drawn.
const MOST: usize = 26;

/// Who took how many points from whom. `None` if there are too many players, or each met one other only.
pub(super) fn cross_table(experiment: &ExperimentSummary) -> Option<Figure> {
    let names: Vec<String> = experiment.players.iter().map(|player| player.name.clone()).collect();
    let points = &experiment.cross_table;
    let met = |row: &Vec<Option<f64>>| row.iter().flatten().count();
    if names.len() > MOST || points.iter().filter(|row| met(row) > 1).count() < 2 {
        return None;
    }
    let mut table = Table::new(&["<player", "<against", ">points a game"]);
    let mut cells = Vec::new();
    for (row, points) in points.iter().enumerate() {
        for (column, points) in points.iter().enumerate().filter_map(|(at, points)| Some((at, (*points)?))) {
            table.row([names[row].clone(), names[column].clone(), decimals(points, 4)]);
            cells.push(Cell {
                column,
                row,
                share: points.clamp(0.0, 1.0),
                text: decimals(points, 2),
                words: format!("{} against {}: {}", names[row], names[column], decimals(points, 3)),
            });
        }
    }
    let numbered = |(number, name): (usize, &String)| format!("{name}  {}", number + 1);
    Some(Figure {
        kind: "cross-table",
        title: title(experiment, "cross table"),
        about: "points a game of the row against the column; blue: more than half".into(),
        words: words(experiment),
        x: Axis::new("against", Scale::Names((1..=names.len()).map(|number| number.to_string()).collect())),
        y: Axis::new("player", Scale::Names(names.iter().enumerate().map(numbered).collect())),
        cells,
        table,
        ..Figure::default()
    })
}

/// The ratings, strongest first, each with its normal interval.
pub(super) fn ratings(experiment: &ExperimentSummary) -> Option<Figure> {
    let ranking = &experiment.ratings.as_ref()?.ranking;
    let mut table = Table::new(&["<player", ">Elo", ">low", ">high", ">standard error"]);
    let point = |(row, player): (usize, &RankedPlayer)| {
        let half = Confidence::default_level().z() * player.standard_error;
        let [low, high] = [player.elo - half, player.elo + half];
        let numbers = [player.elo, low, high, player.standard_error].map(|number| decimals(number, 1));
        table.row([player.name.clone()].into_iter().chain(numbers));
        let interval = half.is_finite().then_some([low, high]);
        let words = format!("{}: {} {}", player.name, decimals(player.elo, 0), brackets(low, high, 0));
        Point { x: Place { value: player.elo, interval }, y: row.into(), words }
    };
    let points: Vec<Point> = ranking.iter().enumerate().map(point).collect();
    let names = ranking.iter().map(|player| player.name.clone()).collect();
    Some(Figure {
        kind: "ratings",
        title: title(experiment, "ratings"),
        about: "Elo against the mean of all, with normal 95 % intervals".into(),
        words: words(experiment),
        x: Axis::new("Elo", Scale::Numbers([0.0, 0.0])),
        y: Axis::new("player", Scale::Names(names)),
        series: vec![Series::new("rating", Line::None, points)],
        cells: Vec::new(),
        rule: Some(0.0),
        table,
    })
}
