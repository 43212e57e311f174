//! `shikou compare`: two folders of results, trial by trial and strategy by strategy.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::groups::OutputArguments;
use crate::experiment::{Compared, Log, Manifest, MoveTimes, Plan, Record, Results, RunFacts, find};
use crate::players::Registry;
use crate::report::{Block, compared_report};

const SCHEMA: u32 = 2;

#[derive(Args)]
#[command(after_help = "Example:
  shikou compare results/before results/tour

Trials are matched by their names; strategies and meetings by their names in experiments of the
same name, on the deals and openings that both runs have.")]
pub(super) struct CompareArguments {
    /// The first folder
    first: PathBuf,
    /// The second folder; differences are second minus first
    second: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content<'c> {
    digests: [&'c str; 2],
    #[serde(flatten)]
    compared: &'c Compared,
    /// The facts of machine and build that differ: name, in the first run, in the second.
    differing_facts: Vec<(&'c str, &'c str, &'c str)>,
}

pub(super) fn compare(registry: &Registry, arguments: &CompareArguments) -> Result<(), CommandError> {
    let open = |path: &Path| Results::open(path).map_err(CommandError::because);
    let folders = [open(&arguments.first)?, open(&arguments.second)?];
    let read = |results: &Results| Manifest::read(&results.manifest(), registry);
    let manifests = [read(&folders[0])?, read(&folders[1])?];
    let plans = [Plan::new(&manifests[0])?, Plan::new(&manifests[1])?];
    let [first, second] = [0, 1].map(|index| read_run(&folders[index], &plans[index]));
    let (first, second) = (first?, second?);
    let compared = Compared::new((&plans[0], &first.0), (&plans[1], &second.0));
    let digests = [first.1.as_str(), second.1.as_str()];
    let facts = [RunFacts::read(&folders[0]), RunFacts::read(&folders[1])];
    let mut document = compared_report(&compared, digests, [&facts[0], &facts[1]]);
    let (a, b) = (arguments.first.display(), arguments.second.display());
    document.0.insert(0, Block::Text(vec![format!("A: {a}"), format!("B: {b}")]));
    let differing_facts = facts[0].differing(&facts[1]);
    let content = Content { digests, compared: &compared, differing_facts };
    arguments.output.show("compare", SCHEMA, content, document)
}

/// The records of a run in canonical order, and its digest.
fn read_run(results: &Results, plan: &Plan) -> Result<(Vec<Record>, String), CommandError> {
    let log = Log::read(&results.log(), plan)?;
    let records = (0..plan.experiments().len()).flat_map(|experiment| log.records(experiment));
    let records = records.collect::<Result<Vec<_>, _>>()?;
    let times = MoveTimes::read(&results.times(), plan);
    let found = find(plan, &log, times, std::io::sink()).map_err(CommandError::because)?;
    Ok((records, found.digests.digest().to_owned()))
}
