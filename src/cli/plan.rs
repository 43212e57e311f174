//! `shikou plan`: the cells, trials and games of a manifest.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::error::{CommandError, Result};
use super::groups::{OutputArguments, ThreadsArguments, WarningArguments};
use super::optimise::{tables, waiting_block};
use super::output::{tell, warn_of_names};
use crate::experiment::{
    CellTime, ExperimentOutline, Manifest, OptimisationOutline, Optimised, Outline, Pilot, Plan,
    TrainingSummary,
};
use crate::players::Registry;
use crate::report::{
    Block, Cell, Document, Table, column, columns, counted, duration, if_any, long_duration, object,
    optional, unless_empty, when, with_thousands,
};
use crate::stats::{Confidence, detectable_mean_difference, detectable_paired_difference};

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
    #[command(flatten)]
    _warnings: WarningArguments,
}

struct Planned<'p> {
    outline: ExperimentOutline,
    /// The smallest differences that the design finds at the level 0.05, uncorrected: the share of instances with different
    /// results (deals that only one of two players solves, or pairs of games that one side wins as a whole), and the difference
    /// in success rate or in points a game from ½; none if even the largest is too small. Empty with a stopping rule, which has
    /// a test of its own.
    detectable: Vec<(f64, Option<f64>)>,
    /// Where the score counts, the standard deviation of its difference in the pilot.
    deviation: Option<f64>,
    piloted: &'p [CellTime],
}

const POWER: f64 = 0.8;

/// The shares of instances with different results that a plan shows.
const DIFFERING: [f64; 3] = [0.1, 0.3, 0.5];

impl<'p> Planned<'p> {
    fn new(outline: ExperimentOutline, piloted: &'p [CellTime], deviation: Option<f64>) -> Self {
        // A pair that one side wins as a whole is half a point a game from even.
        let scale = if outline.games_per_trial == 2 { 0.5 } else { 1.0 };
        let confidence = Confidence::default_level();
        let difference = |differing: f64| {
            let found = detectable_paired_difference(outline.trials_per_cell, differing, POWER, confidence);
            (differing, found.map(|difference| scale * difference))
        };
        let counts_instances = outline.stopping.is_none() && outline.score_unit.is_none();
        let detectable = if counts_instances { DIFFERING.map(difference).into() } else { Vec::new() };
        Self { outline, detectable, deviation, piloted }
    }

    /// Where the score counts, the smallest difference that the design finds: in standard deviations, and in the unit.
    fn detectable_score(&self) -> Option<(f64, Option<f64>, &str)> {
        let unit = self.outline.score_unit.as_deref().filter(|_| self.outline.stopping.is_none())?;
        let confidence = Confidence::default_level();
        let size = detectable_mean_difference(self.outline.trials_per_cell, POWER, confidence);
        size.is_finite().then(|| (size, self.deviation.map(|deviation| size * deviation), unit))
    }

    fn json(&self) -> impl Serialize {
        let differences = self.detectable.iter();
        let differences: Vec<_> =
            differences.map(|&(differing, difference)| object! { differing, difference }).collect();
        let score = self.detectable_score().map(|(deviations, difference, unit)| {
            object! { power: POWER, level: Confidence::default_level().alpha(), deviations, difference, unit }
        });
        let detectable = (!differences.is_empty())
            .then(|| object! { power: POWER, level: Confidence::default_level().alpha(), differences });
        let piloted = self.piloted.iter().map(|time| {
            let trial_seconds = time.mean().map(|mean| mean.as_secs_f64());
            object! { trials: time.trials, trial_seconds, at_least: time.abandoned.is_some() }
        });
        let piloted = unless_empty("piloted", piloted.collect());
        object! { #[serde(flatten)] outline: &self.outline, detectable, #[serde(flatten)] score: optional("detectable_score", score), #[serde(flatten)] piloted }
    }
}

pub(super) fn plan(registry: &Registry, arguments: &PlanArguments) -> Result {
    let manifest = Manifest::read(&arguments.manifest, registry)?;
    warn_of_names(&manifest);
    manifest.advice().into_iter().for_each(tell);
    let trainings: Vec<_> = manifest.trainings().map(|of| TrainingSummary::new(of, None)).collect();
    let optimisations: Vec<_> =
        manifest.optimisations().map(|of| OptimisationOutline::new(of, None)).collect();
    let plan = Plan::new(&Optimised::default().finish(manifest))?;
    let threads = arguments.threads.count();
    let pilot = arguments.pilot.map(|seconds| Pilot::play(&plan, threads, Duration::from_secs(seconds)));
    let pilot = pilot.transpose().map_err(|error| CommandError::no_threads(threads, &error))?;
    let Outline { question, source, experiments, trials, games } = plan.outline();
    let piloted = |index: usize| pilot.as_ref().map_or(&[][..], |pilot| &pilot.cells[index]);
    let deviation = |index: usize| pilot.as_ref()?.deviation(index);
    let experiments = experiments.into_iter().enumerate();
    let experiments: Vec<Planned<'_>> =
        experiments.map(|(index, outline)| Planned::new(outline, piloted(index), deviation(index))).collect();
    let mut blocks: Vec<Block> = Vec::new();
    blocks.extend(question.as_ref().map(|question| format!("Question: {}", question.trim()).into()));
    blocks.extend(tables(&trainings, &optimisations));
    blocks.extend(experiments.iter().flat_map(experiment_blocks));
    blocks.extend(waiting_block(&plan.manifest().waiting));
    let cells: usize = experiments.iter().map(|experiment| experiment.outline.cells.len()).sum();
    let total = || {
        format!(
            "In all: {}, {}, {}.{}",
            counted(cells as u64, "cell"),
            counted(trials, "trial"),
            counted(games, "game"),
            pilot.as_ref().map_or_else(String::new, |pilot| pilot_words(pilot, &plan)),
        )
    };
    blocks.extend((!experiments.is_empty()).then(|| total().into()));
    let of_pilot = pilot.as_ref().map(|pilot| {
        object! {
            threads: pilot.threads, trials: pilot.trials(), unmeasured_cells: pilot.unmeasured(),
            abandoned_cells: pilot.abandoned(), seconds: pilot.whole(&plan).as_secs_f64(),
        }
    });
    let content = object! {
        question, source,
        #[serde(flatten)] trainings: unless_empty("trainings", trainings),
        #[serde(flatten)] optimisations: unless_empty("optimisations", optimisations),
        experiments: experiments.iter().map(Planned::json).collect::<Vec<_>>(),
        #[serde(flatten)] waiting: unless_empty("waiting", plan.manifest().waiting.clone()),
        trials, games, #[serde(flatten)] pilot: optional("pilot", of_pilot),
    };
    arguments.output.show("plan", content, Document(blocks))
}

fn pilot_words(pilot: &Pilot, plan: &Plan) -> String {
    let more = match pilot.unmeasured() as u64 {
        0 => ".".to_owned(),
        cells => format!(
            ",\nwithout {} of which it played no trial; for a better estimate give it more time, such as --pilot=60.",
            counted(cells, "cell")
        ),
    };
    format!(
        "\nThe pilot played {} on {}; estimated total run time {}{}{more}",
        counted(pilot.trials(), "trial"),
        counted(pilot.threads as u64, "thread"),
        if pilot.abandoned() > 0 { "more than " } else { "" },
        long_duration(pilot.whole(plan).as_secs_f64()),
    )
}

fn experiment_blocks(view: &Planned<'_>) -> Vec<Block> {
    let experiment = &view.outline;
    let game =
        if experiment.name == experiment.game { String::new() } else { format!(" · {}", experiment.game) };
    let pairs = experiment.games_per_trial == 2;
    let unit = if pairs { "pair" } else { "deal" };
    let begin = match &experiment.openings {
        None => String::new(),
        Some(openings) => format!(", each from one opening {openings}"),
    };
    let cells: Vec<_> = experiment.cells.iter().enumerate().collect();
    let table = Table::of(
        &cells,
        [
            column("<player", &|(_, cell)| cell.players[0].clone()),
            when(pairs, columns(["<against"], &|(_, cell)| Some([cell.players.get(1)?.into()]))),
            // In part, a name of a trial would be none.
            column("?<first trials", &|(_, cell)| cell.first_trials.join(" ")),
            if_any(columns(["<│", ">piloted"], &|(index, _)| {
                Some(["│".into(), with_thousands(view.piloted.get(*index)?.trials).into()])
            })),
            if_any(columns([">time per trial", ">total on one thread"], &|(index, _)| {
                let piloted = view.piloted.get(*index)?;
                let Some(mean) = piloted.mean() else { return Some(["–", "–"].map(Cell::from)) };
                let (seconds, more) =
                    (mean.as_secs_f64(), if piloted.abandoned.is_some() { "> " } else { "" });
                let all = long_duration(seconds * experiment.trials_per_cell as f64);
                Some([duration((seconds * 1e9) as u64), all].map(|time| format!("{more}{time}").into()))
            })),
        ],
    );
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
    if !view.detectable.is_empty() && (pairs || experiment.cells.len() > 1) {
        notes.push(detectable_words(&view.detectable, pairs, unit));
    }
    notes.extend(
        view.detectable_score()
            .filter(|_| experiment.cells.len() > 1)
            .map(|score| score_words(score, view.deviation)),
    );
    let mut blocks = vec![Block::Heading(title), table.into()];
    blocks.push(Block::Notes(notes));
    blocks
}

fn score_words((size, difference, unit): (f64, Option<f64>, &str), deviation: Option<f64>) -> String {
    let difference = match (difference, deviation) {
        (Some(difference), Some(deviation)) => format!(
            "{difference:.2} {unit}, if differences vary as in the pilot, with a standard deviation of {deviation:.2}"
        ),
        _ => format!(
            "{size:.3} standard deviations of the difference on a deal; --pilot measures these in {unit}"
        ),
    };
    format!(
        "Smallest difference in mean score that is detected with power {POWER} (paired t test at {:.2}, uncorrected):\n\
         {difference}",
        Confidence::default_level().alpha()
    )
}

fn detectable_words(detectable: &[(f64, Option<f64>)], pairs: bool, unit: &str) -> String {
    let of = if pairs { "points a game from 0.5" } else { "success rate" };
    let differences = detectable.iter().map(|(differing, difference)| {
        let difference = difference.map_or_else(|| "none".into(), |d| format!("{d:.3}"));
        format!("{difference} if {:.0} %", 100.0 * differing)
    });
    let differences = differences.collect::<Vec<_>>().join(", ");
    format!(
        "Smallest difference in {of} that is detected with power {POWER} (McNemar's test at {:.2}, uncorrected):\n\
         {differences} of the {unit}s differ in result",
        Confidence::default_level().alpha()
    )
}
