//! The trainings and the optimisations of a manifest, in its order, before its experiments.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;

use super::error::Result;
use super::output::{SilentPanics, tell, warn_without_lock};
use super::progress::bar;
use crate::experiment::{
    EVALUATIONS, EvaluationLog, Fingerprints, LogWriter, Manifest, OptimisationOutline, OptimisationProgress,
    OptimisationSummary, Optimised, Plan, Results, Run, RunTimes, TrainingProgress, TrainingSummary, Workers,
    folder_of, optimise, replay, train, write_derived,
};
use crate::report::{Block, Table, column, columns, if_any, long_duration, when, with_thousands};
use crate::search::Clock;
use crate::words::counted;

/// The results of trainings and optimisations.
pub(super) type Found = (Vec<TrainingSummary>, Vec<OptimisationSummary>);

/// Plays the missing part of all trainings and optimisations of a manifest, and writes their files. Returns the manifest with
/// their results filled in; `None` if they were stopped.
pub(super) fn play_optimisations(
    manifest: Manifest,
    results: &Results,
    threads: usize,
    stop: &AtomicBool,
    tells: bool,
) -> Result<Option<(Manifest, Found)>> {
    // The folder has a log from the beginning, so that every command knows it. Its lock, kept to the end, lets no report write.
    let ready = Optimised::default().finish(manifest.clone());
    let plan = Plan::new(&ready)?;
    let fingerprints = Fingerprints::of(&plan).with_trainings(&manifest);
    let log = LogWriter::open(&results.log(), &plan, &fingerprints)?;
    // Derived files are of another manifest.
    let cleared = if log.has_new_facts() { results.remove_derived() } else { Ok(()) };
    cleared.and_then(|()| results.write_manifest(&manifest))?;
    let mut optimised = Optimised::default();
    for training in manifest.trainings() {
        let training = optimised.fill_training(training);
        let folder = results.path().join(&training.name);
        let mut progress = Shown::new(training.name.clone(), 1, tells);
        let trained = {
            let _quiet = SilentPanics::begin();
            let mut show = |at: TrainingProgress| progress.show_training(at);
            train(&training, &folder, threads, stop, &mut show)
        };
        progress.bar.finish_and_clear();
        let trained = trained?;
        if let Some(aside) = trained.aside.as_ref().filter(|_| tells) {
            tell(format_args!(
                "{}: another judge judged the weights before, so they were learned again; the checkpoint before is in {}",
                training.name,
                aside.display()
            ));
        }
        let whole = trained.is_whole(&training);
        optimised.take_training(&training, trained);
        if !whole {
            return Ok(None);
        }
    }
    for optimisation in manifest.optimisations() {
        let optimisation = optimised.fill(optimisation);
        let folder = folder_of(results.path(), &optimisation);
        let (mut log, known) = EvaluationLog::open(&folder, &manifest, &optimisation)?;
        warn_without_lock(log.is_locked(), &folder.join(EVALUATIONS));
        // A report between two sittings derives files from fewer rows.
        let is_whole = |runs: &[Run]| runs.iter().all(|run| run.outcome.ended.is_some());
        if results.digests().exists() && !is_whole(&replay(&optimisation, known.clone())?) {
            results.remove_derived()?;
        }
        let mut progress = Shown::new(optimisation.name.clone(), optimisation.runs.len(), tells);
        let workers = Workers::from(threads);
        let played = {
            let _quiet = SilentPanics::begin();
            let mut show = |at: OptimisationProgress| progress.show(at);
            optimise(&optimisation, (&mut log, known), workers, stop, &mut show)
        };
        progress.bar.finish_and_clear();
        let runs = played?;
        write_derived(&folder, &optimisation, &runs)?;
        let whole = is_whole(&runs);
        optimised.take(&optimisation, runs);
        if !whole && stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    let found = summaries(&optimised, results.path());
    Ok(Some((optimised.finish(manifest), found)))
}

pub(super) fn outlines(optimised: &Optimised) -> Vec<OptimisationOutline> {
    let results = optimised.results().iter();
    results.map(|(of, runs)| OptimisationOutline::new(of, Some(runs))).collect()
}

/// The results of trainings and optimisations, with the times in a folder of results.
pub(super) fn summaries(optimised: &Optimised, folder: &Path) -> Found {
    let trainings = optimised.trainings().iter().map(|(training, trained)| {
        let times = RunTimes::read(&folder.join(&training.name));
        TrainingSummary::new(training, Some(trained)).timed(training, &times)
    });
    let optimisations = optimised.results().iter().map(|(optimisation, runs)| {
        let times = RunTimes::read(&folder_of(folder, optimisation));
        OptimisationSummary::new(optimisation, runs).timed(optimisation, &times)
    });
    (trainings.collect(), optimisations.collect())
}

/// The progress of an optimisation: a bar on a terminal, else a line now and then.
struct Shown {
    name: String,
    runs: usize,
    bar: ProgressBar,
    clock: Clock,
    next: f64,
    tells: bool,
    /// The share that was done before this run.
    begun: Option<f64>,
    unit: &'static str,
}

impl Shown {
    fn new(name: String, runs: usize, tells: bool) -> Self {
        let bar = if tells { bar(1000, "{bar:40} {percent:>3} %  {msg}") } else { ProgressBar::hidden() };
        Self { name, runs, bar, clock: Clock::start(), next: 10.0, tells, begun: None, unit: "game" }
    }

    /// The progress of a training. The games of its samples are counted first, then epochs.
    fn show_training(&mut self, at: TrainingProgress) {
        if self.unit != at.unit {
            (self.unit, self.begun, self.clock, self.next) = (at.unit, None, Clock::start(), 10.0);
        }
        let done = at.done as f64 / at.of as f64;
        self.show(OptimisationProgress { games: at.done, done, ended: 0 });
    }

    fn show(&mut self, at: OptimisationProgress) {
        let elapsed = self.clock.elapsed().as_secs_f64();
        let begun = *self.begun.get_or_insert(at.done);
        let done = at.done - begun;
        let mut words = format!("{}: {}", self.name, counted(at.games, self.unit));
        if self.runs > 1 {
            words = format!("{words}, {} of {} runs have ended", at.ended, self.runs);
        }
        words = format!("{words}, {} elapsed", long_duration(elapsed));
        if done > 0.0 {
            words = format!("{words}, about {} left", long_duration(elapsed * (1.0 - at.done) / done));
        }
        if self.bar.is_hidden() && self.tells && elapsed >= self.next {
            self.next = elapsed + 10.0;
            tell(&words);
        }
        self.bar.set_position((1000.0 * at.done) as u64);
        self.bar.set_message(words);
    }
}

/// The trainings and the optimisations of a plan or of a folder, in numbers.
pub(super) fn tables(trainings: &[TrainingSummary], optimisations: &[OptimisationOutline]) -> Vec<Block> {
    let trainings = (!trainings.is_empty()).then(|| training_table(trainings).into());
    let optimisations = (!optimisations.is_empty()).then(|| optimisation_table(optimisations).into());
    trainings.into_iter().chain(optimisations).collect()
}

fn optimisation_table(optimisations: &[OptimisationOutline]) -> Table {
    let method = |of: &OptimisationOutline| {
        let method = of.method.split('(').next().unwrap_or_default().trim_matches('"');
        if method.is_empty() { "genetic".into() } else { method.to_owned() }
    };
    Table::of(
        optimisations,
        [
            column("<optimisation", &|of| of.name.clone()),
            column("?<game", &|of| of.game.clone()),
            column("<method", &method),
            column(">genes", &|of| with_thousands(of.genes as u64)),
            column(">runs", &|of| with_thousands(of.runs as u64)),
            column("?>candidates", &|of| with_thousands(of.candidates as u64)),
            columns([">generations"], &|of| Some([with_thousands(of.generations?).into()])),
            column(">games", &|of| with_thousands(of.games)),
            if_any(columns([">played", ">ended"], &|of| {
                let (games, ended) = of.played?;
                Some([with_thousands(games).into(), format!("{ended} of {}", of.runs).into()])
            })),
        ],
    )
}

/// A row for each training; those of a sweep are one.
fn training_table(trainings: &[TrainingSummary]) -> Table {
    let [is_swept, is_dense] =
        [trainings.iter().any(|of| of.swept_from.is_some()), trainings.iter().any(|of| of.epochs.is_some())];
    let in_sweeps = trainings.chunk_by(|a, b| a.swept_from.is_some() && a.swept_from == b.swept_from);
    let name = |group: &&[TrainingSummary]| match *group {
        [of] => of.name.clone(),
        several => several[0].swept_from.clone().unwrap_or_default(),
    };
    Table::of(
        &in_sweeps.collect::<Vec<_>>(),
        [
            column("<training", &name),
            when(is_swept, column(">trainings", &|group| with_thousands(group.len() as u64))),
            column("?<game", &|group| group[0].game.clone()),
            column("<learns", &|group| group[0].weights_of.clone()),
            column(">weights", &|group| with_thousands(group[0].weights)),
            column(if is_dense { "?<games of" } else { "<against" }, &|group| group[0].against.join(", ")),
            column(">games", &|group| with_thousands(group[0].games)),
            if_any(columns([">epochs"], &|group| Some([with_thousands(group[0].epochs?).into()]))),
            if_any(columns([">learned"], &|group| {
                let learned: Option<u64> = group.iter().map(|of| of.learned).sum();
                Some([with_thousands(learned?).into()])
            })),
        ],
    )
}

pub(super) fn waiting_block(waiting: &[(String, String)]) -> Option<Block> {
    let words =
        |(experiment, optimisation): &(String, String)| format!("{experiment}: waiting for {optimisation}");
    (!waiting.is_empty()).then(|| Block::Notes(waiting.iter().map(words).collect()))
}
