//! `shikou plan`: the cells, trials and games of a manifest.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::groups::{OutputArguments, ThreadsArguments};
use super::optimise::{optimisation_table, training_table, waiting_block};
use super::output::tell;
use crate::experiment::{
    CellTime, ExperimentOutline, Manifest, OptimisationOutline, Optimised, Outline, Pilot, Plan,
    TrainingSummary,
};
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, duration, long_duration, with_thousands};
use crate::stats::{Confidence, detectable_paired_difference};

const SCHEMA: u32 = 2;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou plan experiments/tour.toml
  shikou plan experiments/tour.toml --pilot=20 --threads 2

A pilot plays the first trials of every cell in turn and discards their results. It begins none
after its time, and abandons those that take as long again: their time is then more than shown.")]
pub(super) struct PlanArguments {
    /// The manifest, a TOML file
    manifest: PathBuf,
    /// Play a few trials of every cell for this many seconds, and estimate the total run time [default: 5]
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        value_parser = clap::value_parser!(u64).range(1..=86_400)
    )]
    pilot: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// The [outline](crate::experiment::Outline) of the plan, with its power and the measurements of the pilot.
#[derive(Serialize)]
struct PlanView {
    question: Option<String>,
    source: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trainings: Vec<TrainingSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    optimisations: Vec<OptimisationOutline>,
    experiments: Vec<ExperimentView>,
    /// The experiments that wait for the result of an optimisation, with its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<(String, String)>,
    trials: u64,
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot: Option<PilotView>,
}

#[derive(Serialize)]
struct ExperimentView {
    #[serde(flatten)]
    outline: ExperimentOutline,
    /// None with a stopping rule, which has a test of its own.
    detectable: Option<Detectable>,
    /// The measurements of the pilot for each cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    piloted: Vec<PilotedCell>,
}

/// The smallest differences that the design finds with power 0.8 at the level 0.05, uncorrected, by the share of instances
/// with different results.
#[derive(Serialize)]
struct Detectable {
    power: f64,
    level: f64,
    differences: Vec<DetectableDifference>,
}

#[derive(Serialize)]
struct DetectableDifference {
    /// The share of instances with different results: deals that only one of two players solves, or pairs of games that
    /// one side wins as a whole.
    differing: f64,
    /// In success rate, or in points a game from ½. None if even the largest difference is too small.
    difference: Option<f64>,
}

/// The power of a plan.
const POWER: f64 = 0.8;

/// The shares of instances with different results that a plan shows.
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
struct PilotedCell {
    trials: u64,
    trial_seconds: Option<f64>,
    /// Whether a trial was abandoned, so that the time is a lower bound.
    at_least: bool,
}

#[derive(Serialize)]
struct PilotView {
    threads: usize,
    trials: u64,
    /// The number of cells of whose time nothing is known, and which `seconds` lacks.
    unmeasured_cells: usize,
    /// The number of cells of whose time only a lower bound is known.
    abandoned_cells: usize,
    /// The estimated total run time on these threads.
    seconds: f64,
}

pub(super) fn plan(registry: &Registry, arguments: &PlanArguments) -> Result<(), CommandError> {
    let manifest = Manifest::read(&arguments.manifest, registry)?;
    if let Some(warning) = manifest.misread_names() {
        tell(format_args!("warning: {warning}"));
    }
    manifest.advice().into_iter().for_each(tell);
    let trainings = manifest.trainings().map(|training| TrainingSummary::new(training, None)).collect();
    let optimisations = manifest.optimisations().map(|of| OptimisationOutline::new(of, None)).collect();
    let plan = Plan::new(&Optimised::default().finish(manifest))?;
    let threads = arguments.threads.count();
    let pilot = arguments.pilot.map(|seconds| Pilot::play(&plan, threads, Duration::from_secs(seconds)));
    let pilot = pilot.transpose().map_err(|error| CommandError::no_threads(threads, &error))?;
    let waiting = plan.manifest().waiting.clone();
    let view = PlanView { trainings, optimisations, waiting, ..view(&plan, pilot.as_ref()) };
    let document = document(&view);
    arguments.output.show("plan", SCHEMA, view, document)
}

fn view(plan: &Plan, pilot: Option<&Pilot>) -> PlanView {
    let Outline { question, source, experiments, trials, games } = plan.outline();
    let experiments = experiments.into_iter().enumerate().map(|(index, outline)| {
        let piloted = |time: &CellTime| PilotedCell {
            trials: time.trials,
            trial_seconds: time.mean().map(|mean| mean.as_secs_f64()),
            at_least: time.abandoned.is_some(),
        };
        ExperimentView {
            detectable: outline
                .stopping
                .is_none()
                .then(|| detectable(outline.trials_per_cell, outline.games_per_trial == 2)),
            piloted: pilot.iter().flat_map(|pilot| &pilot.cells[index]).map(piloted).collect(),
            outline,
        }
    });
    PlanView {
        question,
        source,
        trainings: Vec::new(),
        optimisations: Vec::new(),
        waiting: Vec::new(),
        experiments: experiments.collect(),
        trials,
        games,
        pilot: pilot.map(|pilot| PilotView {
            threads: pilot.threads,
            trials: pilot.trials(),
            unmeasured_cells: pilot.unmeasured(),
            abandoned_cells: pilot.abandoned(),
            seconds: pilot.whole(plan).as_secs_f64(),
        }),
    }
}

fn document(view: &PlanView) -> Document {
    let mut blocks: Vec<Block> = Vec::new();
    if let Some(question) = &view.question {
        blocks.push(format!("Question: {}", question.trim()).into());
    }
    if !view.trainings.is_empty() {
        blocks.push(Block::Table(training_table(&view.trainings)));
    }
    if !view.optimisations.is_empty() {
        blocks.push(Block::Table(optimisation_table(&view.optimisations)));
    }
    blocks.extend(view.experiments.iter().flat_map(experiment_blocks));
    blocks.extend(waiting_block(&view.waiting));
    if view.experiments.is_empty() {
        return Document(blocks);
    }
    let cells: usize = view.experiments.iter().map(|experiment| experiment.outline.cells.len()).sum();
    let total = format!(
        "In all: {}, {}, {}.{}",
        counted(cells as u64, "cell"),
        counted(view.trials, "trial"),
        counted(view.games, "game"),
        view.pilot.as_ref().map_or_else(String::new, pilot_words),
    );
    blocks.push(total.into());
    Document(blocks)
}

fn pilot_words(pilot: &PilotView) -> String {
    let more = match pilot.unmeasured_cells as u64 {
        0 => ".".to_owned(),
        cells => format!(
            ",\nwithout {} of which it played no trial; for a better estimate give it more time, such as --pilot=60.",
            counted(cells, "cell")
        ),
    };
    format!(
        "\nThe pilot played {} on {}; estimated total run time {}{}{more}",
        counted(pilot.trials, "trial"),
        counted(pilot.threads as u64, "thread"),
        if pilot.abandoned_cells > 0 { "more than " } else { "" },
        long_duration(pilot.seconds),
    )
}

fn experiment_blocks(view: &ExperimentView) -> Vec<Block> {
    let experiment = &view.outline;
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
    // In part, a name of a trial would be none.
    headings.push("?<first trials");
    if !view.piloted.is_empty() {
        headings.extend(["<│", ">piloted", ">time per trial", ">total on one thread"]);
    }
    let mut table = Table::new(&headings);
    for (index, cell) in experiment.cells.iter().enumerate() {
        let mut row = cell.players.clone();
        row.push(cell.first_trials.join(" "));
        if let Some(piloted) = view.piloted.get(index) {
            row.extend(["│".into(), with_thousands(piloted.trials)]);
            let (seconds, more) = (piloted.trial_seconds, if piloted.at_least { "> " } else { "" });
            let one = |seconds: f64| format!("{more}{}", duration((seconds * 1e9) as u64));
            row.push(seconds.map_or_else(|| "–".into(), one));
            let all = |seconds: f64| {
                format!("{more}{}", long_duration(seconds * experiment.trials_per_cell as f64))
            };
            row.push(seconds.map_or_else(|| "–".into(), all));
        }
        table.row(row);
    }
    let at_most = if experiment.stopping.is_some() { "at most " } else { "" };
    let title = format!(
        "{}{game} · {} · {} of {at_most}{}{begin}: {}, {}",
        experiment.name,
        experiment.design,
        counted(experiment.cells.len() as u64, "cell"),
        counted(experiment.trials_per_cell, unit),
        counted(experiment.trials, "trial"),
        counted(experiment.games, "game"),
    );
    let mut notes: Vec<String> =
        experiment.primary.iter().map(|[a, b]| format!("Primary: {a} against {b}")).collect();
    if let Some(rule) = &experiment.stopping {
        notes.push(format!("Stops: {rule}"));
        notes.push(format!(
            "With --shard the rule decides at the merge, after all {}; --watch-shards stops earlier",
            counted(experiment.trials, "trial")
        ));
    }
    if let Some(detectable) = view.detectable.as_ref().filter(|_| view.compares()) {
        notes.push(detectable_words(detectable, experiment.games_per_trial == 2, unit));
    }
    let mut blocks = vec![Block::Heading(title), table.into()];
    if !notes.is_empty() {
        blocks.push(Block::Notes(notes));
    }
    blocks
}

impl ExperimentView {
    /// Whether there is a comparison.
    fn compares(&self) -> bool {
        self.outline.games_per_trial == 2 || self.outline.cells.len() > 1
    }
}

/// The smallest differences that a comparison of two players finds.
fn detectable_words(detectable: &Detectable, pairs: bool, unit: &str) -> String {
    let of = if pairs { "points a game from 0.5" } else { "success rate" };
    let differences = detectable.differences.iter().map(|of_share| {
        let difference = of_share.difference.map_or_else(|| "none".into(), |d| format!("{d:.3}"));
        format!("{difference} if {:.0} %", 100.0 * of_share.differing)
    });
    let (differences, power) = (differences.collect::<Vec<_>>().join(", "), detectable.power);
    format!(
        "Smallest difference in {of} that is detected with power {power} (McNemar's test at {:.2}, uncorrected):\n\
         {differences} of the {unit}s differ in result",
        detectable.level
    )
}
