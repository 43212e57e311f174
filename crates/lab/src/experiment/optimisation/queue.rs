//! The work that waits for a thread.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::error::OptimisationError;
use super::stage::Stage;
use crate::rng::{Rng, Stream};

/// A piece of work.
pub(super) enum Work {
    /// A run begins.
    Begin(usize),
    /// Whole jobs of a stage of a run.
    Jobs(usize, Arc<Stage>, Vec<usize>),
    /// Some units of a job.
    Part(usize, Arc<Stage>, usize, Range<u64>),
}

pub(super) struct Queue {
    work: VecDeque<Work>,
    /// The runs that have not ended.
    pub(super) live: usize,
    pub(super) error: Option<OptimisationError>,
    draws: Option<Rng>,
}

impl Queue {
    /// The beginning of all runs. A seed shuffles the order in which work is taken.
    pub(super) fn new(runs: usize, shuffle: Option<u64>) -> Self {
        let draws = shuffle.map(|seed| Stream::new(seed).rng());
        Self { work: (0..runs).map(Work::Begin).collect(), live: runs, error: None, draws }
    }

    /// The newest piece of work, or a random one.
    pub(super) fn take(&mut self) -> Option<Work> {
        let waiting = self.work.len() as u64;
        let draws = self.draws.as_mut().filter(|_| waiting > 0);
        let place = draws.map_or(0, |draws| draws.below(waiting) as usize);
        self.work.remove(place)
    }

    /// Adds jobs of a stage of a run. While there are more runs than threads, they are one piece; otherwise they are divided.
    pub(super) fn put(&mut self, run: usize, stage: &Arc<Stage>, jobs: Vec<usize>, threads: usize) {
        let live = self.live;
        let wanted = if live >= 2 * threads { 1 } else { (4 * threads).div_ceil(live.max(1)) };
        for piece in divided(run, stage, jobs, wanted) {
            self.work.push_front(piece);
        }
    }
}

/// Jobs as about this many pieces.
fn divided(run: usize, stage: &Arc<Stage>, jobs: Vec<usize>, wanted: usize) -> Vec<Work> {
    if wanted == 1 {
        return vec![Work::Jobs(run, Arc::clone(stage), jobs)];
    }
    if jobs.len() >= wanted {
        let size = jobs.len().div_ceil(wanted);
        return jobs.chunks(size).map(|jobs| Work::Jobs(run, Arc::clone(stage), jobs.to_vec())).collect();
    }
    let parts = wanted.div_ceil(jobs.len()) as u64;
    let divided = jobs.into_iter().flat_map(|job| {
        let units = stage.jobs[job].unit_count();
        let size = units.div_ceil(parts).max(1);
        let starts = (0..units).step_by(size as usize);
        starts.map(move |start| (job, start..(start + size).min(units)))
    });
    divided.map(|(job, units)| Work::Part(run, Arc::clone(stage), job, units)).collect()
}
