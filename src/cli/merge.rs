//! `shikou merge`: the shards of a run in one folder.

use std::path::PathBuf;

use clap::Args;

use super::conclude::{Goal, Manner, conclude, reference_for};
use super::error::CommandError;
use super::groups::OutputArguments;
use crate::experiment::{Fingerprints, Manifest, Plan, Results, merge as merge_results};
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = "Example, on three machines and then on one:
  shikou run experiments/tour.toml --shard 1/3
  shikou run experiments/tour.toml --shard 2/3
  shikou run experiments/tour.toml --shard 3/3
  shikou merge results/tour results/tour.shard-*

Trials are merged by their names, in any order and any number of times; the canonical log equals
that of a single run.")]
pub(super) struct MergeArguments {
    /// The folder to merge into; its trials are kept
    into: PathBuf,
    /// The folders to merge
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// Print the last line only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn merge(registry: &Registry, arguments: &MergeArguments) -> Result<(), CommandError> {
    let parts = arguments.parts.iter().map(|path| Results::open(path)).collect::<Result<Vec<_>, _>>();
    let parts = parts.map_err(CommandError::because)?;
    let plan = Plan::new(&Manifest::read(&parts[0].manifest(), registry)?)?;
    let results = Results::create(&arguments.into).map_err(CommandError::because)?;
    let log =
        merge_results(&plan, &parts, &results, &Fingerprints::of(&plan)).map_err(CommandError::because)?;
    let manner = Manner { quiet: arguments.quiet, output: &arguments.output, check: false };
    conclude("merge", &results, &plan, log.log(), &Goal::SoFar(reference_for(&results)), manner)
}
