//! `shikou compare`: two folders of results, trial by trial and strategy by strategy.

use std::path::Path;

use serde::Serialize;

use super::arguments::CompareArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Canonical, Compared, Manifest, Plan, Results, RunFacts, read_log};
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
    let log = |index: usize| {
        let contents = read_log(&folders[index].log(), &plans[index]);
        contents.map_err(|error| Failure::System(error.to_string()))
    };
    let logs = [log(0)?, log(1)?];
    let compared = Compared::new((&plans[0], &logs[0].records), (&plans[1], &logs[1].records));
    let canonical = [0, 1].map(|index| Canonical::new(&plans[index], &logs[index].records));
    let digests = [canonical[0].digest(), canonical[1].digest()];
    let facts = [RunFacts::read(&folders[0]), RunFacts::read(&folders[1])];
    if arguments.json {
        let differing_facts = facts[0].differing(&facts[1]);
        return print_json("compare", SCHEMA, Content { digests, compared: &compared, differing_facts });
    }
    let report = compared_report(&compared, digests, [&facts[0], &facts[1]]);
    let (a, b) = (arguments.first.display(), arguments.second.display());
    print(format!("A: {a}\nB: {b}\n\n{report}"))
}
