//! `shikou report`: the report of a folder of results, from its log; or the trials of the log as a table.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::call::out;
use super::conclude::{Goal, Manner, conclude, conclude_reference, reference_for};
use super::error::{CommandError, Result, usage};
use super::folder::open_all;
use super::groups::{OutputArguments, WarningArguments, formats_help};
use super::optimise::summaries;
use super::pages::{PageArguments, write_site};
use crate::experiment::{MoveTimes, Reference, find};
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = format!("\
Examples:
  shikou report results/tour
  shikou report results/tour --format markdown > tour.md
  shikou report results/reference/tour --write
  shikou report results/tour --html
  shikou report results/tour --html --games 12 --explore-time 2min
  shikou report results/tour --svg figures
  shikou report --site results/reference site

{}

The figures depend only on the manifest and the log in the folder: the same command prints the same
bytes. A committed reference without its log is rendered from summary.json, without times.", formats_help()))]
pub(super) struct ReportArguments {
    /// The folder that a run wrote, or a reference
    #[arg(required_unless_present = "site")]
    results: Option<PathBuf>,
    /// Write a page for each folder of results in REFERENCES into DIR, with an index that has the text of
    /// the README.md beside REFERENCES
    #[arg(long, value_names = ["REFERENCES", "DIR"], num_args = 2, exclusive = true)]
    site: Option<Vec<PathBuf>>,
    /// Write report.txt of a reference; results with a log are always written
    #[arg(long)]
    write: bool,
    /// Print the last line only
    #[arg(long, short)]
    quiet: bool,
    /// Print the whole report, as in report.txt, and not only the answer
    #[arg(long, conflicts_with = "quiet", alias = "verbose", short_alias = 'v')]
    full: bool,
    #[command(flatten)]
    pages: PageArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    _warnings: WarningArguments,
}

pub(super) fn report(registry: &Registry, arguments: &ReportArguments) -> Result {
    let (quiet, full) = (arguments.quiet, arguments.full);
    if let Some([references, folder]) = arguments.site.as_deref() {
        return write_site(references, folder);
    }
    let results = arguments.results.as_deref().expect("it is required without a site");
    if let format @ ("trials" | "canonical" | "parquet") = arguments.output.format() {
        return write_trials(results, format, registry);
    }
    let manner =
        Manner { quiet, full, output: &arguments.output, check: false, pages: Some(&arguments.pages) };
    arguments.pages.check()?;
    if let Some(reference) = Reference::read(results)? {
        let explored = arguments.pages.explore.of_reference(registry, results, &reference.summary)?;
        return conclude_reference(&reference, results, explored.as_ref(), arguments.write, manner);
    }
    let (results, plan, log, optimised) = open_all(results, registry)?;
    let goal = Goal::SoFar(reference_for(&results));
    conclude("report", &results, &plan, &log, summaries(&optimised, results.path()), &goal, manner)
}

/// Writes the trials of the log to standard output.
fn write_trials(folder: &Path, format: &str, registry: &Registry) -> Result {
    if format == "parquet" {
        return write_parquet(folder, registry);
    }
    let (results, plan, log, _) = open_all(folder, registry)?;
    let mut out = BufWriter::new(out());
    if format == "canonical" {
        return Ok(find(&plan, &log, MoveTimes::read(&results.times(), &plan), out).map(drop)?);
    }
    log.write_rows(&mut out)?;
    out.flush().map_err(|error| CommandError::of_output(&error))
}

#[cfg(feature = "parquet")]
fn write_parquet(folder: &Path, registry: &Registry) -> Result {
    use std::io::IsTerminal as _;

    use crate::experiment::write_parquet;

    if std::io::stdout().is_terminal() {
        return Err(usage!("parquet is no text; write it to a file with > trials.parquet"));
    }
    let (_, plan, log, _) = open_all(folder, registry)?;
    write_parquet(&plan, &log, BufWriter::new(out())).map_err(CommandError::because)
}

/// Says how to build a program that can.
#[cfg(not(feature = "parquet"))]
fn write_parquet(_folder: &Path, _registry: &Registry) -> Result {
    Err(usage!(
        "this program was built without the feature parquet; build it with `cargo build --release --features parquet`, or \
         write the trials with --format trials"
    ))
}
