//! Rows of a log, or a game of a candidate, played again.

use std::sync::Arc;

use super::{Key, Known, OptimisationError, Search, SearchStop, Stage};
use crate::game::{Outcome, Player};
use crate::manifest::OptimisationRun;
use crate::players::{PlayError, Table};

/// The rows of a run, and those that differ.
#[derive(Debug, Default)]
pub struct VerifiedRows {
    /// The rows that the run needs and the log has.
    pub rows: u64,
    /// The rows that were played again and gave other sums.
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
    loop {
        let (outline, missing) = match search.step() {
            Ok(Some(stage)) => stage,
            Ok(None) => return Ok(found),
            Err(OptimisationError::Stop { stop: SearchStop::OtherGenes { generation }, .. }) => {
                return Ok(VerifiedRows { other_genes: Some(generation), ..found });
            }
            Err(error) => return Err(error),
        };
        let present = (0..outline.jobs.len()).filter(|job| !missing.contains(job)).collect::<Vec<_>>();
        found.rows += present.len() as u64;
        let sample: Vec<usize> = present.into_iter().filter(|_| is_in_sample()).collect();
        if !sample.is_empty() {
            let stage = search.prepare(outline)?;
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

/// A game of a candidate that can be played again.
pub struct ReplayedGame {
    stage: Arc<Stage>,
    job: usize,
    unit: u64,
    seat: usize,
    /// The genes of the candidate.
    pub genes: Vec<f64>,
    /// The seat of the candidate.
    pub seat_of: Player,
}

/// The game with this number, counted from 0, of a job of a run. `None` if the run never had the job, or it has fewer games.
///
/// # Errors
/// If the log does not belong to the run.
pub fn find_game(
    run: &Arc<OptimisationRun>,
    mut known: Known,
    key: Key,
    game: u64,
) -> Result<Option<ReplayedGame>, OptimisationError> {
    // Without its row the run stops at the stage of the job.
    known.remove(&key);
    let mut search = Search::new(run, known);
    let Some((stage, _)) = search.next()? else { return Ok(None) };
    let Some(job) = stage.jobs.iter().position(|job| job.key == key) else { return Ok(None) };
    let seats = stage.jobs[job].seats();
    let (unit, seat) = (game / seats.len() as u64, seats[(game % seats.len() as u64) as usize]);
    if unit >= stage.jobs[job].unit_count() {
        return Ok(None);
    }
    let genes = stage.candidate(job).to_vec();
    Ok(Some(ReplayedGame { stage, job, unit, seat, genes, seat_of: Player::new(seat as u8) }))
}

impl ReplayedGame {
    /// Plays it and shows each position. Returns the outcome and the margin of the candidate.
    ///
    /// # Errors
    /// If it cannot be played to its end.
    pub fn watch(&self, watch: &mut dyn FnMut(&dyn Table)) -> Result<(Outcome, i32), PlayError> {
        self.stage.unit(&self.stage.jobs[self.job], self.unit).watch(self.seat, watch)
    }
}
