//! A stage of a generation: jobs that do not depend on each other.
//!
//! A job is one row of the log: the games of a candidate, a meeting of a knockout, or the games against one judge. Its
//! results are sums, so its units can be played in any order, on any number of threads.

use std::ops::Range;
use std::sync::Arc;

use super::jobs::{Job, Outline};
use super::key::Purpose;
use crate::experiment::manifest::optimisation::OptimisationRun;
use crate::experiment::trial::tally::Tally;
use crate::experiment::trial::unit::Unit;
use crate::game::options::OptionError;
use crate::players::{FitError, PlayError, Tables};
use crate::rng::Stream;

/// A stage that can be played.
pub(crate) struct Stage {
    pub(crate) run: Arc<OptimisationRun>,
    pub(crate) jobs: Vec<Job>,
    candidates: Vec<Vec<f64>>,
    tables: Box<dyn Tables>,
}

/// A candidate that cannot play.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Misfit {
    #[error("{0}")]
    Option(#[from] OptionError),
    #[error("{0}")]
    Player(#[from] FitError),
}

impl Outline {
    /// Resolves the players.
    ///
    /// # Errors
    /// If the values of a candidate do not fit.
    pub(crate) fn prepare(self, run: &Arc<OptimisationRun>) -> Result<Stage, Misfit> {
        let mut players = Vec::with_capacity(self.candidates.len() + self.opponents.len());
        for genes in &self.candidates {
            players.push(run.genes.player(&run.player, genes)?);
        }
        players.extend(self.opponents);
        let tables = run.game.prepare(&players).map_err(FitError::from)?;
        Ok(Stage { run: Arc::clone(run), jobs: self.jobs, candidates: self.candidates, tables })
    }
}

impl Stage {
    /// The genes of the first player of a job.
    pub(crate) fn candidate(&self, job: usize) -> &[f64] {
        &self.candidates[self.jobs[job].player]
    }

    /// Plays some units of a job.
    ///
    /// # Errors
    /// If a game cannot be played to its end.
    pub(crate) fn play(&self, job: usize, units: Range<u64>) -> Result<Tally, PlayError> {
        let mut tally = Tally::default();
        for unit in units {
            tally += self.unit(&self.jobs[job], unit).play()?;
        }
        Ok(tally)
    }

    pub(crate) fn unit(&self, job: &Job, unit: u64) -> Unit<'_> {
        let (place, index) = ((unit / job.units) as usize, job.first + unit % job.units);
        let luck = if job.one_stream { job.luck } else { job.luck / place as u64 / index };
        let judge = self.run.judge.as_ref().filter(|_| job.key.purpose == Purpose::Judge);
        let openings = judge.and_then(|judge| judge.openings.as_ref()).unwrap_or(&self.run.openings);
        Unit {
            game: &*self.run.game,
            limits: self.run.limits,
            openings,
            tables: &*self.tables,
            players: (job.player, job.others.get(place).copied()),
            seat: job.seat,
            opening: index,
            luck,
        }
    }
}

/// The randomness of all games of a run.
pub(crate) fn games_of(run: &OptimisationRun, id: u32) -> Stream {
    Stream::new(run.seed) / "optimisation" / u64::from(id) / "games"
}
