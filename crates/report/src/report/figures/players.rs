//! The players with their intervals, the comparisons of two, the cross table and the ratings of more, the times of moves and the lengths
//! of games.

use super::{of_experiment, of_players};
use crate::experiment::{ExperimentSummary, Lengths, MoveTimes, PlayerSummary, RankedPlayer, RunFacts};
use crate::report::comparisons::{Contrast, contrasts};
use crate::report::figure::{Axis, Cell, Figure, Line, Place, Point, Scale, Series, in_cells, in_words};
use crate::report::measure::Measure;
use crate::report::numbers::{brackets, decimals, duration, p_value, significant, with_thousands};
use crate::report::table::Table;
use crate::stats::Confidence;

/// The largest number of comparisons that are drawn.
const MOST: usize = 24;

/// Each player with its interval, in the order of the manifest.
pub(super) fn players(experiment: &ExperimentSummary) -> Figure {
    let of = Measure::of(experiment);
    let (measure, digits) = (of.name(), of.digits());
    let primary: Vec<usize> = contrasts(experiment)
        .iter()
        .filter(|contrast| contrast.tested.primary)
        .flat_map(|contrast| contrast.players)
        .collect();
    let mut table = Table::new(&["<player", &format!(">{measure}"), ">low", ">high", ">trials"]);
    let (mut of_primary, mut others) = (Vec::new(), Vec::new());
    for (row, player) in experiment.players.iter().enumerate().filter(|(_, player)| player.trials > 0) {
        let result = player.result();
        let words = format!("{}: {}", player.name, in_words(&result, digits));
        let point = Point { x: result.into(), y: row.into(), words };
        if primary.contains(&row) { &mut of_primary } else { &mut others }.push(point);
        let cells = [player.name.clone()].into_iter().chain(in_cells(&result, 4));
        table.row(cells.chain([player.trials.to_string()]));
    }
    let mut series = vec![Series::new("player", Line::None, others)];
    if !of_primary.is_empty() {
        series.push(Series::new("in a primary comparison", Line::None, of_primary));
        series.retain(|series| !series.points.is_empty());
    }
    let published = experiment.with_published().filter_map(|(player, claim)| {
        let published = &claim.figure?;
        let row = experiment.players.iter().position(|other| other.name == player.name)?;
        let words = format!("published of {}: {}", player.name, in_words(published, digits));
        let cells = [format!("{}, published", player.name)].into_iter().chain(in_cells(published, 4));
        table.row(cells.chain(["–".into()]));
        // A little below the result.
        Some(Point { x: (*published).into(), y: (row as f64 + 0.28).into(), words })
    });
    let published = Series::new("published", Line::None, published);
    if !published.points.is_empty() {
        series.push(published);
    }
    Figure {
        about: format!("{measure} of each player, with 95 % intervals"),
        x: Axis::new(measure, Scale::Numbers(of.axis(experiment, [0.0, 1.0]))),
        series,
        table,
        ..of_players(experiment, "players", "the players")
    }
}

/// The comparisons that were tested, the primary ones and those with small p-values first. `None` if there is none.
pub(super) fn comparisons(experiment: &ExperimentSummary) -> Option<Figure> {
    let mut all = contrasts(experiment);
    let count = all.len();
    let key = |contrast: &Contrast<'_>| {
        if contrast.tested.primary { -1.0 } else { contrast.tested.corrected_p }
    };
    all.sort_by(|a, b| key(a).total_cmp(&key(b)));
    all.truncate(MOST);
    let even = all.first()?.even();
    let measure = Measure::of(experiment);
    let what = measure.compared_axis();
    let mut table = Table::new(&["<comparison", &format!(">{what}"), ">low", ">high", ">p", ">corrected p"]);
    let (mut names, mut of_primary, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (row, contrast) in all.iter().enumerate() {
        let name = format!("{} – {}", contrast.names[0], contrast.names[1]);
        let words = format!("{name}: {}", in_words(&contrast.estimate, measure.digits()));
        let point = Point { x: contrast.estimate.into(), y: row.into(), words };
        if contrast.tested.primary { &mut of_primary } else { &mut others }.push(point);
        let corrected =
            if contrast.tested.primary { "primary".into() } else { p_value(contrast.tested.corrected_p) };
        let cells = [name.clone()].into_iter().chain(in_cells(&contrast.estimate, 4));
        table.row(cells.chain([p_value(contrast.tested.p), corrected]));
        names.push(name);
    }
    let mut series = vec![
        Series::new("comparison", Line::None, others),
        Series::new("primary comparison", Line::None, of_primary),
    ];
    series.retain(|series| !series.points.is_empty());
    let shown = if count > MOST { format!("; {MOST} of {count}, by p") } else { String::new() };
    Some(Figure {
        about: format!("{what}, with 95 % intervals{shown}"),
        x: Axis::new(what.clone(), Scale::Numbers(if experiment.paired { [0.0, 1.0] } else { [0.0, 0.0] })),
        y: Axis::new("comparison", Scale::Names(names)),
        series,
        rule: Some(even),
        table,
        ..of_experiment(experiment, "comparisons", "two players compared")
    })
}

/// The largest number of players of a cross table that is drawn.
const MOST_CROSSED: usize = 26;

/// The points of each player against each other. `None` if there are too many players, or each met one other only.
pub(super) fn cross_table(experiment: &ExperimentSummary) -> Option<Figure> {
    let names: Vec<String> = experiment.players.iter().map(|player| player.name.clone()).collect();
    let points = &experiment.cross_table;
    let met = |row: &Vec<Option<f64>>| row.iter().flatten().count();
    if names.len() > MOST_CROSSED || points.iter().filter(|row| met(row) > 1).count() < 2 {
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
                link: None,
            });
        }
    }
    let numbered = |(number, name): (usize, &String)| format!("{name}  {}", number + 1);
    Some(Figure {
        about: "points a game of the row against the column; blue: more than half".into(),
        x: Axis::new("against", Scale::Names((1..=names.len()).map(|number| number.to_string()).collect())),
        y: Axis::new("player", Scale::Names(names.iter().enumerate().map(numbered).collect())),
        cells,
        table,
        ..of_experiment(experiment, "cross-table", "cross table")
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
        about: "Elo against the mean of all, with normal 95 % intervals".into(),
        x: Axis::new("Elo", Scale::Numbers([0.0, 0.0])),
        y: Axis::new("player", Scale::Names(names)),
        series: vec![Series::new("rating", Line::None, points)],
        rule: Some(0.0),
        table,
        ..of_experiment(experiment, "ratings", "ratings")
    })
}

const SHARES: [(&str, f64); 4] = [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("longest", 1.0)];

/// The quantiles of the wall times of each player's moves. `None` if the build was not optimised.
pub(super) fn times(
    experiment: &ExperimentSummary,
    index: usize,
    times: &MoveTimes,
    facts: &RunFacts,
) -> Option<Figure> {
    if !facts.is_optimised() {
        return None;
    }
    let of = |player: usize, share: f64| match share {
        1.0 => times.max_ns(index, player),
        _ => times.quantile_ns(index, player, share),
    };
    let headings = ["<player".to_owned()].into_iter().chain(SHARES.map(|(name, _)| format!(">{name}")));
    let mut table = Table::new(&headings.collect::<Vec<_>>());
    for (number, player) in experiment.players.iter().enumerate() {
        let cells = SHARES.map(|(_, share)| of(number, share).map_or_else(|| "–".into(), duration));
        table.row([player.name.clone()].into_iter().chain(cells));
    }
    let series = SHARES.map(|(name, share)| {
        let point = |(row, player): (usize, &PlayerSummary)| {
            let ns = of(row, share)?;
            let words = format!("{}, {name}: {}", player.name, duration(ns));
            Some(Point { x: (ns as f64).into(), y: row.into(), words })
        };
        Series::new(name, Line::None, experiment.players.iter().enumerate().filter_map(point))
    });
    let machine = facts.fact("cpu");
    let of_machine = if machine.is_empty() { String::new() } else { format!(". Times of one {machine}.") };
    Some(Figure {
        about: format!("quantiles of the wall times of moves{of_machine}"),
        x: Axis::new("time a move", Scale::Decades([" ns", " µs", " ms", " s"])),
        series: series.into(),
        table,
        ..of_players(experiment, "times", "time a move")
    })
}

/// The lengths of each player's games: the median with the middle half and the middle nine tenths, the shortest and the
/// longest. `None` if all games are equally long.
pub(super) fn lengths(experiment: &ExperimentSummary) -> Option<Figure> {
    let quantiles = [">shortest", ">5 %", ">25 %", ">median", ">75 %", ">95 %", ">longest"];
    let mut table = Table::new(&[&["<player", ">games", ">mean"][..], &quantiles].concat());
    let (mut half, mut most, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (row, player) in experiment.players.iter().enumerate() {
        let Some(Lengths { games, mean, quantiles }) = player.lengths else { continue };
        let name = &player.name;
        let numbers = quantiles.map(|plies| plies.to_string());
        let cells = [name.clone(), with_thousands(games), significant(libm::round(mean * 100.0) / 100.0)];
        table.row(cells.into_iter().chain(numbers));
        let [shortest, low, quarter, median, three_quarters, high, longest] = quantiles.map(f64::from);
        let point = |value: f64, interval: Option<[f64; 2]>, words: String| Point {
            x: Place { value, interval },
            y: row.into(),
            words: format!("{name}: {words}"),
        };
        let plies = |value: f64| decimals(value, 0);
        let [at, from, to] = [median, quarter, three_quarters].map(plies);
        let words = format!("median {at} plies, half of the games {from} to {to}");
        half.push(point(median, Some([quarter, three_quarters]), words));
        for (value, share) in [(low, "5 %"), (high, "95 %")] {
            let words = format!("{share} of the games have at most {} plies", plies(value));
            most.push(point(value, None, words));
        }
        for (value, what) in [(shortest, "shortest"), (longest, "longest")] {
            ends.push(point(value, None, format!("the {what} has {} plies", plies(value))));
        }
    }
    let all = || ends.iter().map(|point| point.x.value);
    if all().fold(f64::INFINITY, f64::min) >= all().fold(f64::NEG_INFINITY, f64::max) {
        return None;
    }
    let series = [("median and middle half", half), ("5 % and 95 %", most), ("shortest and longest", ends)];
    Some(Figure {
        about: "plies of the games that were played to their end, with those of chance and of the opening"
            .into(),
        x: Axis::new("plies", Scale::Numbers([0.0, 0.0])),
        series: series.into_iter().map(|(name, points)| Series::new(name, Line::None, points)).collect(),
        table,
        ..of_players(experiment, "lengths", "lengths of games")
    })
}
