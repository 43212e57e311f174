//! `shikou merge`: the shards of a run in one folder.

use std::path::PathBuf;

use clap::Args;

use super::conclude::{Goal, Manner, conclude, reference_for};
use super::error::{CommandError, Result};
use super::groups::{OutputArguments, WarningArguments};
use super::output::{tell, warn_without_lock};
use crate::experiment::{Fingerprints, Live, Log, Merged, Plan, Results, Shard, merge as merge_results};
use crate::players::Registry;
use crate::report::counted;
use crate::words::shell_path;

#[derive(Args)]
#[command(after_help = "Example, on three machines and then on one:
  shikou run experiments/tour.toml --shard 1/3
  shikou run experiments/tour.toml --shard 2/3
  shikou run experiments/tour.toml --shard 3/3
  shikou merge results/tour results/tour.shard-*

Trials are merged by their names, in any order and any number of times; the canonical log equals
that of a single run. If trials are missing, the report names their shards, and the exit code is 4.")]
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
    #[command(flatten)]
    _warnings: WarningArguments,
}

pub(super) fn merge(registry: &Registry, arguments: &MergeArguments) -> Result {
    let parts = arguments.parts.iter().map(|path| Results::open(path)).collect::<Result<Vec<_>, _>>()?;
    let plan = Plan::new(&parts[0].read_manifest(registry)?)?;
    let results = Results::create(&arguments.into)?;
    let Merged { log, dropped, taken } = merge_results(&plan, &parts, &results, &Fingerprints::of(&plan))?;
    if taken > 0 {
        tell(format_args!("{} of runs that were taken over merged too", counted(taken as u64, "log")));
    }
    if dropped > 0 {
        let trials = counted(dropped, "trial");
        tell(format_args!(
            "{trials} played twice with another result, because no run of them is like another; that of the run with the fewest restarts is kept, then the earliest"
        ));
    }
    warn_without_lock(log.is_locked(), &results.log());
    let manner =
        Manner { quiet: arguments.quiet, full: false, output: &arguments.output, check: false, pages: None };
    let goal = Goal::SoFar(reference_for(&results));
    conclude("merge", &results, &plan, log.log(), <_>::default(), &goal, manner)?;
    missing(&plan, log.log(), arguments)
}

/// Trials that are missing are an error, with the shards that they are of.
fn missing(plan: &Plan, log: &Log, arguments: &MergeArguments) -> Result {
    let left = |shard: Shard| Live::new(plan, shard, log).map(|live| live.left());
    let all = left(Shard::WHOLE)?;
    if all == 0 {
        return Ok(());
    }
    let shards = arguments.parts.iter().find_map(|part| {
        let name = part.file_name()?.to_string_lossy();
        let base = name.rsplit_once("shard-")?.0.trim_end_matches('.');
        Some((part.with_file_name(base), Shard::all_of(&name)?))
    });
    let mut missing = Vec::new();
    if let Some((base, shards)) = shards {
        for shard in shards {
            if left(shard)? > 0 {
                let usual = shard.folder(&base);
                let is_own = |part: &&PathBuf| part.file_name() == usual.file_name();
                let own = arguments.parts.iter().find(is_own).cloned();
                missing.push((shard.to_string(), own.unwrap_or(usual)));
            }
        }
    }
    let (trials, origin) = (counted(all, "trial"), shell_path(&plan.manifest().origin));
    Err(CommandError::Interrupted(if missing.is_empty() {
        let out = shell_path(&arguments.into);
        format!("{trials} missing: `shikou run {origin} --out {out}` plays the rest")
    } else {
        let shards: Vec<&str> = missing.iter().map(|(shard, _)| shard.as_str()).collect();
        let (shards, (first, own)) = (shards.join(", "), &missing[0]);
        let own = shell_path(own);
        let (shard, each) = if missing.len() == 1 { ("shard", "it") } else { ("shards", "each, such as") };
        format!(
            "{trials} missing, of the {shard} {shards}: play {each} with `shikou run {origin} --shard {first} --out {own}`, and merge again"
        )
    }))
}
