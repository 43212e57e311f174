//! A game of a candidate, played again.

use std::sync::Arc;

use super::error::OptimisationError;
use super::key::Key;
use super::search::{Known, Next, Search};
use super::stage::Stage;
use crate::experiment::manifest::optimisation::OptimisationRun;
use crate::game::{Outcome, Player};
use crate::players::{PlayError, Table};

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
    let next = search.next().map_err(|stop| OptimisationError::Stop { run: run.name.clone(), stop })?;
    let Next::Play(stage, _) = next else { return Ok(None) };
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
