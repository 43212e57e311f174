//! Rows of a log played again.

use std::sync::Arc;

use super::error::{OptimisationError, SearchStop};
use super::key::Key;
use super::search::{Known, Search};
use crate::experiment::manifest::optimisation::OptimisationRun;

/// What was seen of the rows of a run.
#[derive(Debug, Default)]
pub struct VerifiedRows {
    /// The rows that the run needs and the log has.
    pub rows: u64,
    /// Those that were played again and gave other sums.
    pub differ: Vec<Key>,
    /// The generation whose genes do not follow from the rows before it, if there is one. The run cannot be followed further.
    pub other_genes: Option<u64>,
}

/// Plays the rows of a run again that are in a sample, and compares their sums. Every row's genes are compared with those
/// that follow from the rows before it.
///
/// # Errors
/// If a game cannot be played to its end.
pub fn verify_rows(
    run: &Arc<OptimisationRun>,
    known: &Known,
    is_in_sample: &mut dyn FnMut() -> bool,
) -> Result<VerifiedRows, OptimisationError> {
    let mut search = Search::new(run, known.clone());
    let mut found = VerifiedRows::default();
    let stopped = |stop| OptimisationError::Stop { run: run.name.clone(), stop };
    loop {
        let (outline, missing) = match search.step() {
            Ok(Some(stage)) => stage,
            Ok(None) => return Ok(found),
            Err(SearchStop::OtherGenes { generation }) => {
                return Ok(VerifiedRows { other_genes: Some(generation), ..found });
            }
            Err(stop) => return Err(stopped(stop)),
        };
        let present = (0..outline.jobs.len()).filter(|job| !missing.contains(job)).collect::<Vec<_>>();
        found.rows += present.len() as u64;
        let sample: Vec<usize> = present.into_iter().filter(|_| is_in_sample()).collect();
        if !sample.is_empty() {
            let stage = search.prepare(outline).map_err(stopped)?;
            for job in sample {
                let key = stage.jobs[job].key;
                let tally = stage.play(job, 0..stage.jobs[job].unit_count());
                let tally = tally.map_err(|error| OptimisationError::of_game(run, key, error))?;
                if known.get(&key).is_none_or(|(_, known)| *known != tally) {
                    found.differ.push(key);
                }
            }
        }
        if !missing.is_empty() {
            return Ok(found);
        }
    }
}
