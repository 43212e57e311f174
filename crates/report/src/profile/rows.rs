//! Paths and batch sizes, timed in turn.

use serde::{Deserialize, Serialize};

use super::settings::{Manner, key_of_round};
use super::{Lap, ProfileError, Settings, Spread};
use crate::game::{Batch, Path, Tally};
use crate::players::Workload;
use crate::rng::PlayoutKey;

/// The time of some batches of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The number of playouts.
    pub playouts: u64,
    /// The total number of plies.
    pub plies: u64,
    /// The time.
    pub lap: Lap,
}

impl Sample {
    pub(super) fn new(tally: Tally, lap: Lap) -> Self {
        Self { playouts: tally.playouts, plies: tally.plies, lap }
    }

    /// CPU nanoseconds per ply.
    pub fn ns_per_ply(&self) -> f64 {
        self.lap.cpu_ns / self.plies.max(1) as f64
    }

    /// Estimated cycles per ply.
    pub fn cycles_per_ply(&self) -> Option<f64> {
        self.lap.cycle_ns.map(|cycle| self.ns_per_ply() / cycle)
    }

    /// Playouts per second of CPU time.
    pub fn playouts_per_s(&self) -> f64 {
        self.playouts as f64 * 1e9 / self.lap.cpu_ns
    }
}

/// A path with a batch size, over all rounds. Rates are per second of the thread's CPU time; on a GPU, of wall time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRow {
    /// The path.
    pub path: String,
    /// The batch size, in playouts.
    pub batch: u64,
    /// Playouts per second.
    pub playouts_per_s: Spread,
    /// Plies per second.
    pub plies_per_s: Spread,
    /// Nanoseconds per ply.
    pub ns_per_ply: Spread,
    /// Estimated cycles per ply.
    pub cycles_per_ply: Option<Spread>,
    /// The speed relative to the first row, per ply, within a round; `None` for the first row.
    pub ratio: Option<Spread>,
    /// One sample per round.
    pub samples: Vec<Sample>,
}

impl PathRow {
    fn new(manner: Manner, samples: Vec<Sample>, first: Option<&[Sample]>) -> Self {
        let spread = |figure: &dyn Fn(&Sample) -> f64| Spread::of(samples.iter().map(figure).collect());
        let cycles: Option<Vec<f64>> = samples.iter().map(Sample::cycles_per_ply).collect();
        let times = |samples: &[Sample]| -> Vec<f64> { samples.iter().map(Sample::ns_per_ply).collect() };
        Self {
            path: manner.path.name().into(),
            batch: manner.batch,
            playouts_per_s: spread(&Sample::playouts_per_s),
            plies_per_s: spread(&|sample| 1e9 / sample.ns_per_ply()),
            ns_per_ply: spread(&Sample::ns_per_ply),
            cycles_per_ply: cycles.map(Spread::of),
            ratio: first.map(|first| Spread::of_ratios(&times(first), &times(&samples))),
            samples,
        }
    }
}

/// The paths that a workload has on this machine, slowest first.
pub(super) fn offered(workload: &dyn Workload) -> Vec<Path> {
    let nothing = Batch::new(PlayoutKey::new(0), 0);
    Path::ALL.into_iter().filter(|&path| workload.playouts_on(path, nothing).is_some()).collect()
}

/// The requested rows: every path with every batch size; no paths means all. Checks that each path plays the same games as
/// the plain loop.
pub(super) fn manners(
    workload: &dyn Workload,
    paths: &[Path],
    batches: &[u64],
) -> Result<Vec<Manner>, ProfileError> {
    let offered = offered(workload);
    let paths = if paths.is_empty() { &offered } else { paths };
    let trial = Batch::new(key_of_round(0), 500);
    let expected = workload.plain_playouts(trial);
    for &path in paths {
        let Some(found) = workload.playouts_on(path, trial) else {
            return Err(ProfileError::NoPath { path, offered });
        };
        if found != expected {
            return Err(ProfileError::Differs { path, found, expected });
        }
    }
    Ok(paths.iter().flat_map(|&path| batches.iter().map(move |&batch| Manner { path, batch })).collect())
}

/// Times all rows, in turn in every round; every other round in reverse order.
pub(super) fn path_rows(workload: &dyn Workload, manners: &[Manner], settings: &Settings) -> Vec<PathRow> {
    let paces: Vec<u64> = manners
        .iter()
        .map(|manner| settings.pace(|count| manner.play(workload, key_of_round(0), count)))
        .collect();
    let mut samples = vec![Vec::new(); manners.len()];
    for round in 0..settings.repeats {
        for turn in 0..manners.len() {
            let index = if round % 2 == 0 { turn } else { manners.len() - 1 - turn };
            let key = key_of_round(round);
            let (tally, lap) = Lap::time(|| manners[index].play(workload, key, paces[index]));
            let lap = if manners[index].path == Path::Cuda { lap.of_device() } else { lap };
            samples[index].push(Sample::new(tally, lap));
        }
    }
    let first = samples[0].clone();
    let rows = (0..).zip(manners).zip(samples);
    rows.map(|((index, &manner), samples)| PathRow::new(manner, samples, (index > 0).then_some(&first)))
        .collect()
}
