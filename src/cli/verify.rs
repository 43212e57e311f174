//! `shikou verify`: trials of a log played again and compared.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::folder::open;
use super::groups::OutputArguments;
use crate::experiment::play;
use crate::players::Registry;
use crate::report::{Block, Document, counted, decimals, with_thousands};
use crate::rng::{Rng, Stream};

const SCHEMA: u32 = 2;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou verify results/tour
  shikou verify results/tour --all

A trial is right if the canonical rows that it gives now are the bytes in the log. The last line
states the seed of the sample, and how likely a sample of this size is to contain a wrong trial.

Exit code 1 if a trial differs from the log.")]
pub(super) struct VerifyArguments {
    /// The folder that a run wrote
    results: PathBuf,
    /// The number of trials to play again, drawn at random
    #[arg(long, default_value_t = 100, value_name = "TRIALS")]
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
struct Content {
    trials: u64,
    replayed: u64,
    /// The seed of the sample; none if all were played again.
    seed: Option<u64>,
    /// The chance that the sample has a wrong trial, if one trial of the log is wrong, and if one of a hundred is.
    detects_one: f64,
    detects_a_hundredth: f64,
    differ: Vec<String>,
}

pub(super) fn verify(registry: &Registry, arguments: &VerifyArguments) -> Result<(), CommandError> {
    let (results, plan, log) = open(&arguments.results, registry)?;
    let trials = log.len();
    let replayed = if arguments.all { trials } else { arguments.sample.min(trials) };
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let mut sample = Sample { rng: (Stream::new(seed) / "verify").rng(), wanted: replayed, left: trials };
    let mut differ = Vec::new();
    for chunk in (0..plan.experiments().len()).flat_map(|experiment| log.chunks(experiment)) {
        let chunk = chunk?;
        let mut begin = 0;
        for (record, &end) in chunk.records.iter().zip(&chunk.row_ends) {
            let rows = &chunk.rows[begin..end];
            begin = end;
            if sample.takes_next() {
                let again = play(&plan, record.trial);
                if log.canonical_rows(&again) != rows || !again.went_as(record) {
                    differ.push(plan.id(&record.trial).to_string());
                }
            }
        }
    }
    let is_right = differ.is_empty();
    let content = Content {
        trials,
        replayed,
        seed: (replayed < trials).then_some(seed),
        detects_one: detection_probability(trials, replayed, 1),
        detects_a_hundredth: detection_probability(trials, replayed, trials.div_ceil(100)),
        differ,
    };
    let line = |id: &String| {
        format!("trial {id} differs from the log; `shikou trial {} {id}` shows it", results.path().display())
    };
    let lines = content.differ.iter().map(line).chain(totals(&content)).collect();
    arguments.output.show("verify", SCHEMA, content, Document(vec![Block::Text(lines)]))?;
    if is_right { Ok(()) } else { Err(CommandError::Check) }
}

fn totals(content: &Content) -> Vec<String> {
    let Content { trials, replayed, seed, detects_one, detects_a_hundredth, differ } = content;
    let mut lines = vec![format!(
        "{} of {} replayed, {} differ{}",
        with_thousands(*replayed),
        counted(*trials, "trial"),
        differ.len(),
        if differ.len() == 1 { "s" } else { "" }
    )];
    if let Some(seed) = seed {
        lines.push(format!(
            "a random sample (seed {seed}) has a wrong trial with probability {} if one is wrong, {} if 1 % are",
            decimals(*detects_one, 3),
            decimals(*detects_a_hundredth, 3)
        ));
    }
    lines
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
    /// How many are still to be taken, and of how many.
    wanted: u64,
    left: u64,
}

impl Sample {
    /// Whether the next trial is in the sample.
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
