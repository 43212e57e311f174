//! The running estimates of a sequential experiment.

use super::{measure, words};
use crate::experiment::ExperimentSummary;
use crate::report::figure::{Axis, Figure, Line, Point, Scale, Series, in_cells, in_words};
use crate::report::table::Table;

/// The estimates of the players after more and more instances, with intervals that hold at all looks, and a line where the
/// rule decided. Of two players of a game for two, the first. `None` without a stopping rule.
pub(super) fn course(experiment: &ExperimentSummary) -> Option<Figure> {
    let followed = experiment.course.first().map(|(_, estimates)| estimates.len())?;
    let (measure, unit) = (measure(experiment), if experiment.paired { "pairs" } else { "deals" });
    let mut table = Table::new(&["<player", &format!(">{unit}"), &format!(">{measure}"), ">low", ">high"]);
    let count = experiment.players.len();
    let shown = if experiment.paired && count == 2 { 1 } else { count.min(followed) };
    let series = experiment.players[..shown].iter().enumerate().map(|(index, player)| {
        let points = experiment.course.iter().filter_map(|(instances, estimates)| {
            let estimate = estimates.get(index)?;
            let cells = [player.name.clone(), instances.to_string()];
            table.row(cells.into_iter().chain(in_cells(estimate, 4)));
            let words = format!("{}, {instances} {unit}: {}", player.name, in_words(estimate, 3));
            Some(Point { x: (*instances as f64).into(), y: (*estimate).into(), words })
        });
        Series::new(player.name.clone(), Line::Marked, points)
    });
    let series = series.collect();
    let decided = experiment.stopping.as_ref().filter(|stopping| stopping.decision.is_some());
    let line = if decided.is_some() { "; dotted: the decision" } else { "" };
    Some(Figure {
        kind: "course",
        title: super::title(experiment, "the running estimate"),
        about: format!("{measure}, with 95 % intervals that hold at all looks{line}"),
        words: words(experiment),
        x: Axis::new(unit, Scale::Decades(["", " k", " M", " G"])),
        y: Axis::new(measure, Scale::Numbers([0.0, 1.0])),
        series,
        cells: Vec::new(),
        rule: decided.map(|stopping| stopping.instances as f64),
        table,
    })
}
