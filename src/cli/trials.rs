//! The trials of a folder of results as Parquet.

use std::path::Path;

use super::error::CommandError;
use crate::players::Registry;

/// Writes the trials to standard output.
#[cfg(feature = "parquet")]
pub(super) fn write_trials(folder: &Path, registry: &Registry) -> Result<(), CommandError> {
    use std::io::{self, BufWriter, IsTerminal as _};

    use super::folder::open_all;
    use crate::experiment::write_parquet;

    if io::stdout().is_terminal() {
        return Err(CommandError::Usage(
            "parquet is no text; write it to a file with > trials.parquet".into(),
        ));
    }
    let (_, plan, log, _) = open_all(folder, registry)?;
    write_parquet(&plan, &log, BufWriter::new(io::stdout())).map_err(CommandError::because)
}

/// Says how to build a program that can.
#[cfg(not(feature = "parquet"))]
pub(super) fn write_trials(_folder: &Path, _registry: &Registry) -> Result<(), CommandError> {
    Err(CommandError::Usage(
        "this program was built without the feature parquet; build it with `cargo build --release --features parquet`, or \
         read trials.csv of the folder"
            .into(),
    ))
}
