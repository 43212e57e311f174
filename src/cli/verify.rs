//! `shikou verify`: trials of a log played again and compared.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::groups::OutputArguments;
use crate::experiment::{Log, Manifest, Plan, Record, Results, play};
use crate::players::Registry;
use crate::report::{Block, Document, with_thousands};

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou verify results/tour
  shikou verify results/tour --all

Exit code 1 if a trial differs from the log.")]
pub(super) struct VerifyArguments {
    /// The folder that a run wrote
    results: PathBuf,
    /// The number of trials to play again, evenly spread over the log
    #[arg(long, default_value_t = 100, value_name = "TRIALS")]
    sample: usize,
    /// Play all of them again
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content {
    replayed: u64,
    differ: Vec<String>,
}

pub(super) fn verify(registry: &Registry, arguments: &VerifyArguments) -> Result<(), CommandError> {
    let results = Results::open(&arguments.results).map_err(CommandError::because)?;
    let manifest = Manifest::read(&results.manifest(), registry)?;
    let plan = Plan::new(&manifest)?;
    let log = Log::read(&results.log(), &plan)?;
    let (all, sample) = (log.len(), arguments.sample as u64);
    let wanted = if arguments.all { all } else { sample.min(all) };
    let records = (0..plan.experiments().len()).flat_map(|experiment| log.records(experiment));
    let mut differ = Vec::new();
    // Evenly spread over the log, so that every experiment and cell is included.
    let picked = |index: &u64| index * wanted / all.max(1) != (index + 1) * wanted / all.max(1);
    for (_, record) in (0..all).zip(records).filter(|(index, _)| picked(index)) {
        let record: Record = record?;
        if !play(&plan, record.trial).went_as(&record) {
            differ.push(plan.id(&record.trial).to_string());
        }
    }
    let ok = differ.is_empty();
    let line = |id: &String| {
        format!("trial {id} differs from the log; `shikou trial {} {id}` shows it", results.path().display())
    };
    let (replayed, all) = (with_thousands(wanted), with_thousands(all));
    let total = format!(
        "{replayed} of {all} trials replayed, {} differ{}",
        differ.len(),
        if differ.len() == 1 { "s" } else { "" }
    );
    let document = Document(vec![Block::Text(differ.iter().map(line).chain([total]).collect())]);
    arguments.output.show("verify", SCHEMA, Content { replayed: wanted, differ }, document)?;
    if ok { Ok(()) } else { Err(CommandError::Check) }
}
