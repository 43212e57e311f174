//! The duration and the number of rounds of a measurement.

use std::hint::black_box;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{Batch, Path, Tally};
use crate::players::Workload;
use crate::rng::PlayoutKey;
use crate::search::Clock;

/// The duration and the number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The time per row of a table, over all rounds, in seconds.
    pub seconds: f64,
    /// The number of rounds.
    pub repeats: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seconds: 1.0, repeats: 21 }
    }
}

impl Settings {
    /// The time per row and round.
    pub fn slice(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / f64::from(self.repeats.max(1)))
    }

    /// The number of repetitions that fill a slice of time as closely as possible, at least 1. Finding it warms up caches and
    /// predictors.
    pub(super) fn pace<T>(&self, mut work: impl FnMut(u64) -> T) -> u64 {
        let slice = self.slice().as_secs_f64();
        let mut count = 1;
        loop {
            let clock = Clock::start();
            black_box(work(count));
            let took = clock.elapsed().as_secs_f64();
            if took > slice / 8.0 || count > 1 << 40 {
                return ((count as f64 * slice / took.max(1e-9)) as u64).max(1);
            }
            count *= 4;
        }
    }
}

/// The key of all playouts of a round: all its rows play the same games.
pub(super) fn key_of_round(round: u32) -> PlayoutKey {
    PlayoutKey::new(2026).child(round.into())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) path: Path,
    pub(super) batch: u64,
}

impl Manner {
    /// Plays a number of batches.
    ///
    /// # Panics
    /// If the workload does not have the path.
    pub(super) fn play(self, workload: &dyn Workload, key: PlayoutKey, batches: u64) -> Tally {
        let mut tally = Tally::default();
        for number in 0..batches {
            let batch = Batch { key, first: number * self.batch, count: self.batch };
            tally += workload.playouts_on(self.path, batch).expect("the path was checked before");
        }
        tally
    }
}

/// The reason why there is no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The workload does not have the path on this machine.
    #[error("{}", no_path(*.path, .offered))]
    NoPath {
        /// The requested path.
        path: Path,
        /// The available paths.
        offered: Vec<Path>,
    },
    /// The system did not start the threads.
    #[error("the system did not start {threads} threads: {reason}; measure fewer with --threads")]
    Threads {
        /// The number of threads.
        threads: u32,
        /// The reason of the system.
        reason: String,
    },
    /// A path played different games than the plain loop.
    #[error(
        "path {path} plays different games than the plain loop: found {found:?}, expected {expected:?}; run `shikou check` for details"
    )]
    Differs {
        /// The path.
        path: Path,
        /// The tally of the path.
        found: Tally,
        /// The tally of the plain loop.
        expected: Tally,
    },
}

fn no_path(path: Path, offered: &[Path]) -> String {
    let names: Vec<&str> = offered.iter().map(|path| path.name()).collect();
    let why = path.lack().unwrap_or_else(|| format!("this game with this policy has no path {path}"));
    format!("{why}; available: {}", names.join(", "))
}
