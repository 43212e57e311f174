//! The trials of a folder of results as a table.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use super::error::{CommandError, usage};
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
pub(super) fn write_trials(
    folder: &Path,
    format: TrialsFormat,
    registry: &Registry,
) -> Result<(), CommandError> {
    match format {
        TrialsFormat::Parquet => write_parquet(folder, registry),
        TrialsFormat::Rows => {
            let (_, _, log, _) = open_all(folder, registry)?;
            let mut out = BufWriter::new(io::stdout());
            log.write_rows(&mut out).map_err(closed_or_because)?;
            Ok(out.flush()?)
        }
        TrialsFormat::Canonical => {
            let (results, plan, log, _) = open_all(folder, registry)?;
            let times = MoveTimes::read(&results.times(), &plan);
            let out = BufWriter::new(io::stdout());
            find(&plan, &log, times, out).map(drop).map_err(closed_or_because)
        }
    }
}

/// A closed pipe is no failure.
fn closed_or_because(error: impl std::error::Error + 'static) -> CommandError {
    let cause: &(dyn std::error::Error + 'static) = &error;
    let mut causes = std::iter::successors(Some(cause), |error| error.source());
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    if causes.any(|error| error.downcast_ref::<io::Error>().is_some_and(is_closed)) {
        CommandError::BrokenPipe
    } else {
        CommandError::because(error)
    }
}

/// As Parquet.
#[cfg(feature = "parquet")]
fn write_parquet(folder: &Path, registry: &Registry) -> Result<(), CommandError> {
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
fn write_parquet(_folder: &Path, _registry: &Registry) -> Result<(), CommandError> {
    Err(usage!(
        "this program was built without the feature parquet; build it with `cargo build --release --features parquet`, or \
         write the trials with --format trials"
    ))
}
