//! Success by the values of a sweep: a line over one option, a map over two.

use super::{of_experiment, words};
use crate::experiment::{
    Axis as SweptAxis, CurveCrossings, ExperimentSummary, FullGrid, PlayerSummary, Summary, amount_of,
    without_swept,
};
use crate::report::comparisons::{amount, sentence};
use crate::report::figure::{Axis, Cell, Figure, Line, Place, Point, Scale, Series, in_cells, in_words};
use crate::report::measure::Measure;
use crate::report::numbers::decimals;
use crate::report::table::Table;
use crate::stats::Estimate;

/// The largest number of lines of a figure; of more, the best.
const MOST: usize = 8;

/// The players of an entry of the manifest, which differ in swept options only.
struct Group<'e> {
    name: String,
    players: Vec<&'e PlayerSummary>,
}

impl Group<'_> {
    fn keys(&self) -> Vec<&str> {
        self.players[0].swept.iter().map(|(key, _)| key.as_str()).collect()
    }

    /// The keys with more than one value, each with its values in their order.
    fn axes(&self) -> Vec<SweptAxis> {
        let axis = |key: &str| {
            let mut levels: Vec<String> = Vec::new();
            for player in &self.players {
                let level = level_of(&player.swept, key);
                if !levels.iter().any(|known| known == level) {
                    levels.push(level.into());
                }
            }
            SweptAxis { name: key.into(), levels }
        };
        self.keys().into_iter().map(axis).filter(|axis| axis.levels.len() > 1).collect()
    }

    fn is_grid(&self) -> bool {
        let keys: Vec<String> = self.keys().into_iter().map(Into::into).collect();
        let row = |player: &&PlayerSummary| player.swept.iter().map(|(_, value)| value.clone()).collect();
        let rows: Vec<Vec<String>> = self.players.iter().map(row).collect();
        FullGrid::new(&keys, &rows).is_some()
    }
}

fn level_of<'s>(swept: &'s [(String, String)], key: &str) -> &'s str {
    swept.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value)
}

/// The figures of the sweeps over options of players: one for each option that was swept alone, with a line for each entry of the
/// manifest, and one for each full grid of two options.
pub(super) fn sweeps(experiment: &ExperimentSummary) -> Vec<Figure> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let swept = |player: &&PlayerSummary| player.trials > 0 && !player.swept.is_empty();
    for player in experiment.players.iter().filter(swept) {
        let name = without_swept(&player.name, &player.swept);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.players.push(player),
            None => groups.push(Group { name, players: vec![player] }),
        }
    }
    let mut figures = Vec::new();
    let mut options: Vec<String> = Vec::new();
    for group in &groups {
        match &group.axes()[..] {
            [only] if !options.contains(&only.name) => options.push(only.name.clone()),
            [rows, columns] if group.is_grid() => figures.push(map(experiment, group, [rows, columns])),
            _ => {}
        }
    }
    let over = |option: &String| {
        let lines = groups.iter().filter(|group| matches!(&group.axes()[..], [only] if only.name == *option));
        let lines = lines.map(|group| {
            let points =
                group.players.iter().map(|player| (level_of(&player.swept, option).to_owned(), *player));
            (group.name.clone(), points.collect())
        });
        let mut figure = line(experiment, &experiment.name, option, lines.collect(), words(experiment));
        mark_crossings(&mut figure, experiment, option);
        figure
    };
    figures.extend(options.iter().map(over));
    figures
}

/// The figure of a sweep over an option of the game, at the first experiment of the sweep.
pub(super) fn over_experiments(summary: &Summary, index: usize) -> Option<Figure> {
    let experiment = &summary.experiments[index];
    let [(option, _)] = &experiment.swept[..] else { return None };
    let name = |experiment: &ExperimentSummary| {
        let words = experiment.name.split(' ').filter(|word| !word.starts_with(&format!("{option}=")));
        words.collect::<Vec<_>>().join(" ")
    };
    let is_of_sweep = |other: &&ExperimentSummary| {
        matches!(&other.swept[..], [(key, _)] if key == option) && name(other) == name(experiment)
    };
    if summary.experiments[..index].iter().any(|other| is_of_sweep(&other)) {
        return None;
    }
    let all: Vec<&ExperimentSummary> = summary.experiments.iter().filter(is_of_sweep).collect();
    if all.len() < 2 {
        return None;
    }
    let lines = experiment.players.iter().map(|player| {
        let points = all.iter().filter_map(|other| {
            let found = other.players.iter().find(|found| found.name == player.name && found.trials > 0)?;
            Some((level_of(&other.swept, option).to_owned(), found))
        });
        (player.name.clone(), points.collect())
    });
    let words = all.iter().map(|other| format!("{}: {}", other.name, words(other)));
    let words = words.collect::<Vec<_>>().join(" ");
    let mut figure = line(experiment, &name(experiment), option, lines.collect(), words);
    figure.kind = "game-sweep";
    Some(figure)
}

/// Lines over the values of an option, each with a name and its players by value.
fn line(
    experiment: &ExperimentSummary,
    name: &str,
    option: &str,
    mut lines: Vec<(String, Vec<(String, &PlayerSummary)>)>,
    words: String,
) -> Figure {
    let of = Measure::of(experiment);
    let (measure, digits) = (of.name(), of.digits());
    let mut levels: Vec<String> = Vec::new();
    let mut table = Table::new(&["<player", &format!("<{option}"), &format!(">{measure}"), ">low", ">high"]);
    for (name, points) in &lines {
        for (level, player) in points {
            if !levels.contains(level) {
                levels.push(level.clone());
            }
            table.row([name.clone(), level.clone()].into_iter().chain(in_cells(&player.result(), 4)));
        }
    }
    let best = |points: &[(String, &PlayerSummary)]| {
        points.iter().map(|(_, player)| player.result().value).fold(f64::NEG_INFINITY, f64::max)
    };
    lines.sort_by(|(_, a), (_, b)| best(b).total_cmp(&best(a)));
    let count = lines.len();
    lines.truncate(MOST);
    let crosses = experiment.curve_crossings.iter().any(|found| found.budget == option);
    let scale = scale(&levels, crosses);
    let place = |level: &str| match scale {
        Scale::Names(_) => levels.iter().position(|known| known == level).unwrap_or(0) as f64,
        _ => amount_of(level).unwrap_or(f64::NAN),
    };
    let series = |(name, points): &(String, Vec<(String, &PlayerSummary)>)| {
        let point = |(level, player): &(String, &PlayerSummary)| Point {
            x: place(level).into(),
            y: player.result().into(),
            words: format!("{name}, {option} {level}: {}", in_words(&player.result(), digits)),
        };
        Series::new(name, Line::Marked, points.iter().map(point))
    };
    let series = lines.iter().map(series).collect();
    let shown = if count > MOST { format!("; the best {MOST} of {count}") } else { String::new() };
    Figure {
        kind: "sweep",
        title: format!("{name}: {measure} by {option}"),
        about: format!("{measure}, with 95 % intervals{shown}"),
        words,
        x: Axis::new(option, scale),
        y: Axis::new(measure.clone(), Scale::Numbers(of.axis(experiment, [0.0, 0.1]))),
        series,
        table,
        ..Figure::default()
    }
}

fn mark_crossings(figure: &mut Figure, experiment: &ExperimentSummary, option: &str) {
    let is_drawn = |name: &String| figure.series.iter().any(|series| series.name == *name);
    let all = experiment.curve_crossings.iter();
    let shown: Vec<&CurveCrossings> =
        all.filter(|found| found.budget == option && found.curves.iter().all(is_drawn)).collect();
    let mut points = Vec::new();
    for found in &shown {
        for crossing in &found.crossings {
            let Estimate { value, low, high, .. } = crossing.budget;
            // An end that is not settled is beyond the measured budgets.
            let is_known = low.is_finite() || high.is_finite();
            let interval = is_known.then(|| [low.max(found.range[0]), high.min(found.range[1])]);
            let words = sentence(found, Measure::of(experiment));
            points.push(Point { x: Place { value, interval }, y: crossing.result.into(), words });
            let ends = [low, high].map(|end| if end.is_finite() { amount(option, end) } else { "…".into() });
            let name = format!("crossing: {} and {}", found.curves[0], found.curves[1]);
            let at = format!("{} [{}, {}]", amount(option, value), ends[0], ends[1]);
            figure.table.row([name, at, decimals(crossing.result, 4), "–".into(), "–".into()]);
        }
    }
    if points.is_empty() {
        return;
    }
    let crossed = shown.iter().filter(|found| !found.crossings.is_empty());
    let sentences: Vec<String> = crossed.map(|found| sentence(found, Measure::of(experiment))).collect();
    figure.words = format!("{} {}", figure.words, sentences.join(" "));
    figure.about.push_str("; crossings: interval of the budget");
    figure.series.push(Series::new("crossing", Line::None, points));
}

/// The scale of the values of an option: their names if they are few and equally far apart, or no numbers; logarithmic if they are positive
/// numbers far apart, or if lines over them cross.
fn scale(levels: &[String], crosses: bool) -> Scale {
    let numbers: Option<Vec<f64>> = levels.iter().map(|level| amount_of(level)).collect();
    let Some(numbers) = numbers else { return Scale::Names(levels.to_vec()) };
    let (least, most) =
        (numbers.iter().copied().fold(f64::INFINITY, f64::min), numbers.iter().copied().fold(0.0, f64::max));
    let gap = |pair: &[f64]| pair[1] - pair[0];
    let is_even = numbers.windows(2).all(|pair| gap(pair) == gap(&numbers[..2]) && gap(pair) != 0.0);
    let is_far = least > 0.0 && most >= 20.0 * least;
    if levels.iter().all(|level| level.parse::<f64>().is_err()) {
        Scale::Decades([" ns", " µs", " ms", " s"])
    } else if numbers.len() <= 12 && is_even && !crosses {
        Scale::Names(levels.to_vec())
    } else if is_far || crosses {
        Scale::Decades(["", " k", " M", " G"])
    } else {
        Scale::Numbers([least, most])
    }
}

fn map(experiment: &ExperimentSummary, group: &Group<'_>, [rows, columns]: [&SweptAxis; 2]) -> Figure {
    let of = Measure::of(experiment);
    let (measure, digits) = (of.name(), of.digits());
    let values = || group.players.iter().map(|player| player.result().value);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let mut table = Table::new(&[
        format!("<{}", rows.name),
        format!("<{}", columns.name),
        format!(">{measure}"),
        ">low".into(),
        ">high".into(),
    ]);
    let cell = |player: &&PlayerSummary| {
        let levels = [rows, columns].map(|axis| level_of(&player.swept, &axis.name));
        let [row, column] = [(rows, levels[0]), (columns, levels[1])]
            .map(|(axis, level)| axis.levels.iter().position(|known| known == level).unwrap_or(0));
        let result = player.result();
        table.row(levels.map(String::from).into_iter().chain(in_cells(&result, 4)));
        Cell {
            column,
            row,
            share: if most > least { (result.value - least) / (most - least) } else { 0.5 },
            text: decimals(result.value, digits),
            words: format!(
                "{} {}, {} {}: {}",
                rows.name,
                levels[0],
                columns.name,
                levels[1],
                in_words(&result, digits)
            ),
            link: None,
        }
    };
    let cells = group.players.iter().map(cell).collect();
    let what = format!("{measure} of {} by {} and {}", group.name, rows.name, columns.name);
    Figure {
        about: format!("{measure}; rows: {}", rows.name),
        x: Axis::new(columns.name.clone(), Scale::Names(columns.levels.clone())),
        y: Axis::new(rows.name.clone(), Scale::Names(rows.levels.clone())),
        cells,
        table,
        ..of_experiment(experiment, "map", &what)
    }
}
