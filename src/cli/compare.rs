//! `shikou compare`: two folders of results, trial by trial and strategy by strategy.

use std::path::Path;

use serde::Serialize;

use super::arguments::CompareArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Compared, Log, Manifest, Plan, Record, Results, RunFacts, Times, find};
use crate::players::Registry;
use crate::report::compared_report;

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Content<'c> {
    digests: [&'c str; 2],
    #[serde(flatten)]
    compared: &'c Compared,
    /// The facts of machine and build that differ: name, in the first run, in the second.
    differing_facts: Vec<(&'c str, &'c str, &'c str)>,
}

pub(super) fn compare(registry: &Registry, arguments: &CompareArguments) -> Result<(), Failure> {
    let open = |path: &Path| Results::open(path).map_err(|error| Failure::System(error.to_string()));
    let folders = [open(&arguments.first)?, open(&arguments.second)?];
    let read = |results: &Results| Manifest::read(&results.manifest(), registry);
    let manifests = [read(&folders[0])?, read(&folders[1])?];
    let plans = [Plan::new(&manifests[0]), Plan::new(&manifests[1])];
    let [first, second] = [0, 1].map(|index| read_run(&folders[index], &plans[index]));
    let (first, second) = (first?, second?);
    let compared = Compared::new((&plans[0], &first.0), (&plans[1], &second.0));
    let digests = [first.1.as_str(), second.1.as_str()];
    let facts = [RunFacts::read(&folders[0]), RunFacts::read(&folders[1])];
    if arguments.json {
        let differing_facts = facts[0].differing(&facts[1]);
        return print_json("compare", SCHEMA, Content { digests, compared: &compared, differing_facts });
    }
    let report = compared_report(&compared, digests, [&facts[0], &facts[1]]);
    let (a, b) = (arguments.first.display(), arguments.second.display());
    print(format!("A: {a}\nB: {b}\n\n{report}"))
}

/// The records of a run in canonical order, and its digest.
fn read_run(results: &Results, plan: &Plan<'_>) -> Result<(Vec<Record>, String), Failure> {
    let unreadable = |error: &dyn std::fmt::Display| Failure::System(error.to_string());
    let log = Log::read(&results.log(), plan).map_err(|error| unreadable(&error))?;
    let records = (0..plan.cells.len()).flat_map(|experiment| log.records(experiment));
    let records = records.collect::<Result<Vec<_>, _>>().map_err(|error| unreadable(&error))?;
    let times = Times::read(&results.times(), plan);
    let found = find(plan, &log, times, std::io::sink()).map_err(|error| unreadable(&error))?;
    Ok((records, found.digests.digest().to_owned()))
}
