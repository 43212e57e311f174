//! Profiles: the speed of playouts and searchers on this machine, and the parts of their time.
//!
//! The key decision: everything that is compared is timed in turn, in many short rounds, and reported as a ratio within a
//! round. A busy machine, or a changing clock frequency, slows both sides of a ratio. The main clock is the thread's CPU
//! time; the wall clock shows how busy the machine was. Rejected: one long run of each, because the ratio would compare
//! two different minutes.
//!
//! A [`Workload`] is measured: a game with its type erased, with one virtual call per batch.
//! Estimates are marked as such, here and in the output.

mod compared;
mod rows;
mod searchers;
mod text;
mod timing;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use self::rows::{manners, parts_profile, path_rows, threads_rows};
use crate::experiment::{Host, peak_bytes};
use crate::game::{Batch, Path};
use crate::players::{AnyGame, Workload};
use crate::rng::PlayoutKey;

pub use compared::{COMMAND, ComparedRow, Comparison, Incomparable, SCHEMA, SavedError, parse, written};
pub use rows::{PartProfile, PartsProfile, PathRow, Sample, ThreadsRow, Together};
pub use searchers::{SearcherRow, SearchersProfile, Unfit};
pub use text::{compared_document, document};
pub use timing::{Lap, ProfileError, Settings, Spread};

/// The number of playouts for the distribution of lengths.
const LENGTHS: u64 = 20_000;

/// A profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The game with its options.
    pub game: String,
    /// The playout policy with its options.
    pub policy: String,
    /// The position as the game writes it, or as it was given; empty for the start position.
    pub position: String,
    /// The duration and the number of rounds.
    pub settings: Settings,
    /// The machine and the build.
    pub host: Host,
    /// Playouts.
    pub playouts: Option<PlayoutsProfile>,
    /// Searchers.
    pub searchers: Option<SearchersProfile>,
}

impl Profile {
    /// An empty profile of this machine and build.
    pub fn begin(game: &dyn AnyGame, policy: &str, workload: &dyn Workload, settings: Settings) -> Self {
        Self {
            game: game.spec().to_string(),
            policy: policy.into(),
            position: workload.position().into(),
            settings,
            host: Host::gather(),
            playouts: None,
            searchers: None,
        }
    }
}

/// The measurements of playouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutsProfile {
    /// Paths and batch sizes.
    pub paths: Vec<PathRow>,
    /// Several threads at once, on the last path with the last batch size.
    pub threads: Vec<ThreadsRow>,
    /// The parts of a playout.
    pub parts: PartsProfile,
    /// The distribution of playout lengths.
    pub lengths: Lengths,
    /// Sizes in bytes.
    pub memory: Memory,
}

impl PlayoutsProfile {
    /// Checks that the workload has these paths on this machine and that each plays the games of the plain loop.
    ///
    /// # Errors
    /// Returns an error if a path is missing or plays different games.
    pub fn check(workload: &dyn Workload, paths: &[Path]) -> Result<(), ProfileError> {
        manners(workload, paths, &[1]).map(|_| ())
    }

    /// Measures playouts: each of the paths (all, if none are given) with each batch size, then each number of threads.
    ///
    /// # Errors
    /// Returns an error if a path is missing on this machine or plays different games than the plain loop.
    ///
    /// # Panics
    /// If there is no batch size, or a batch size or a number of threads is 0.
    ///
    /// # Cost
    /// The settings' time for each row and each part.
    pub fn measure(
        workload: &dyn Workload,
        paths: &[Path],
        batches: &[u64],
        threads: &[u32],
        settings: &Settings,
    ) -> Result<Self, ProfileError> {
        assert!(!batches.is_empty() && !batches.contains(&0), "batch sizes must be given and positive");
        assert!(!threads.contains(&0), "numbers of threads must be positive");
        let manners = manners(workload, paths, batches)?;
        let last = manners[manners.len() - 1];
        Ok(Self {
            paths: path_rows(workload, &manners, settings),
            threads: threads_rows(workload, last, threads, settings)?,
            parts: parts_profile(workload, last.batch, settings),
            lengths: Lengths::of(workload, LENGTHS),
            memory: Memory::of(workload),
        })
    }
}

const SHARES: [f64; 7] = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];

/// The lengths of some playouts. Exact up to 2047 plies, to three digits above.
///
/// # Example
/// ```
/// use shikou::profile::Lengths;
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let lengths = Lengths::of(&*game.workload("uniform", "").unwrap(), 1000);
/// assert_eq!((lengths.playouts, lengths.min, lengths.max), (1000, 5, 9));
/// assert_eq!(lengths.counts.iter().map(|&(_, count)| count).sum::<u64>(), 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lengths {
    /// The number of playouts.
    pub playouts: u64,
    /// The mean number of plies.
    pub mean: f64,
    /// The smallest number of plies.
    pub min: u64,
    /// The largest number of plies.
    pub max: u64,
    /// Quantiles: a fraction of the playouts, and the plies that it does not exceed.
    pub quantiles: Vec<(f64, u64)>,
    /// Every length that occurs, with its count.
    pub counts: Vec<(u64, u64)>,
}

impl Lengths {
    /// The lengths of the first playouts under a fixed key. Playouts from a finished game count with 0 plies.
    ///
    /// # Panics
    /// If `playouts` is 0.
    pub fn of(workload: &dyn Workload, playouts: u64) -> Self {
        assert!(playouts > 0, "at least one playout is needed");
        let mut histogram = Histogram::<u64>::new(3).expect("three significant digits are allowed");
        let lengths = workload.lengths(Batch::new(PlayoutKey::new(2026), playouts));
        let sum: u64 = lengths.iter().map(|&plies| u64::from(plies)).sum();
        for plies in lengths {
            histogram.record(plies.into()).expect("an auto-resizing histogram takes every length");
        }
        let counts = histogram
            .iter_recorded()
            .map(|step| (step.value_iterated_to(), step.count_since_last_iteration()))
            .collect();
        Self {
            playouts,
            mean: sum as f64 / playouts as f64,
            min: histogram.min(),
            max: histogram.max(),
            quantiles: SHARES.map(|share| (share, histogram.value_at_quantile(share))).into(),
            counts,
        }
    }
}

/// The sizes of a position and a move, and the memory of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The bytes of a position.
    pub position_bytes: u64,
    /// The bytes of a move.
    pub move_bytes: u64,
    /// The peak resident memory of the process so far, in bytes; `None` except on Linux.
    pub peak_bytes: Option<u64>,
}

impl Memory {
    /// The sizes of a workload, and the current process.
    pub fn of(workload: &dyn Workload) -> Self {
        let (position, mv) = workload.sizes();
        Self { position_bytes: position as u64, move_bytes: mv as u64, peak_bytes: peak_bytes() }
    }
}
