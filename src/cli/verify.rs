//! `shikou verify`: trials and evaluations of a log played again and compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::error::{CommandError, Result};
use super::folder::open_all;
use super::groups::OutputArguments;
use crate::experiment::{EvaluationLog, Optimised, Results, folder_of, play, replay, verify_rows};
use crate::players::Registry;
use crate::report::{Block, Document, counted, decimals, object, optional, with_thousands};
use crate::rng::{Rng, Stream};

#[derive(Args)]
#[command(after_help = "Examples:
  shikou verify results/tour
  shikou verify results/tour --all

A trial is right if the canonical rows that it gives now are the bytes in the log. The last line
states the seed of the sample, and how likely a sample of this size is to contain a wrong trial.
Of an optimisation the same number of evaluations, rows of its log, is replayed, and every
candidate must follow from the earlier rows.

Exit code 1 if a trial or an evaluation differs from the log.")]
pub(super) struct VerifyArguments {
    /// The folder that a run wrote
    results: PathBuf,
    /// The number of trials, and of evaluations, to play again, drawn at random
    #[arg(long, default_value_t = 100, value_name = "TRIALS", value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
    /// The seed of the sample; another one each time if omitted
    #[arg(long, conflicts_with = "all")]
    seed: Option<u64>,
    /// Play all of them again
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Sampled {
    replayed: u64,
    /// The seed of the sample; none if all were played again.
    seed: Option<u64>,
    /// The chance that the sample has a wrong one, if one is wrong, and if one of a hundred is.
    detects_one: f64,
    detects_a_hundredth: f64,
    differ: Vec<String>,
}

impl Sampled {
    fn new(all: u64, replayed: u64, seed: u64, differ: Vec<String>) -> Self {
        Self {
            replayed,
            seed: (replayed < all).then_some(seed),
            detects_one: detection_probability(all, replayed, 1),
            detects_a_hundredth: detection_probability(all, replayed, all.div_ceil(100)),
            differ,
        }
    }

    fn totals(&self, all: u64, what: &str) -> Vec<String> {
        let Self { replayed, seed, detects_one, detects_a_hundredth, differ } = self;
        let mut lines = vec![format!(
            "{} of {} replayed, {} differ{}",
            with_thousands(*replayed),
            counted(all, what),
            differ.len(),
            if differ.len() == 1 { "s" } else { "" }
        )];
        if let Some(seed) = seed {
            lines.push(format!(
                "a sample (seed {seed}) finds a wrong {what} with probability {} if one is wrong, {} if 1 % are",
                decimals(*detects_one, 3),
                decimals(*detects_a_hundredth, 3)
            ));
        }
        lines
    }
}

pub(super) fn verify(registry: &Registry, arguments: &VerifyArguments) -> Result {
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let folder = arguments.results.display();
    let wanted = |all: u64| if arguments.all { all } else { arguments.sample.min(all) };
    // Candidates that do not follow from the rows of an optimisation cannot be read below.
    let optimisations = verify_evaluations(registry, &arguments.results, seed, &wanted)?;
    let line = |differs: &String| format!("evaluation {differs}");
    let mut lines = Vec::new();
    if let Some((evaluations, sample)) = &optimisations {
        lines.extend(sample.differ.iter().map(line).chain(sample.totals(*evaluations, "evaluation")));
    }
    let is_right = optimisations.as_ref().is_none_or(|(_, sample)| sample.differ.is_empty());
    let optimisations =
        optimisations.map(|(evaluations, sample)| object! { evaluations, #[serde(flatten)] sample });
    if !is_right {
        arguments.output.show("verify", optimisations, Document(vec![Block::Text(lines)]))?;
        return Err(CommandError::Check);
    }
    let (_, plan, log, _) = open_all(&arguments.results, registry)?;
    // Moves of an engine, or of a search that time limited, cannot be played again.
    let (mut trials, mut left_out) = (0, 0);
    for trial in plan.canonical().filter(|trial| log.holds(trial)) {
        *if plan.repeats(&trial) { &mut trials } else { &mut left_out } += 1;
    }
    let replayed = wanted(trials);
    let mut sample = Sample { rng: (Stream::new(seed) / "verify").rng(), wanted: replayed, left: trials };
    let mut differ = Vec::new();
    for chunk in (0..plan.experiments().len()).flat_map(|experiment| log.chunks(experiment)) {
        let chunk = chunk?;
        let mut begin = 0;
        for (record, &end) in chunk.records.iter().zip(&chunk.row_ends) {
            let rows = &chunk.rows[begin..end];
            begin = end;
            if plan.repeats(&record.trial) && sample.takes_next() {
                let again = play(&plan, record.trial);
                if log.canonical_rows(&again) != rows || !again.went_as(record) {
                    differ.push(plan.id(&record.trial).to_string());
                }
            }
        }
    }
    let is_right = differ.is_empty();
    let line =
        |id: &String| format!("trial {id} differs from the log; `shikou trial {folder} {id}` shows it");
    lines.extend(differ.iter().map(line));
    let sample = Sampled::new(trials, replayed, seed, differ);
    if trials > 0 || optimisations.is_none() {
        lines.extend(sample.totals(trials, "trial"));
    }
    if left_out > 0 {
        lines.push(format!(
            "{} left out: an engine, or a player that time limits, does not play the same again",
            counted(left_out, "trial")
        ));
    }
    let optimisations = optional("optimisations", optimisations);
    let content = object! { trials, #[serde(flatten)] sample, #[serde(flatten)] optimisations };
    arguments.output.show("verify", content, Document(vec![Block::Text(lines)]))?;
    if is_right { Ok(()) } else { Err(CommandError::Check) }
}

/// Plays a sample of the evaluations of all optimisations again; `None` without optimisations.
fn verify_evaluations(
    registry: &Registry,
    path: &Path,
    seed: u64,
    wanted: &dyn Fn(u64) -> u64,
) -> Result<Option<(u64, Sampled)>> {
    let manifest = Results::open(path)?.read_manifest(registry)?;
    let mut optimised = Optimised::of_trainings(&manifest, path)?;
    let mut runs = Vec::new();
    let (mut all, mut differ) = (0, Vec::new());
    for optimisation in manifest.optimisations() {
        let optimisation = optimised.fill(optimisation);
        let rows = EvaluationLog::read(&folder_of(path, &optimisation))?;
        let mut is_whole = true;
        if !rows.is_empty() && optimisation.runs.iter().all(|run| !rows.contains_key(&run.id())) {
            differ
                .push(format!("{}: its log has no row of its runs, and those of others", optimisation.name));
        }
        for run in &optimisation.runs {
            let known = rows.get(&run.id()).cloned().unwrap_or_default();
            // Without a sample: how many there are, and whether their genes follow from each other.
            let found = verify_rows(run, &known, &mut || false)?;
            all += found.rows;
            is_whole &= found.other_genes.is_none();
            if let Some(generation) = found.other_genes {
                differ.push(format!(
                    "{}, generation {generation}: other genes follow from the rows before it than the log says",
                    run.name
                ));
            }
            runs.push((Arc::clone(run), known));
        }
        if !is_whole {
            break;
        }
        let found = replay(&optimisation, rows)?;
        optimised.take(&optimisation, found);
    }
    if runs.is_empty() {
        return Ok(None);
    }
    let replayed = wanted(all);
    let rng = (Stream::new(seed) / "verify" / "evaluations").rng();
    let mut sample = Sample { rng, wanted: replayed, left: all };
    for (run, known) in &runs {
        let found = verify_rows(run, known, &mut || sample.takes_next())?;
        differ.extend(
            found.differ.iter().map(|key| format!("{}, {key}: other results than the log says", run.name)),
        );
    }
    Ok(Some((all, Sampled::new(all, replayed, seed, differ))))
}

/// A seed that nobody can foresee.
fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Short enough to be typed.
    RandomState::new().hash_one(()) % 1_000_000
}

/// A sample without replacement, in the order of the log.
struct Sample {
    rng: Rng,
    /// The number still to be taken, and of how many.
    wanted: u64,
    left: u64,
}

impl Sample {
    fn takes_next(&mut self) -> bool {
        let is_taken = self.rng.below(self.left) < self.wanted;
        self.left -= 1;
        self.wanted -= u64::from(is_taken);
        is_taken
    }
}

/// The probability that a random sample contains at least one of the `wrong` trials.
fn detection_probability(trials: u64, sample: u64, wrong: u64) -> f64 {
    let right = |drawn: u64| trials.saturating_sub(wrong + drawn) as f64 / (trials - drawn) as f64;
    1.0 - (0..sample).map(right).product::<f64>()
}
