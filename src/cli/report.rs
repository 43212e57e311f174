//! `shikou report`: what a folder of results shows, said again from its log.

use super::arguments::ReportArguments;
use super::conclude::{Format, Goal, Manner, conclude, reference_for};
use super::failure::Failure;
use crate::experiment::{Log, Manifest, Plan, Results};
use crate::players::Registry;

pub(super) fn report(registry: &Registry, arguments: &ReportArguments) -> Result<(), Failure> {
    let results = Results::open(&arguments.results).map_err(|error| Failure::System(error.to_string()))?;
    let manifest = Manifest::read(&results.manifest(), registry)?;
    let plan = Plan::new(&manifest);
    let log = Log::read(&results.log(), &plan).map_err(|error| Failure::System(error.to_string()))?;
    let format = if arguments.json { Format::Json } else { arguments.format };
    let manner = Manner { quiet: arguments.quiet, format, check: false };
    conclude("report", &results, &plan, &log, &Goal::SoFar(reference_for(&results)), manner)
}
