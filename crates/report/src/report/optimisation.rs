//! The report of an optimisation: how good its best candidate is, in games that chose it and in games that did not.

use super::caution::{Caution, lines};
use super::document::Block;
use super::effects::{interactions, main_effects};
use super::numbers::{counted, decimals, interval, long_duration, rate};
use super::table::{Cell, Column, Table, column, columns, estimate, if_any, number, number_of, when};
use crate::experiment::{
    Counts, OptimisationRunSummary, OptimisationSummary, SURVIVAL, Setting, Took, WarningKind,
};
use crate::stats::Estimate;

/// The largest number of runs of a table; of more, the best.
const MOST: usize = 12;

/// The largest number of runs below a table of effects.
const MOST_BELOW_EFFECTS: usize = 5;

const DIGITS: usize = 3;

/// The gap between seen and independent points or success above which there is a warning; of a score it is half of the interval.
const LARGE_GAP: f64 = 0.05;

/// The blocks of an optimisation; the `whole` report shows all runs, and what each took.
pub(super) fn optimisation(of: &OptimisationSummary, whole: bool) -> Vec<Block> {
    let runs = match of.runs.len() {
        1 => String::new(),
        count => format!(" · {}", counted(count as u64, "run")),
    };
    let mut blocks = vec![Block::Heading(format!("{} · {} · optimisation{runs}", of.name, of.game))];
    let mut sentences = verdict(of);
    if !of.is_complete() {
        let left = of.runs.iter().filter(|run| !run.complete).count() as u64;
        let runs = if left == 1 { "1 run has".into() } else { format!("{left} runs have") };
        sentences.insert(0, format!("{runs} not ended yet."));
    }
    blocks.push(Block::Notes(sentences));
    if let Some(effects) = &of.effects {
        blocks.extend(main_effects(effects, DIGITS));
        blocks.extend(whole.then(|| interactions(effects, DIGITS)).into_iter().flatten());
    }
    let mut notes = vec![legend(of)];
    notes.extend(raced(of));
    notes.extend(lines(cautions(of)).into_iter().chain(without_judge(of)));
    let settings = of.settings();
    if !settings.is_empty() {
        blocks.push(Block::Table(settings_table(&settings)));
        blocks.push(Block::Notes(vec![
            "Means over the seeds, with 95 % intervals of Student's t. Each run is one observation.".into(),
        ]));
        if !whole {
            blocks.push(Block::Notes(notes));
            blocks.extend(time(of.took, "game", whole));
            return blocks;
        }
    }
    let mut shown: Vec<&OptimisationRunSummary> = of.runs.iter().collect();
    if !whole && shown.len() > MOST {
        shown.sort_by(|a, b| b.held_out().total_cmp(&a.held_out()));
        shown.truncate(if of.effects.is_some() { MOST_BELOW_EFFECTS } else { MOST });
    }
    blocks.push(Block::Table(table(of, &shown)));
    if shown.len() < of.runs.len() {
        notes.insert(0, format!("The best {} of {} runs; all are in runs.csv.", shown.len(), of.runs.len()));
    }
    blocks.push(Block::Notes(notes));
    blocks.extend(whole.then(|| descent(of)).into_iter().flatten());
    blocks.extend(time(of.took, "game", whole));
    blocks.extend(times(of).filter(|_| whole));
    blocks
}

/// The time of a training or an optimisation; a dash in a `whole` report if that was not recorded, as by older builds.
pub(super) fn time(took: Option<Took>, unit: &str, whole: bool) -> Option<Block> {
    let line = |sentence| Block::OfThisRun(vec![Block::Notes(vec![sentence])]);
    let Some(took) = took else { return whole.then(|| line("Time: –.".into())) };
    let [wall, cpu] = [took.wall_ns, took.cpu_ns].map(|ns| long_duration(ns as f64 / 1e9));
    let (count, per_s) = (counted(took.count, unit), rate(took.per_s()));
    Some(line(format!("Time: {wall} for {count}, {per_s} a second; processor time {cpu}.")))
}

/// The time of each run, if it was recorded of any.
fn times(of: &OptimisationSummary) -> Option<Block> {
    let seconds = |took: Option<Took>| Some([long_duration(took?.wall_ns as f64 / 1e9).into()]);
    let a_generation = |run: &OptimisationRunSummary| {
        Some([long_duration(run.took?.wall_ns as f64 / 1e9 / run.generations.max(1) as f64).into()])
    };
    let table = Table::of(
        &of.runs,
        [
            column("<run", &|run| run.name.clone()),
            columns([">time"], &|run| seconds(run.took)),
            columns([">a generation"], &a_generation),
            columns([">the longest"], &|run| seconds(run.longest)),
            columns([">processor time"], &|run| Some([long_duration(run.took?.cpu_ns as f64 / 1e9).into()])),
            columns([">games a second"], &|run| Some([rate(run.took?.per_s()).into()])),
        ],
    );
    let is_timed = of.runs.iter().any(|run| run.took.is_some());
    is_timed.then(|| Block::OfThisRun(vec![table.into()]))
}

fn settings_table(settings: &[Setting]) -> Table {
    Table::of(
        settings,
        [
            column("<setting", &|of| of.name.clone()),
            column(">seeds", &|of| of.seeds.to_string()),
            if_any(number("?>seen", DIGITS, &|of| Some(of.seen?.value))),
            if_any(estimate(">again", DIGITS, &|of| of.again)),
            if_any(estimate(">judge", DIGITS, &|of| of.judge)),
            if_any(number("?>heredity", 2, &|of| of.heredity)),
            if_any(number("?>kept again", 2, &|of| of.survivors)),
        ],
    )
}

/// The heredity of each run, of methods that select parents.
fn descent(of: &OptimisationSummary) -> Vec<Block> {
    let is_known = |run: &&OptimisationRunSummary| run.heredity.is_some() || run.survivors.is_some();
    let runs: Vec<_> = of.runs.iter().filter(is_known).collect();
    if runs.is_empty() {
        return Vec::new();
    }
    let table = Table::of(
        &runs,
        [
            column("<run", &|run| run.name.clone()),
            number(">heredity", 2, &|run| run.heredity),
            number(">kept and selected again", 2, &|run| run.survivors),
        ],
    );
    let note = "Heredity: the correlation of the mean of a gene over the selected candidates with that over their children, over \
                all genes and generations. Kept and selected again: how many of the kept candidates stay unchanged and are \
                selected again, on average of a generation.";
    vec![table.into(), Block::Notes(vec![note.into()])]
}

/// The result that counts, in words that follow a figure.
pub(super) fn result(of: &OptimisationSummary) -> String {
    match of.counts() {
        Counts::Points => "points a game".into(),
        Counts::Success => "success".into(),
        Counts::Score => format!("{} a game", of.margin_unit),
    }
}

const AGAINST_THE_JUDGE: &str = "against the judge, an opponent not used in the fitness";

fn figure(estimate: &Estimate) -> String {
    format!("{} {}", decimals(estimate.value, DIGITS), interval(estimate, DIGITS))
}

fn biased(several: &str) -> String {
    format!(
        "The best of several {several} is chosen by its result, so this figure is biased upwards a little."
    )
}

fn verdict_of_settings(of: &OptimisationSummary, settings: &[Setting]) -> Option<Vec<String>> {
    let best = settings.iter().max_by(|a, b| a.held_out().total_cmp(&b.held_out()))?;
    let games = if best.judge.is_some() { AGAINST_THE_JUDGE } else { "in new games" };
    let found = figure(&best.judge.or(best.again)?);
    let name = if settings.len() == 1 {
        "The candidate".into()
    } else {
        format!("The best setting is {}: its candidate", best.name)
    };
    let seeds = best.seeds;
    let mut sentences =
        vec![format!("{name} has {found} {} {games}, on average over {seeds} seeds.", result(of))];
    sentences.extend((settings.len() > 1).then(|| biased("settings")));
    Some(sentences)
}

fn verdict(of: &OptimisationSummary) -> Vec<String> {
    if let Some(words) = alike(of).filter(|_| of.runs.iter().all(|run| run.alike)) {
        return vec![words.replacen("all", "All", 1)];
    }
    if let Some(sentences) = verdict_of_settings(of, &of.settings()) {
        return sentences;
    }
    let best = of.runs.iter().filter(|run| run.complete).max_by(|a, b| a.held_out().total_cmp(&b.held_out()));
    let Some(best) = best else { return Vec::new() };
    let name = if of.runs.len() == 1 {
        "The best candidate".into()
    } else {
        format!("The best run is {}: its candidate", best.name)
    };
    let what = result(of);
    let mut sentences = vec![match (&best.judge, &best.again) {
        (Some(judge), _) => format!("{name} has {} {what} {AGAINST_THE_JUDGE}.", figure(judge)),
        (None, Some(again)) => {
            format!("{name} has {} {what} in new games against the opponents of the fitness.", figure(again))
        }
        (None, None) => format!(
            "{name} was compared with other candidates only; let an experiment test it, or name a `judge`."
        ),
    }];
    sentences.extend((of.runs.len() > 1 && best.judge.is_some()).then(|| biased("runs")));
    if !best.best.is_empty() {
        let values: Vec<String> = best.best.iter().map(|(gene, value)| format!("{gene} {value}")).collect();
        sentences.push(format!("Its values: {}.", values.join(", ")));
    }
    sentences
}

fn table(of: &OptimisationSummary, runs: &[&OptimisationRunSummary]) -> Table {
    let fitness = format!("?>best fitness ({})", of.measure);
    let best = if_any(number(&fitness, 2, &|run: &&OptimisationRunSummary| run.best_fitness));
    let [name, generations, games, seen, again, judge] = of_run();
    let best = when(!of.is_fitness_the_result(), best);
    Table::of(runs, [name, generations, games, best, seen, again, judge])
}

/// The results of a run.
pub(super) fn of_run<'c>() -> [Column<'c, &'c OptimisationRunSummary>; 6] {
    [
        column("<run", &|run| run.name.clone()),
        column(">generations", &|run| number_of(run.generations)),
        column("?>games", &|run| number_of(run.games)),
        if_any(columns([">seen", "?>mean seen"], &|run| {
            run.seen.or(run.mean)?;
            Some([run.seen, run.mean].map(|seen| {
                let text = decimals(seen.unwrap_or(f64::NAN), 3);
                seen.map_or_else(|| text.clone().into(), |seen| Cell::figure(seen, "", &text))
            }))
        })),
        if_any(estimate(">again", DIGITS, &|run| run.again)),
        if_any(estimate(">judge", DIGITS, &|run| run.judge)),
    ]
}

fn legend(of: &OptimisationSummary) -> String {
    let what = result(of);
    if of.measure == SURVIVAL {
        return format!(
            "The best candidate won its meetings in the knockout of the last generation, which says who stays there and not \
             how strong it is. Judge: its {what} against opponents not used in the fitness."
        );
    }
    let opponents = match of.anew {
        None => "the same opponents",
        Some(all) if all == of.runs.len() => "opponents drawn anew",
        Some(_) => "the same opponents, or opponents drawn anew with `anew`",
    };
    format!(
        "All in {what}. Seen: the best candidate of the last generation, in the games that chose it, so biased upwards; mean \
         seen: all candidates of it. Again: the method's best in new games against {opponents}. Judge: against opponents not \
         used in the fitness."
    )
}

/// The games that racing saved, on average over the runs.
fn raced(of: &OptimisationSummary) -> Option<String> {
    let raced: Vec<[f64; 2]> = of.runs.iter().filter_map(|run| run.raced).collect();
    let mean = |index: usize| {
        let mean = raced.iter().map(|shares| shares[index]).sum::<f64>() / raced.len() as f64;
        decimals(100.0 * mean, 0)
    };
    (!raced.is_empty()).then(|| {
        format!(
            "Racing: {} % of the candidates left their generation early, which saved {} % of the games. The fitness of one that \
             left is of fewer games.",
            mean(0),
            mean(1)
        )
    })
}

/// A sentence about runs in which no candidate did better than another.
fn alike(of: &OptimisationSummary) -> Option<String> {
    let alike = of.runs.iter().filter(|run| run.alike).count();
    let of_runs =
        if of.runs.len() == 1 { String::new() } else { format!(" of {alike} of {} runs", of.runs.len()) };
    (alike > 0).then(|| {
        format!(
            "all candidates of each generation{of_runs} did equally well, so no gene was chosen by its results, and no candidate \
             is the best; see whether the genes change what is played, or give the fitness more games."
        )
    })
}

pub(super) fn cautions(of: &OptimisationSummary) -> Vec<Caution> {
    let mut cautions = Vec::new();
    let complete = || of.runs.iter().filter(|run| run.complete);
    let gap = |run: &OptimisationRunSummary| {
        let again = run.again?;
        Some([run.gap()?, if of.scored { again.value - again.low } else { LARGE_GAP }])
    };
    let gaps: Vec<[f64; 2]> = complete().filter_map(gap).collect();
    let [mean, large] =
        [0, 1].map(|of| gaps.iter().map(|gap| gap[of]).sum::<f64>() / gaps.len().max(1) as f64);
    if complete().any(|run| run.one_stream) {
        let words = "every game had the same luck (`luck = \"one-stream\"`), so candidates learn one game by heart; choose \
                     \"fresh\" or \"common\".";
        cautions.push(Caution::new(WarningKind::OneStream, words));
    }
    let is_mixed = of.runs.iter().any(|run| !run.alike);
    let alike = alike(of).filter(|_| is_mixed);
    cautions.extend(alike.map(|words| Caution::new(WarningKind::AlikeCandidates, words)));
    if mean > large {
        let of_runs =
            if gaps.len() == 1 { String::new() } else { format!(", on average over {} runs", gaps.len()) };
        let words = format!(
            "in new games the best candidate scored {} less{of_runs}: the fitness overestimates it.",
            decimals(mean, 3)
        );
        cautions.push(Caution::new(WarningKind::LargeGap, words));
    }
    cautions
}

fn without_judge(of: &OptimisationSummary) -> Option<String> {
    of.runs.iter().all(|run| run.judge_units.is_none()).then(|| {
        "Note: there is no `judge`, so nothing says how the best candidate does against players that it was not chosen by."
            .into()
    })
}
