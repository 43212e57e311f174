//! Success against cost: processor time, playouts and positions, with the Pareto front of each.

use super::of_experiment;
use crate::experiment::{ExperimentSummary, Front, PlayerSummary, RunFacts, curve_of};
use crate::report::figure::{Axis, Figure, Line, Point, Scale, Series, in_cells, in_words, with_unit};
use crate::report::measure::Measure;
use crate::report::numbers::significant;
use crate::report::table::Table;
use crate::stats::{Estimate, Method};

struct Currency {
    kind: &'static str,
    /// The name of the axis.
    name: &'static str,
    units: [&'static str; 4],
    /// The cost of a trial, NaN of a player that pays in another currency.
    of_trial: fn(&PlayerSummary) -> Estimate,
}

const TIME: Currency = Currency {
    kind: "cost-time",
    name: "processor time a game",
    units: [" ns", " µs", " ms", " s"],
    of_trial: |player| player.cpu_ns_a_trial,
};

const POSITIONS: Currency = Currency {
    kind: "cost-positions",
    name: "positions a game",
    units: ["", " k", " M", " G"],
    of_trial: |player| player.positions,
};

const PLAYOUTS: Currency = Currency {
    kind: "cost-playouts",
    name: "playouts a game",
    units: ["", " k", " M", " G"],
    of_trial: |player| {
        let playouts = player.playouts as f64 / player.played as f64;
        let value = if player.playouts > 0 { playouts } else { f64::NAN };
        Estimate { value, low: value, high: value, method: Method::None }
    },
};

/// Success against processor time if that is known, else against positions. `None` if nothing was played.
pub(in crate::report) fn success_by_cost(experiment: &ExperimentSummary, facts: &RunFacts) -> Option<Figure> {
    let currency = if has_times(experiment, facts) { TIME } else { POSITIONS };
    success_by(experiment, facts, &currency)
}

/// Success against each cost; unless it `is_by_cost`, only against those that differ by more than a tenth.
pub(super) fn by_all_costs(
    experiment: &ExperimentSummary,
    facts: &RunFacts,
    is_by_cost: bool,
) -> Vec<Figure> {
    let differs = |currency: &Currency| {
        let costs = || experiment.players.iter().map(|player| (currency.of_trial)(player).value);
        is_by_cost || costs().fold(0.0, f64::max) > 1.1 * costs().fold(f64::INFINITY, f64::min)
    };
    let is_paid =
        |of: fn(&PlayerSummary) -> u64| experiment.players.iter().filter(|player| of(player) > 0).count() > 1;
    let time = has_times(experiment, facts).then_some(TIME);
    let positions = is_paid(|player| player.plies + player.nodes).then_some(POSITIONS);
    let playouts = is_paid(|player| player.playouts).then_some(PLAYOUTS);
    let currencies = [time, positions, playouts].into_iter().flatten().filter(differs);
    currencies.filter_map(|currency| success_by(experiment, facts, &currency)).collect()
}

/// Whether the time of every player is known and means something.
fn has_times(experiment: &ExperimentSummary, facts: &RunFacts) -> bool {
    let mut played = experiment.players.iter().filter(|player| player.trials > 0);
    facts.is_optimised() && played.all(|player| player.cpu_ns_a_trial.value > 0.0)
}

fn success_by(experiment: &ExperimentSummary, facts: &RunFacts, currency: &Currency) -> Option<Figure> {
    let games = if experiment.paired { 2.0 } else { 1.0 };
    let of = Measure::of(experiment);
    let (measure, digits) = (of.name(), of.digits());
    let fronts = experiment.front_by(currency.of_trial);
    // Times have the unit of the longest one.
    let costs = || experiment.players.iter().map(|player| (currency.of_trial)(player).value / games);
    let most = costs().filter(|cost| *cost > 1.0).fold(1.0, f64::max);
    let power =
        if currency.kind == TIME.kind { libm::floor(libm::log10(most) / 3.0).clamp(0.0, 3.0) } else { 0.0 };
    let unit = currency.units[power as usize].trim();
    let of_cost = if unit.is_empty() { currency.name.into() } else { format!("{}, {unit}", currency.name) };
    let in_unit = |cost: f64| significant(cost / libm::pow(1000.0, power));
    let headings = [&*measure, "low", "high", &of_cost, "low", "high"].map(|name| format!(">{name}"));
    let headings: Vec<String> =
        ["<player".into()].into_iter().chain(headings).chain(["<Pareto-optimal".into()]).collect();
    let mut table = Table::new(&headings);
    let (mut of_source, mut rows_of_source) = (Vec::new(), Vec::new());
    let (mut series, mut best): (Vec<Series>, Vec<(f64, f64)>) = (Vec::new(), Vec::new());
    for (player, front) in experiment.players.iter().zip(fronts).filter(|(player, _)| player.trials > 0) {
        let (success, cost) = (player.result(), (currency.of_trial)(player).map(|cost| cost / games));
        if !cost.value.is_finite() {
            continue;
        }
        if front == Front::Optimal {
            best.push((cost.value, success.value));
        }
        let label = with_unit(cost.value, &currency.units);
        let words = format!("{}: {}, {label} {}", player.name, in_words(&success, digits), currency.name);
        let point = Point { x: cost.into(), y: success.into(), words };
        let name = curve_of(&player.name, &player.swept);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series::new(name, Line::Marked, [point])),
        }
        let published = experiment.with_published().find(|(other, _)| other.name == player.name);
        if let Some(published) = published.and_then(|(_, claim)| claim.figure.as_ref()) {
            let words = format!("published of {}: {}", player.name, in_words(published, digits));
            of_source.push(Point { x: cost.value.into(), y: (*published).into(), words });
            let name = format!("{}, published", player.name);
            let cells = [name].into_iter().chain(in_cells(published, 4));
            let costs = [in_unit(cost.value), "–".into(), "–".into(), String::new()];
            rows_of_source.push(cells.chain(costs).collect::<Vec<String>>());
        }
        let ends = |end: f64| if cost.method == Method::None { "–".into() } else { in_unit(end) };
        let cells = [player.name.clone()].into_iter().chain(in_cells(&success, 4));
        let cells = cells.chain([in_unit(cost.value), ends(cost.low), ends(cost.high)]);
        table.row(cells.chain([front.mark().into()]));
    }
    if table.is_empty() {
        return None;
    }
    for row in rows_of_source {
        table.row(row);
    }
    if !of_source.is_empty() {
        series.push(Series::new("published", Line::None, of_source));
    }
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    if best.len() > 1 {
        let step =
            |(cost, success): (f64, f64)| Point { x: cost.into(), y: success.into(), words: String::new() };
        series.push(Series::new("Pareto front", Line::Steps, best.into_iter().map(step)));
    }
    let machine = facts.fact("cpu");
    let of_machine = if currency.kind == TIME.kind && !machine.is_empty() {
        format!(" Times of one {machine}.")
    } else {
        String::new()
    };
    let game =
        if experiment.name == experiment.game { String::new() } else { format!(" ({})", experiment.game) };
    Some(Figure {
        about: format!("{measure}, with 95 % intervals; dashed: Pareto front.{of_machine}"),
        x: Axis::new(currency.name, Scale::Decades(currency.units)),
        y: Axis::new(measure.clone(), Scale::Numbers(of.axis(experiment, [0.0, 0.1]))),
        series,
        table,
        ..of_experiment(experiment, currency.kind, &format!("{measure} by {}{game}", currency.name))
    })
}
