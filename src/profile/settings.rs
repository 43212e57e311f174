//! What is to be measured, and for how long.

use std::hint::black_box;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{Batch, Path, Tally};
use crate::players::Workload;
use crate::rng::PlayoutKey;
use crate::search::Clock;

/// How long, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The time for each row of a table, all its rounds together, in seconds.
    pub seconds: f64,
    /// The rounds.
    pub repeats: u32,
}

impl Default for Settings {
    /// A second in 21 rounds.
    fn default() -> Self {
        Self { seconds: 1.0, repeats: 21 }
    }
}

impl Settings {
    /// The time of a row in a round.
    pub fn slice(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / f64::from(self.repeats.max(1)))
    }

    /// How often something is to be done so that it takes a slice of time, as nearly as can be; once at least. Doing it
    /// the first times warms up caches and predictors.
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

/// The key of all playouts of a round: every row of it plays the same games.
pub(super) fn key_of_round(round: u32) -> PlayoutKey {
    PlayoutKey::new(2026).child(round.into())
}

/// Playouts on a path in batches of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) path: Path,
    pub(super) batch: u64,
}

impl Manner {
    /// Plays so many batches.
    ///
    /// # Panics
    /// Where the workload does not have the path.
    pub(super) fn play(self, workload: &dyn Workload, key: PlayoutKey, batches: u64) -> Tally {
        let mut tally = Tally::default();
        for number in 0..batches {
            let batch = Batch { key, first: number * self.batch, count: self.batch };
            tally += workload.playouts_on(self.path, batch).expect("the path was asked for before");
        }
        tally
    }
}

/// Why there is no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProfile {
    /// The workload has no such path here.
    #[error("{}", no_path(*.path, .offered))]
    NoPath {
        /// The path that was asked for.
        path: Path,
        /// Those that there are.
        offered: Vec<Path>,
    },
    /// A path played other games than the plain loop.
    #[error(
        "path {path} plays other games than the plain loop: {found:?} instead of {expected:?}; `shikou check` tells more"
    )]
    Differs {
        /// The path.
        path: Path,
        /// Its tally.
        found: Tally,
        /// The tally of the plain loop.
        expected: Tally,
    },
}

fn no_path(path: Path, offered: &[Path]) -> String {
    let names: Vec<&str> = offered.iter().map(|path| path.name()).collect();
    let why = if path.is_available() {
        format!("playouts of this game with this policy have no path {path}")
    } else {
        format!("this processor has no {path}")
    };
    format!("{why}; there is {}", names.join(", "))
}
