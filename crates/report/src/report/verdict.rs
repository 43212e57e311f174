//! The verdict on an experiment, in sentences.
//!
//! The report has no intervals and no tests of a match of two deterministic players from the start, one game per seating, repeated:
//! they would count each repetition as evidence. Showing them beside a warning was rejected: readers believe a small p all the same.

use super::comparisons::{ALPHA, Contrast, contrasts};
use super::measure::Measure;
use super::numbers::{brackets, decimals, instances, p_value, with_thousands};
use crate::experiment::{Counts, ExperimentSummary, PlayerSummary, StoppingSummary, TestSummary};
use crate::stats::Estimate;

/// The largest number of names in a sentence.
const NAMES: usize = 6;

/// The verdict on an experiment, the primary comparisons first; empty before all trials are done.
pub fn verdict(experiment: &ExperimentSummary) -> Vec<String> {
    if !experiment.complete {
        return Vec::new();
    }
    if is_repeated(experiment) {
        return vec![sentence_of_repeated(experiment)];
    }
    if let Some(stopping) = &experiment.stopping {
        return [stopped(experiment, stopping)].into_iter().chain(unequal_work(experiment)).collect();
    }
    let contrasts = contrasts(experiment);
    let mut sentences: Vec<String> =
        contrasts.iter().filter(|contrast| contrast.tested.primary).map(Contrast::sentence).collect();
    let is_other = |contrast: &&Contrast<'_>| !contrast.tested.primary;
    sentences.extend(contrasts.iter().filter(is_other).filter(|c| c.alike).map(Contrast::sentence));
    let others: Vec<&Contrast<'_>> = contrasts.iter().filter(is_other).filter(|c| !c.alike).collect();
    if contrasts.is_empty() {
        sentences.extend(alone(experiment));
    } else if !others.is_empty() && experiment.design == "gauntlet" {
        sentences.extend(gauntlet(experiment, &others));
    } else if !others.is_empty() {
        let all: Vec<&Contrast<'_>> = contrasts.iter().filter(|contrast| !contrast.alike).collect();
        sentences.push(ranking(experiment, &all));
    }
    sentences.extend(unequal_work(experiment));
    sentences.extend(edges(experiment));
    sentences
}

/// A cost of a move, and the words for a player that has more of it than another.
type Currency = (fn(&PlayerSummary) -> f64, [&'static str; 2]);

const WORK: [Currency; 2] = [
    (|player| player.playouts as f64, ["made", "as many playouts a move as"]),
    (|player| (player.plies + player.nodes) as f64, ["looked at", "as many positions a move as"]),
];

const TIME: [Currency; 1] = [(|player| player.wall_ns, ["took", "as long a move as"])];

/// The budget of a player as written, such as `playouts=1000`; empty without one.
pub(super) fn budget_of(player: &PlayerSummary) -> &str {
    let options = player.search.rfind(')').map_or(0, |end| end + 1);
    player.search[options..].split_once('@').map_or("", |(_, budget)| budget)
}

/// How much more a player spends on a move than another, where that is more than a tenth.
fn ratio_in_words<'e>(
    players: &(impl Iterator<Item = &'e PlayerSummary> + Clone),
    currencies: &[Currency],
) -> Option<(f64, String)> {
    let of_currency = |&(of, [does, than]): &Currency| {
        let costs = players.clone().map(|player| (of(player) / player.moves.max(1) as f64, player));
        let costs = costs.filter(|(cost, _)| *cost > 0.0);
        let (most, more) = costs.clone().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let (least, less) = costs.reduce(|a, b| if b.0 < a.0 { b } else { a })?;
        let ratio = most / least;
        let times = decimals(ratio, if ratio < 2.0 { 2 } else { usize::from(ratio < 10.0) });
        (ratio > 1.1).then(|| (ratio, format!("{} {does} {times} times {than} {}.", more.name, less.name)))
    };
    currencies.iter().filter_map(of_currency).reduce(|a, b| if b.0 > a.0 { b } else { a })
}

/// The sentence on the players that have the same budget, as `is_meant` accepts it, and differ most in a currency.
fn unequal(
    experiment: &ExperimentSummary,
    currencies: &[Currency],
    is_meant: fn(&str) -> bool,
) -> Option<String> {
    let with = |budget| experiment.players.iter().filter(move |player| budget_of(player) == budget);
    let budgets =
        experiment.players.iter().map(budget_of).filter(|budget| !budget.is_empty() && is_meant(budget));
    let found = budgets.filter_map(|budget| Some((ratio_in_words(&with(budget), currencies)?, budget)));
    let ((_, words), budget) = found.reduce(|a, b| if b.0.0 > a.0.0 { b } else { a })?;
    Some(format!("With the same budget, {budget}, {words}"))
}

/// The sentence on players that were meant to do the same work and did not: by their budgets; of two players without the same
/// budget, their positions. With a limit of time, or against another program, equal time was meant.
fn unequal_work(experiment: &ExperimentSummary) -> Option<String> {
    if experiment.engine_trials > 0 {
        return None;
    }
    let by_budget = unequal(experiment, &WORK, |budget| !budget.contains("time="));
    let two = (experiment.players.len() == 2 && !experiment.is_timed())
        .then(|| ratio_in_words(&experiment.players.iter(), &WORK[1..]));
    by_budget.or_else(|| Some(two??.1))
}

/// The sentence on players with the same budget of which one took longer, on this machine.
pub(super) fn unequal_time(experiment: &ExperimentSummary) -> Option<String> {
    unequal(experiment, &TIME, |_| true)
}

fn stopped(experiment: &ExperimentSummary, stopping: &StoppingSummary) -> String {
    let StoppingSummary { rule, decision, at_most, by_hand, .. } = stopping;
    let at_most = instances(*at_most, experiment.paired, experiment.meetings.len());
    let end = |end: Option<f64>| end.map_or_else(|| "–".into(), |end| decimals(end, 1));
    let figure = match &stopping.test {
        Some(TestSummary::Sprt { unbiased_elo: Some(elo), normalized, .. }) => {
            let normalized = if *normalized { "normalised " } else { "" };
            let [value, low, high] = [elo.value, elo.low, elo.high].map(end);
            format!("; {normalized}Elo {value} [{low}, {high}] ({})", elo.method)
        }
        Some(TestSummary::Difference { p, .. }) => format!("; anytime p {}", p_value(*p)),
        Some(TestSummary::Sprt { unbiased_elo: None, .. }) | None => String::new(),
    };
    let played = with_thousands(stopping.instances);
    if *by_hand {
        return format!(
            "You stopped the match after {played} of {at_most}, so its intervals hold at any time, and there is no test."
        );
    }
    match decision {
        Some(decision) => {
            format!("Decided after {played} of at most {at_most}: {decision}{figure}. Rule: {rule}.")
        }
        None => format!("No decision within {at_most}{figure}. Rule: {rule}."),
    }
}

fn alone(experiment: &ExperimentSummary) -> Option<String> {
    let player = experiment.players.first().filter(|player| player.trials > 0)?;
    let (measure, Estimate { value, low, high, .. }) = (Measure::of(experiment), player.result());
    let digits = measure.digits();
    let figure = format!("{} {}", decimals(value, digits), brackets(low, high, digits));
    Some(match measure.counts {
        Counts::Score => format!("{} has {}.", player.name, measure.with_unit(&figure)),
        _ => format!("{} solves a share of {figure} of the deals.", player.name),
    })
}

/// The verdict where no two players differ significantly. A primary comparison has its own sentence.
fn undecided(experiment: &ExperimentSummary, contrasts: &[&Contrast<'_>]) -> String {
    let corrected = contrasts.iter().filter(|contrast| !contrast.tested.primary);
    let closest = corrected.min_by(|a, b| a.tested.corrected_p.total_cmp(&b.tested.corrected_p));
    let Some(closest) = closest else {
        return "No significant difference between any two players.".into();
    };
    let has_primary = contrasts.iter().any(|contrast| contrast.tested.primary);
    format!(
        "No significant difference between any two players (smallest Holm-corrected p of {} comparisons: {}{}). Between {} \
         and {}: {}",
        experiment.family,
        p_value(closest.tested.corrected_p),
        if has_primary { "; primary comparisons are not corrected" } else { "" },
        closest.names[0],
        closest.names[1],
        closest.enough()
    )
}

/// The verdict on players that were all compared with each other.
fn ranking(experiment: &ExperimentSummary, contrasts: &[&Contrast<'_>]) -> String {
    if contrasts.len() == 1 {
        return contrasts[0].sentence();
    }
    if !contrasts.iter().any(|contrast| contrast.is_significant()) {
        return undecided(experiment, contrasts);
    }
    let mut order: Vec<usize> = (0..experiment.players.len()).collect();
    let success = |player: usize| experiment.players[player].result().value;
    order.sort_by(|&a, &b| success(b).total_cmp(&success(a)));
    let best = order[0];
    let own: Vec<Contrast<'_>> = contrasts
        .iter()
        .filter(|contrast| contrast.players.contains(&best))
        .map(|contrast| if contrast.players[0] == best { **contrast } else { contrast.turned() })
        .collect();
    let with = |wanted: &dyn Fn(&Contrast<'_>) -> bool| -> Vec<&str> {
        own.iter().filter(|contrast| wanted(contrast)).map(|contrast| contrast.names[1]).collect()
    };
    let is_ahead = |c: &Contrast<'_>| c.is_significant() && c.estimate.value > c.even();
    let ahead = with(&is_ahead);
    let behind = with(&|c| c.is_significant() && c.estimate.value < c.even());
    let open = with(&|c| !c.is_significant());
    let name = &experiment.players[best].name;
    if ahead.len() == own.len() && own.len() + 1 == experiment.players.len() {
        let next = own.iter().find(|contrast| contrast.players[1] == order[1]).unwrap_or(&own[0]);
        // A primary comparison has a sentence of its own.
        let evidence = (!next.tested.primary)
            .then(|| format!(" It leads the second, {}, {}.", next.names[1], next.evidence()));
        return format!("{name} is first, ahead of every other player.{}", evidence.unwrap_or_default());
    }
    let what = Measure::of(experiment).most();
    let equal: Vec<&str> = order
        .iter()
        .take_while(|&&player| success(player) == success(best))
        .map(|&player| experiment.players[player].name.as_str())
        .collect();
    let (has, it) = if equal.len() > 1 { ("have equally", name.as_str()) } else { ("has", "it") };
    let mut parts = vec![format!("{} {has} the {what}", list(&equal))];
    if !ahead.is_empty() {
        parts.push(format!("{it} is ahead of {}", list(&ahead)));
    }
    if !open.is_empty() {
        parts.push(format!("{it} does not differ significantly from {}", list(&open)));
    }
    if !behind.is_empty() {
        parts.push(format!("{it} is behind {}", list(&behind)));
    }
    let primary: Vec<&str> = with(&|contrast| contrast.tested.primary);
    let level = level(experiment, &primary);
    let verdict = format!("{} ({level}).", parts.join("; "));
    // The closest rival.
    match order.iter().find_map(|&rival| own.iter().find(|c| c.players[1] == rival && !c.is_significant())) {
        Some(rival) if !rival.tested.primary => {
            format!("{verdict} Against {}: {}", rival.names[1], rival.enough())
        }
        _ => verdict,
    }
}

/// The verdicts on a gauntlet, in which every challenger plays the baselines only.
fn gauntlet(experiment: &ExperimentSummary, contrasts: &[&Contrast<'_>]) -> Vec<String> {
    // The first player of a meeting that is not primary is the challenger.
    let mut baselines: Vec<usize> = contrasts.iter().map(|contrast| contrast.players[1]).collect();
    baselines.sort_unstable();
    baselines.dedup();
    let sentence = |&baseline: &usize| {
        let of_it: Vec<&&Contrast<'_>> =
            contrasts.iter().filter(|contrast| contrast.players[1] == baseline).collect();
        if let [only] = of_it[..] {
            return only.sentence();
        }
        let with = |wanted: &dyn Fn(&Contrast<'_>) -> bool| -> Vec<&str> {
            of_it.iter().filter(|contrast| wanted(contrast)).map(|contrast| contrast.names[0]).collect()
        };
        let groups = [
            ("ahead", with(&|c| c.is_significant() && c.estimate.value > 0.5)),
            ("no significant difference", with(&|c| !c.is_significant())),
            ("behind", with(&|c| c.is_significant() && c.estimate.value < 0.5)),
        ];
        let words = groups.iter().filter(|(_, names)| !names.is_empty());
        let words: Vec<String> = words.map(|(word, names)| format!("{word}: {}", list(names))).collect();
        let name = &experiment.players[baseline].name;
        format!("Against {name}: {} ({}).", words.join("; "), level(experiment, &[]))
    };
    baselines.iter().map(sentence).collect()
}

fn level(experiment: &ExperimentSummary, primary: &[&str]) -> String {
    let corrected = format!("Holm-corrected p ≤ {ALPHA} among {}", experiment.family);
    match primary {
        [] => corrected,
        _ => format!("{corrected}; primary and not corrected: {}", list(primary)),
    }
}

/// Names in a sentence: the first few, and how many more.
pub(super) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).into(),
        _ if names.len() <= NAMES => {
            let (last, rest) = names.split_last().expect("there are some");
            format!("{} and {last}", rest.join(", "))
        }
        _ => format!("{} and {} more", names[..NAMES].join(", "), names.len() - NAMES),
    }
}

/// The sentence about the axes whose best value is at an edge, if there are some. Axes of words have no edge.
fn edges(experiment: &ExperimentSummary) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let swept = experiment.players.iter().filter(|player| !player.swept.is_empty());
    for name in swept.map(stem) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let found: Vec<String> = names.iter().flat_map(|name| edges_of(experiment, name)).collect();
    (!found.is_empty()).then(|| {
        format!(
            "The best value is at the edge of its sweep, and a better one may lie beyond: {}.",
            found.join(", ")
        )
    })
}

/// The name of a player without its swept values.
fn stem(player: &PlayerSummary) -> &str {
    let shorter = |name: &'_ str, (axis, value): &(String, String)| {
        name.strip_suffix(&format!(" {axis}={value}")).map_or(name.len(), str::len)
    };
    player.swept.iter().rev().fold(&player.name, |name, choice| &name[..shorter(name, choice)])
}

fn edges_of(experiment: &ExperimentSummary, name: &str) -> Vec<String> {
    let of_sweep =
        || experiment.players.iter().filter(|player| !player.swept.is_empty() && stem(player) == name);
    let result = |player: &PlayerSummary| player.result().value;
    let Some(best) = of_sweep().reduce(|best, other| if result(other) > result(best) { other } else { best })
    else {
        return Vec::new();
    };
    let edge = |(index, (axis, text)): (usize, &(String, String))| {
        let is_beside = |other: &&PlayerSummary| {
            let pairs = || best.swept.iter().zip(&other.swept).enumerate();
            other.swept.len() == best.swept.len()
                && pairs().all(|(at, (a, b))| a.0 == b.0 && (at == index || a.1 == b.1))
        };
        let beside: Vec<&PlayerSummary> = of_sweep().filter(is_beside).collect();
        let number = |player: &&PlayerSummary| player.swept[index].1.parse::<f64>().ok();
        let values: Vec<f64> = beside.iter().map(number).collect::<Option<_>>()?;
        let (low, high) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
        let chosen: f64 = text.parse().ok()?;
        let differs = beside.iter().any(|player| result(player) < result(best));
        (differs && (chosen == low || chosen == high))
            .then(|| format!("{axis}={text} of {name} (from {low} to {high})"))
    };
    best.swept.iter().enumerate().filter_map(edge).collect()
}

/// The warning about a match that repeats one game from either seat, with its advice.
pub(super) const REPEATED: &str = "both players are deterministic, so all repetitions are two games, one from either seat, and no further \
     evidence; for different games give the pairs openings, such as --openings 4, or let a player choose randomly \
     among equal moves, as in minimax(depth=2,ties=random).";

/// Whether each meeting repeats one game from either seat.
pub(super) fn is_repeated(experiment: &ExperimentSummary) -> bool {
    !experiment.meetings.is_empty() && experiment.meetings.iter().all(|meeting| meeting.repeated)
}

fn sentence_of_repeated(experiment: &ExperimentSummary) -> String {
    let meetings = experiment.meetings.len() as u64;
    let times = with_thousands(experiment.games / (2 * meetings));
    let of_each = if meetings > 1 { "in each meeting " } else { "" };
    format!("No estimates: {of_each}the same game was played {times} times from either seat.")
}
