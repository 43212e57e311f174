//! `shikou report`: the report of a folder of results, from its log.

use std::path::PathBuf;

use clap::Args;

use super::conclude::{Goal, conclude, conclude_reference, reference_for};
use super::concluded::Manner;
use super::error::CommandError;
use super::folder::open_all;
use super::groups::{OutputArguments, formats_help};
use super::optimise::summaries;
use super::pages::PageArguments;
use crate::experiment::Reference;
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = format!("\
Examples:
  shikou report results/tour
  shikou report results/tour --format markdown > tour.md
  shikou report results/reference/tour --write
  shikou report results/tour --html
  shikou report results/tour --svg figures

{}

The figures depend only on the manifest and the log in the folder: the same command prints the same
bytes. A committed reference without its log is rendered from summary.json, without times.", formats_help()))]
pub(super) struct ReportArguments {
    /// The folder that a run wrote, or a reference
    results: PathBuf,
    /// Write report.txt of a reference; results with a log are always written
    #[arg(long)]
    write: bool,
    /// Print the last line only
    #[arg(long, short)]
    quiet: bool,
    /// Print the whole report, as in report.txt, and not only the answer
    #[arg(long, conflicts_with = "quiet")]
    full: bool,
    #[command(flatten)]
    pages: PageArguments,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn report(registry: &Registry, arguments: &ReportArguments) -> Result<(), CommandError> {
    let (quiet, full) = (arguments.quiet, arguments.full);
    let manner =
        Manner { quiet, full, output: &arguments.output, check: false, pages: Some(&arguments.pages) };
    if let Some(reference) = Reference::read(&arguments.results).map_err(CommandError::because)? {
        return conclude_reference(&reference, &arguments.results, arguments.write, manner);
    }
    let (results, plan, log, optimised) = open_all(&arguments.results, registry)?;
    conclude(
        "report",
        &results,
        &plan,
        &log,
        summaries(&optimised),
        &Goal::SoFar(reference_for(&results)),
        manner,
    )
}
