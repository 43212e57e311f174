//! The optimisations of a manifest, in its order, before its experiments.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::error::CommandError;
use super::folder::warn_without_lock;
use super::output::tell;
use super::run::SilentPanics;
use crate::experiment::{
    EVALUATIONS, EvaluationLog, Fingerprints, LogWriter, Manifest, Optimisation, OptimisationOutline,
    OptimisationProgress, OptimisationSummary, Optimised, Plan, Results, Workers, folder_of, optimise,
    write_derived,
};
use crate::report::{Block, Table, long_duration, with_thousands};
use crate::search::Clock;
use crate::words::counted;

/// How optimisations are played.
pub(super) struct Conditions<'c> {
    pub(super) threads: usize,
    pub(super) stop: &'c AtomicBool,
    /// Whether progress is told.
    pub(super) tells: bool,
}

/// Plays what is missing of all optimisations of a manifest, and writes their files. Returns the manifest with their
/// results filled in; `None` if they were stopped.
pub(super) fn play_optimisations(
    manifest: Manifest,
    results: &Results,
    conditions: &Conditions<'_>,
) -> Result<Option<(Manifest, Vec<OptimisationSummary>)>, CommandError> {
    let system = |error: std::io::Error| CommandError::because(error);
    // The folder has a log from the beginning, so that every command knows it.
    let ready = Optimised::default().finish(manifest.clone());
    let plan = Plan::new(&ready)?;
    drop(LogWriter::open(&results.log(), &plan, &Fingerprints::of(&plan))?);
    results.write_manifest(&manifest).map_err(system)?;
    let mut optimised = Optimised::default();
    for optimisation in manifest.optimisations() {
        let optimisation = optimised.fill(optimisation);
        let folder = folder_of(results.path(), &optimisation);
        let (mut log, known) = EvaluationLog::open(&folder, &manifest, &optimisation)?;
        warn_without_lock(log.is_locked(), &folder.join(EVALUATIONS));
        let mut progress = Shown::new(&optimisation, conditions.tells);
        let workers = Workers::from(conditions.threads);
        let played = {
            let _quiet = SilentPanics::begin();
            let mut show = |at: OptimisationProgress| progress.show(at);
            optimise(&optimisation, (&mut log, known), workers, conditions.stop, &mut show)
        };
        progress.finish();
        let runs = played.map_err(CommandError::because)?;
        write_derived(&folder, &optimisation, &runs).map_err(system)?;
        let whole = runs.iter().all(|run| run.outcome.ended.is_some());
        optimised.take(&optimisation, runs);
        if !whole && conditions.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    let summaries = summaries(&optimised);
    Ok(Some((optimised.finish(manifest), summaries)))
}

/// The manifest of a folder of results with the results of its optimisations.
pub(super) fn read_optimisations(
    manifest: Manifest,
    results: &Path,
) -> Result<(Manifest, Optimised), CommandError> {
    let optimised = Optimised::read(&manifest, results).map_err(CommandError::because)?;
    Ok((optimised.finish(manifest), optimised))
}

/// The optimisations of a folder of results, in numbers.
pub(super) fn outlines(optimised: &Optimised) -> Vec<OptimisationOutline> {
    let results = optimised.results().iter();
    results.map(|(of, runs)| OptimisationOutline::new(of, Some(runs))).collect()
}

/// What optimisations found.
pub(super) fn summaries(optimised: &Optimised) -> Vec<OptimisationSummary> {
    let results = optimised.results().iter();
    results.map(|(optimisation, runs)| OptimisationSummary::new(optimisation, runs)).collect()
}

/// The progress of an optimisation: a bar on a terminal, else a line now and then.
struct Shown {
    name: String,
    runs: usize,
    bar: Option<ProgressBar>,
    clock: Clock,
    next: f64,
    tells: bool,
    /// What was done before this run.
    begun: Option<f64>,
}

impl Shown {
    fn new(optimisation: &Optimisation, tells: bool) -> Self {
        let bar = (tells && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(5));
            let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}");
            bar.set_style(style.expect("the template is well formed"));
            bar
        });
        let (name, runs) = (optimisation.name.clone(), optimisation.runs.len());
        Self { name, runs, bar, clock: Clock::start(), next: 10.0, tells, begun: None }
    }

    fn show(&mut self, at: OptimisationProgress) {
        let elapsed = self.clock.elapsed().as_secs_f64();
        let begun = *self.begun.get_or_insert(at.done);
        let done = at.done - begun;
        let mut words = format!("{}: {}", self.name, counted(at.games, "game"));
        if self.runs > 1 {
            words = format!("{words}, {} of {} runs have ended", at.ended, self.runs);
        }
        words = format!("{words}, {} elapsed", long_duration(elapsed));
        if done > 0.0 {
            words = format!("{words}, about {} left", long_duration(elapsed * (1.0 - at.done) / done));
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position((1000.0 * at.done) as u64);
                bar.set_message(words);
            }
            None if self.tells && elapsed >= self.next => {
                self.next = elapsed + 10.0;
                tell(words);
            }
            None => {}
        }
    }

    fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The optimisations of a plan or of a folder, in numbers.
pub(super) fn optimisation_table(optimisations: &[OptimisationOutline]) -> Table {
    let played = optimisations.iter().any(|of| of.played.is_some());
    let mut headings = vec![
        "<optimisation",
        "?<game",
        "<method",
        ">genes",
        ">runs",
        "?>candidates",
        ">generations",
        ">games",
    ];
    headings.extend(played.then_some([">played", ">ended"]).into_iter().flatten());
    let mut table = Table::new(&headings);
    for of in optimisations {
        let method = of.method.split('(').next().unwrap_or_default().trim_matches('"');
        let method = if method.is_empty() { "genetic" } else { method };
        let mut row = vec![
            of.name.clone(),
            of.game.clone(),
            method.into(),
            with_thousands(of.genes as u64),
            with_thousands(of.runs as u64),
            with_thousands(of.candidates as u64),
            of.generations.map_or_else(|| "–".into(), with_thousands),
            with_thousands(of.games),
        ];
        if let Some((games, ended)) = of.played {
            row.extend([with_thousands(games), format!("{ended} of {}", of.runs)]);
        }
        table.row(row);
    }
    table
}

/// What experiments wait for.
pub(super) fn waiting_block(waiting: &[(String, String)]) -> Option<Block> {
    let words =
        |(experiment, optimisation): &(String, String)| format!("{experiment}: waiting for {optimisation}");
    (!waiting.is_empty()).then(|| Block::Notes(waiting.iter().map(words).collect()))
}
