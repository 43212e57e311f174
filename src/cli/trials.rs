//! The trials of a folder of results as a table.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use super::error::{CommandError, Result, usage};
use super::folder::open_all;
use crate::experiment::{MoveTimes, find};
use crate::players::Registry;

/// A format of tables of trials.
#[derive(Clone, Copy)]
pub(super) enum TrialsFormat {
    /// The rows of `trials.csv`.
    Rows,
    /// The rows of `canonical.csv`.
    Canonical,
    Parquet,
}

/// Writes the trials to standard output.
pub(super) fn write_trials(folder: &Path, format: TrialsFormat, registry: &Registry) -> Result {
    match format {
        TrialsFormat::Parquet => write_parquet(folder, registry),
        TrialsFormat::Rows => {
            let (_, _, log, _) = open_all(folder, registry)?;
            let mut out = BufWriter::new(io::stdout());
            log.write_rows(&mut out)?;
            out.flush().map_err(CommandError::of_output)
        }
        TrialsFormat::Canonical => {
            let (results, plan, log, _) = open_all(folder, registry)?;
            let times = MoveTimes::read(&results.times(), &plan);
            let out = BufWriter::new(io::stdout());
            Ok(find(&plan, &log, times, out).map(drop)?)
        }
    }
}

/// As Parquet.
#[cfg(feature = "parquet")]
fn write_parquet(folder: &Path, registry: &Registry) -> Result {
    use std::io::IsTerminal as _;

    use crate::experiment::write_parquet;

    if io::stdout().is_terminal() {
        return Err(usage!("parquet is no text; write it to a file with > trials.parquet"));
    }
    let (_, plan, log, _) = open_all(folder, registry)?;
    write_parquet(&plan, &log, BufWriter::new(io::stdout())).map_err(CommandError::because)
}

/// Says how to build a program that can.
#[cfg(not(feature = "parquet"))]
fn write_parquet(_folder: &Path, _registry: &Registry) -> Result {
    Err(usage!(
        "this program was built without the feature parquet; build it with `cargo build --release --features parquet`, or \
         write the trials with --format trials"
    ))
}
