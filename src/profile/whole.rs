//! A profile: what was measured, of what, on which machine.

use serde::{Deserialize, Serialize};

use super::parts::parts_profile;
use super::rows::{manners, path_rows};
use super::scaling::threads_rows;
use super::{Lengths, Memory, NoProfile, PartsProfile, PathRow, SearchersProfile, Settings, ThreadsRow};
use crate::experiment::Host;
use crate::game::Path;
use crate::players::{AnyGame, Workload};

/// So many playouts tell the distribution of their lengths.
const LENGTHS: u64 = 20_000;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The game with its options.
    pub game: String,
    /// The policy of the playouts, with its options.
    pub policy: String,
    /// The position as the game writes it, else as it was given; empty for the start.
    pub position: String,
    /// For how long, and how often.
    pub settings: Settings,
    /// The machine and the build.
    pub host: Host,
    /// Playouts.
    pub playouts: Option<PlayoutsProfile>,
    /// Searchers.
    pub searchers: Option<SearchersProfile>,
}

impl Profile {
    /// A profile of this machine and build in which nothing is measured yet.
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

/// What was measured of playouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutsProfile {
    /// Paths and sizes of batches.
    pub paths: Vec<PathRow>,
    /// Several threads at once, on the last path in batches of the last size.
    pub threads: Vec<ThreadsRow>,
    /// The parts of a playout on the last path whose parts are known.
    pub parts: Option<PartsProfile>,
    /// How many plies playouts take.
    pub lengths: Lengths,
    /// Bytes.
    pub memory: Memory,
}

impl PlayoutsProfile {
    /// Whether the workload has these paths here, and each plays the games of the plain loop.
    ///
    /// # Errors
    /// Where a path is not there, or plays others.
    pub fn check(workload: &dyn Workload, paths: &[Path]) -> Result<(), NoProfile> {
        manners(workload, paths, &[1]).map(|_| ())
    }

    /// Measures playouts: each of the paths, where none are named all that there are, with each size of batches; then
    /// with each number of threads.
    ///
    /// # Errors
    /// Where there is no such path here, or one plays other games than the plain loop.
    ///
    /// # Panics
    /// Where there is no size of batches, one of them is 0, or a number of threads is.
    ///
    /// # Cost
    /// The settings' time for each row and each part.
    pub fn measure(
        workload: &dyn Workload,
        paths: &[Path],
        batches: &[u64],
        threads: &[u32],
        settings: &Settings,
    ) -> Result<Self, NoProfile> {
        assert!(!batches.is_empty() && !batches.contains(&0), "a batch has playouts");
        assert!(!threads.contains(&0), "somebody plays");
        let manners = manners(workload, paths, batches)?;
        let last = manners[manners.len() - 1];
        Ok(Self {
            paths: path_rows(workload, &manners, settings),
            threads: threads_rows(workload, last, threads, settings),
            parts: manners.iter().rev().find_map(|&manner| parts_profile(workload, manner, settings)),
            lengths: Lengths::of(workload, LENGTHS),
            memory: Memory::of(workload),
        })
    }
}
