//! Profiles: the speed of playouts and searchers on this machine, and the parts of their time.
//!
//! The key decision: everything that is compared is timed in turn, in many short rounds, and reported as a ratio within a
//! round. A busy machine, or a changing clock frequency, slows both sides of a ratio. The main clock is the thread's CPU
//! time; the wall clock shows how busy the machine was. Rejected: one long run of each, because the ratio would compare
//! two different minutes.
//!
//! A [`Workload`](crate::players::Workload) is measured: a game with its type erased, with one virtual call per batch.
//! Estimates are marked as such, here and in the output.

mod compared;
mod lengths;
mod rows;
mod scaling;
mod searchers;
mod text;
mod timing;

use serde::{Deserialize, Serialize};

use self::rows::{manners, parts_profile, path_rows};
use self::scaling::threads_rows;
use crate::experiment::Host;
use crate::game::Path;
use crate::players::{AnyGame, Workload};

pub use compared::{COMMAND, ComparedRow, Comparison, Incomparable, SCHEMA, SavedError, parse, written};
pub use lengths::{Lengths, Memory};
pub use rows::{PartProfile, PartsProfile, PathRow, Sample};
pub use scaling::{ThreadsRow, Together};
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
