//! `shikou plan`: what a manifest asks for, before it is played.

use std::time::Duration;

use serde::Serialize;

use super::arguments::PlanArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Cell, Design, Experiment, Manifest, Pilot, Plan, Trial};
use crate::players::Registry;
use crate::report::{Table, counted, duration, with_thousands};
use crate::stats::{Confidence, detectable_paired_difference};

const SCHEMA: u32 = 1;

/// The names of how many trials of each cell are shown.
const FIRST: u64 = 2;

#[derive(Serialize)]
struct PlanView {
    question: Option<String>,
    source: Option<String>,
    experiments: Vec<ExperimentView>,
    trials: u64,
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot: Option<PilotView>,
}

#[derive(Serialize)]
struct ExperimentView {
    name: String,
    game: String,
    design: &'static str,
    /// What the openings are, in words; none for a solitaire, and where games begin at the start.
    openings: Option<String>,
    trials_per_cell: u64,
    games_per_trial: u64,
    trials: u64,
    games: u64,
    primary: Vec<[String; 2]>,
    /// When it stops before, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopping: Option<String>,
    detectable: Detectable,
    cells: Vec<CellView>,
}

/// The smallest differences that the design tells apart with probability 0.8 at the level 0.05, uncorrected, by how
/// many instances differ in their results.
#[derive(Serialize)]
struct Detectable {
    power: f64,
    level: f64,
    differences: Vec<DetectableDifference>,
}

#[derive(Serialize)]
struct DetectableDifference {
    /// The share of instances whose results differ: deals that just one of two players solves, or pairs of games that
    /// one side wins as a whole.
    differing: f64,
    /// In success rate, or in points a game from ½. None where not even the largest difference would be seen.
    difference: Option<f64>,
}

/// The probability of seeing a difference for which plans are made.
const POWER: f64 = 0.8;

/// Shares of instances whose results differ, for which plans are made.
const DIFFERING: [f64; 3] = [0.1, 0.3, 0.5];

fn detectable(instances: u64, pairs: bool) -> Detectable {
    // A pair that one side wins as a whole is half a point a game from even.
    let scale = if pairs { 0.5 } else { 1.0 };
    let confidence = Confidence::default_level();
    let difference = |differing: f64| DetectableDifference {
        differing,
        difference: detectable_paired_difference(instances, differing, POWER, confidence).map(|d| scale * d),
    };
    let differences = DIFFERING.map(difference).into();
    Detectable { power: POWER, level: confidence.alpha(), differences }
}

#[derive(Serialize)]
struct CellView {
    players: Vec<String>,
    /// The names of the first trials.
    first_trials: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot_trials: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trial_seconds: Option<f64>,
}

#[derive(Serialize)]
struct PilotView {
    threads: usize,
    trials: u64,
    /// Cells that played no trial, so that `seconds` lacks their time.
    unmeasured_cells: usize,
    /// The time that the whole will take on as many threads.
    seconds: f64,
}

pub(super) fn plan(registry: &Registry, arguments: &PlanArguments) -> Result<(), Failure> {
    let manifest = Manifest::read(&arguments.manifest, registry)?;
    let plan = Plan::new(&manifest);
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let pilot = arguments.pilot.map(|seconds| Pilot::play(&plan, threads, Duration::from_secs(seconds)));
    let view = view(&plan, pilot.as_ref());
    if arguments.json { print_json("plan", SCHEMA, view) } else { print(words(&view)) }
}

fn view(plan: &Plan<'_>, pilot: Option<&Pilot>) -> PlanView {
    let manifest = plan.manifest;
    let experiments: Vec<ExperimentView> =
        (0..manifest.experiments.len()).map(|index| experiment_view(plan, index, pilot)).collect();
    PlanView {
        question: manifest.question.clone(),
        source: manifest.source.clone(),
        trials: plan.len(),
        games: experiments.iter().map(|experiment| experiment.games).sum(),
        experiments,
        pilot: pilot.map(|pilot| PilotView {
            threads: pilot.threads,
            trials: pilot.trials(),
            unmeasured_cells: pilot.unmeasured(),
            seconds: pilot.whole(plan).as_secs_f64(),
        }),
    }
}

fn experiment_view(plan: &Plan<'_>, index: usize, pilot: Option<&Pilot>) -> ExperimentView {
    let experiment = &plan.manifest.experiments[index];
    let name = |player: usize| experiment.players[player].name.clone();
    let cell = |(number, cell): (usize, &Cell)| {
        let id = |instance| plan.id(&Trial { experiment: index, instance, cell: number }).to_string();
        let time = pilot.map(|pilot| pilot.cells[index][number]);
        CellView {
            players: cell.players.iter().map(|&player| name(player)).collect(),
            first_trials: (0..experiment.trials.min(FIRST)).map(id).collect(),
            pilot_trials: time.map(|time| time.trials),
            trial_seconds: time.and_then(|time| time.mean()).map(|mean| mean.as_secs_f64()),
        }
    };
    let cells: Vec<CellView> = plan.cells[index].iter().enumerate().map(cell).collect();
    let games_per_trial = plan.cells[index].first().map_or(1, |cell| cell.seatings().len() as u64);
    let trials = experiment.trials * cells.len() as u64;
    ExperimentView {
        name: experiment.name.clone(),
        game: experiment.game.spec().to_string(),
        design: design(experiment),
        openings: experiment.openings.words(),
        trials_per_cell: experiment.trials,
        games_per_trial,
        trials,
        games: trials * games_per_trial,
        primary: experiment.primary.iter().map(|&[a, b]| [name(a), name(b)]).collect(),
        stopping: experiment.stopping.as_ref().map(|rule| rule.words(experiment)),
        detectable: detectable(experiment.trials, games_per_trial == 2),
        cells,
    }
}

fn design(experiment: &Experiment) -> &'static str {
    match experiment.design {
        Design::Solo => "solo",
        Design::Match => "match",
        Design::RoundRobin => "round-robin",
        Design::Gauntlet { .. } => "gauntlet",
    }
}

fn words(view: &PlanView) -> String {
    let mut parts = Vec::new();
    if let Some(question) = &view.question {
        parts.push(format!("Question: {}", question.trim()));
    }
    parts
        .extend(view.experiments.iter().map(|experiment| experiment_words(experiment, view.pilot.is_some())));
    let cells: usize = view.experiments.iter().map(|experiment| experiment.cells.len()).sum();
    parts.push(format!(
        "In all {}, {}, {}.{}",
        counted(cells as u64, "cell"),
        counted(view.trials, "trial"),
        counted(view.games, "game"),
        view.pilot.as_ref().map_or_else(String::new, pilot_words),
    ));
    parts.join("\n\n")
}

fn pilot_words(pilot: &PilotView) -> String {
    let more = match pilot.unmeasured_cells as u64 {
        0 => ".".to_owned(),
        cells => format!(
            ",\nand {} more, of which it played no trial: give it more time, as in --pilot=60.",
            counted(cells, "cell")
        ),
    };
    format!(
        "\nThe pilot played {} on {}; the whole will take about {}{more}",
        counted(pilot.trials, "trial"),
        counted(pilot.threads as u64, "thread"),
        long(pilot.seconds),
    )
}

fn experiment_words(experiment: &ExperimentView, piloted: bool) -> String {
    let game =
        if experiment.name == experiment.game { String::new() } else { format!(" · {}", experiment.game) };
    let pairs = experiment.games_per_trial == 2;
    let unit = if pairs { "pair" } else { "deal" };
    let begin = match &experiment.openings {
        None => String::new(),
        Some(openings) => format!(", each from one opening {openings}"),
    };
    let mut headings = vec!["<player"];
    if pairs {
        headings.push("<against");
    }
    headings.push("<first trials");
    if piloted {
        headings.extend(["<│", ">piloted", ">a trial", ">all on one thread"]);
    }
    let mut table = Table::new(&headings);
    for cell in &experiment.cells {
        let mut row = cell.players.clone();
        row.push(cell.first_trials.join(" "));
        if let Some(piloted) = cell.pilot_trials {
            row.extend(["│".into(), with_thousands(piloted)]);
            let seconds = cell.trial_seconds;
            row.push(seconds.map_or_else(|| "–".into(), |seconds| duration((seconds * 1e9) as u64)));
            let all = |seconds: f64| long(seconds * experiment.trials_per_cell as f64);
            row.push(seconds.map_or_else(|| "–".into(), all));
        }
        table.row(row);
    }
    let primary = experiment.primary.iter().map(|[a, b]| format!("\nPrimary: {a} against {b}"));
    let at_most = if experiment.stopping.is_some() { "at most " } else { "" };
    let stopping = experiment.stopping.iter().map(|rule| format!("\nStops: {rule}"));
    format!(
        "{}{game} · {} · {} of {at_most}{}{begin}: {}, {}\n\n{table}{}{}{}",
        experiment.name,
        experiment.design,
        counted(experiment.cells.len() as u64, "cell"),
        counted(experiment.trials_per_cell, unit),
        counted(experiment.trials, "trial"),
        counted(experiment.games, "game"),
        primary.collect::<String>(),
        stopping.collect::<String>(),
        if experiment.compares() { detectable_words(experiment, unit) } else { String::new() },
    )
}

impl ExperimentView {
    /// Whether there is something to compare.
    fn compares(&self) -> bool {
        self.games_per_trial == 2 || self.cells.len() > 1
    }
}

/// What a comparison of two players can see.
fn detectable_words(experiment: &ExperimentView, unit: &str) -> String {
    let of = if experiment.games_per_trial == 2 { "points a game from even" } else { "success rate" };
    let differences = experiment.detectable.differences.iter().map(|of_share| {
        let difference = of_share.difference.map_or_else(|| "none".into(), |d| format!("{d:.3}"));
        format!("{difference} if {:.0} %", 100.0 * of_share.differing)
    });
    let (differences, power) = (differences.collect::<Vec<_>>().join(", "), experiment.detectable.power);
    format!(
        "\nTells two players apart with probability {power} (McNemar's test at {:.2}, uncorrected) who differ by\n\
         {differences} of the {unit}s differ in result, in {of}",
        experiment.detectable.level
    )
}

/// A time as people say it: `3 h 20 min`, `41 s`.
fn long(seconds: f64) -> String {
    if seconds < 60.0 {
        return duration((seconds * 1e9) as u64);
    }
    let minutes = (seconds / 60.0).round() as u64;
    match (minutes / (24 * 60), minutes / 60 % 24, minutes % 60) {
        (0, 0, _) => format!("{} min {} s", seconds as u64 / 60, seconds as u64 % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{} d {hours} h", with_thousands(days)),
    }
}
