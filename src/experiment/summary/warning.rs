//! Reasons to doubt a figure.

use std::fmt;

use crate::words::{counted, is_or_are, with_thousands};
use serde::{Deserialize, Serialize};

/// Something that weakens a figure. It displays as a sentence; [`advice`](Self::advice) says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Warning {
    /// Games repeat others.
    RepeatedGames {
        /// The number of distinct games.
        different: u64,
        /// How many there were.
        games: u64,
    },
    /// There are too few independent values for a normal interval.
    FewInstances {
        /// How many deals or openings there are.
        instances: u64,
    },
    /// Games failed, and their trials are not counted.
    Failures {
        /// How many games.
        games: u64,
    },
    /// A player's search is limited by time, so results cannot be repeated.
    TimeLimited {
        /// Its name.
        player: String,
    },
    /// A player spends much less than its budget on most moves.
    UnspentBudget {
        /// Its name.
        player: String,
        /// The part of its budget that a move spends on average, in percent.
        percent: u64,
        /// Whether it has a depth, which may be what ends its searches.
        has_depth: bool,
    },
    /// A player does not promise to decide the same in another run.
    Unrepeatable {
        /// Its name.
        player: String,
    },
    /// The last run was of a build without optimisation.
    DebugBuild,
    /// More threads played than the machine runs at once.
    Oversubscribed {
        /// How many threads played.
        threads: u64,
        /// How many the machine runs at once.
        cores: u64,
    },
    /// Games shared a thread in lock-step.
    LockStep {
        /// How many at a time.
        games: u64,
    },
    /// One build started the log and another continued it.
    DifferingBuilds {
        /// The commit of the build that began it.
        began: String,
        /// The commit of the build of the last run.
        last: String,
    },
}

impl Warning {
    /// With fewer independent values than this the normal quantile is too small: by 4 % at 30, by 15 % at 10.
    pub const FEW: u64 = 30;

    /// Advice.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::RepeatedGames { .. } => {
                "begin games with more random plies, or with a longer list of openings"
            }
            Self::FewInstances { .. } => "play more",
            Self::Failures { .. } => "fix the failures: the remaining trials are a biased selection",
            Self::TimeLimited { .. } => "limit the search by playouts, nodes or depth",
            Self::UnspentBudget { has_depth: true, .. } => {
                "write a greater depth or none, or a smaller budget"
            }
            Self::UnspentBudget { .. } => "write a smaller budget",
            Self::Unrepeatable { .. } => "compare results of several runs",
            Self::DebugBuild => "use a release build",
            Self::Oversubscribed { .. } => "use fewer threads",
            Self::LockStep { .. } => "run without --lock-step if times matter",
            Self::DifferingBuilds { .. } => {
                "compare times of one build only; --restart plays all trials again"
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RepeatedGames { different, games } => {
                let (distinct, games) = (with_thousands(*different), counted(*games, "game"));
                let are = is_or_are(*different);
                write!(f, "{distinct} of {games} {are} distinct, and repeated games are no new evidence")
            }
            Self::FewInstances { instances: 1 } => {
                f.write_str("a normal interval from one deal or opening has no meaning")
            }
            Self::FewInstances { instances } => {
                write!(f, "normal intervals from {instances} deals or openings are too narrow")
            }
            Self::Failures { games: 1 } => f.write_str("1 game failed, and its trial is not counted"),
            Self::Failures { games } => {
                write!(f, "{} failed, and their trials are not counted", counted(*games, "game"))
            }
            Self::TimeLimited { player } => {
                write!(f, "the search of {player} is limited by time, so results cannot be repeated")
            }
            Self::UnspentBudget { player, percent, .. } => {
                write!(
                    f,
                    "{player} spends less than half of its budget on most moves, and {percent} % on average"
                )
            }
            Self::Unrepeatable { player } => {
                write!(f, "{player} does not promise to decide the same in another run")
            }
            Self::DebugBuild => write!(f, "a debug build played, so times are not meaningful"),
            Self::Oversubscribed { threads, cores } => {
                let (threads, cores) = (counted(*threads, "thread"), counted(*cores, "processor"));
                write!(f, "{threads} played on {cores}, so wall times are too long")
            }
            Self::LockStep { games } => {
                write!(f, "{games} games shared a thread, so the time of a move is a share of its time")
            }
            Self::DifferingBuilds { began, last } => {
                write!(f, "the build {began} started the log and {last} continued it, so times are from both")
            }
        }
    }
}
