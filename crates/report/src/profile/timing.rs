//! Timing of a piece of work: CPU time, wall time, and cycles; summaries of repeated measurements, and of their ratios; and the duration
//! and the number of rounds of a measurement.

use std::hint::black_box;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{Batch, Path, Tally};
use crate::players::Workload;
use crate::rng::PlayoutKey;
use crate::search::{Clock, ThreadClock};
use crate::stats::{Confidence, Method, median};

/// The time of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lap {
    /// CPU time of the thread, in nanoseconds; the wall time if a GPU did the work.
    pub cpu_ns: f64,
    /// Wall time, in nanoseconds.
    pub wall_ns: f64,
    /// The estimated duration of a cycle, in nanoseconds; `None` if the processor's latencies are unknown, or a GPU did the
    /// work.
    pub cycle_ns: Option<f64>,
}

impl Lap {
    /// Runs and times the work.
    ///
    /// # Cost
    /// About 0.1 ms in addition to the work.
    ///
    /// # Example
    /// ```
    /// use shikou::profile::Lap;
    /// let (sum, lap) = Lap::time(|| (0..100_000_u64).map(|i| std::hint::black_box(i)).sum::<u64>());
    /// assert_eq!(sum, 4_999_950_000);
    /// assert!(lap.cpu_ns > 0.0 && lap.wall_ns > 0.0);
    /// ```
    pub fn time<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let before = ThreadClock::cycle_ns();
        let (wall, mut cpu) = (Clock::start(), ThreadClock::start());
        let result = work();
        let (cpu, wall) = (cpu.lap(), wall.elapsed());
        let cycle_ns =
            before.zip(ThreadClock::cycle_ns()).map(|(before, after)| f64::midpoint(before, after));
        // No clock is finer than a nanosecond, and a ratio must not divide by 0.
        let ns = |time: std::time::Duration| (time.as_nanos() as f64).max(1.0);
        (result, Self { cpu_ns: ns(cpu), wall_ns: ns(wall), cycle_ns })
    }

    /// The time of a GPU, for which the thread waited: all of it counts, and it has none of the processor's cycles.
    pub(super) fn of_device(self) -> Self {
        Self { cpu_ns: self.wall_ns, cycle_ns: None, ..self }
    }
}

/// The five-number summary of a measurement over the rounds. The interval of the median is between two order statistics,
/// at 95 %, and needs six rounds.
///
/// # Example
/// ```
/// use shikou::profile::Spread;
/// let spread = Spread::of(vec![9.0, 1.0, 5.0, 7.0, 3.0, 6.0, 4.0]);
/// assert_eq!((spread.min, spread.q1, spread.median, spread.q3, spread.max), (1.0, 3.5, 5.0, 6.5, 9.0));
/// assert_eq!(spread.interval, Some([1.0, 9.0]));
/// assert_eq!(Spread::of(vec![1.0, 2.0]).interval, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The smallest.
    pub min: f64,
    /// The lower quartile.
    pub q1: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub q3: f64,
    /// The largest.
    pub max: f64,
    /// The 95 % interval of the median; `None` for fewer than six values.
    pub interval: Option<[f64; 2]>,
}

impl Spread {
    /// Summarises some values. A quartile between two values is interpolated linearly.
    ///
    /// # Panics
    /// If there are no values.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let middle = median(&values, Confidence::default_level());
        let quantile = |share: f64| {
            let place = (values.len() - 1) as f64 * share;
            let (below, part) = (place as usize, place.fract());
            let above = (below + 1).min(values.len() - 1);
            values[below] + part * (values[above] - values[below])
        };
        Self {
            min: values[0],
            q1: quantile(0.25),
            median: middle.value,
            q3: quantile(0.75),
            max: values[values.len() - 1],
            interval: (middle.method == Method::OrderStatistics).then_some([middle.low, middle.high]),
        }
    }

    /// The ratios first/second of values that were measured in the same rounds.
    ///
    /// # Panics
    /// If the numbers of values differ or are 0.
    pub fn of_ratios(first: &[f64], second: &[f64]) -> Self {
        assert_eq!(first.len(), second.len(), "ratios need values of the same rounds");
        Self::of(first.iter().zip(second).map(|(first, second)| first / second).collect())
    }
}

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
    /// Plays a number of batches of a workload that has the path.
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
