//! A folder of results, opened.

use std::path::Path;

use super::error::CommandError;
use super::optimise::read_optimisations;
use super::output::tell;
use crate::experiment::{Log, LogWriter, OptimisationSummary, Plan, Results};
use crate::players::Registry;

/// The results in a folder with the plan of their manifest and their log.
pub(super) fn open(path: &Path, registry: &Registry) -> Result<(Results, Plan, Log), CommandError> {
    let (results, plan, log, _) = open_all(path, registry)?;
    Ok((results, plan, log))
}

/// The results in a folder with the plan of their manifest, their log, and what its optimisations found.
pub(super) fn open_all(
    path: &Path,
    registry: &Registry,
) -> Result<(Results, Plan, Log, Vec<OptimisationSummary>), CommandError> {
    let results = Results::open(path).map_err(CommandError::because)?;
    let (manifest, optimised) = read_optimisations(results.read_manifest(registry)?, path)?;
    let plan = Plan::new(&manifest)?;
    let log = Log::read(&results.log(), &plan)?;
    Ok((results, plan, log, optimised))
}

/// Warns if the file system cannot tell whether another process writes the log.
pub(super) fn warn_without_lock(log: &LogWriter, results: &Results) {
    if !log.is_locked() {
        let path = results.log();
        let path = path.display();
        tell(format_args!("warning: {path} cannot be locked on this file system; no other run may write it"));
    }
}
