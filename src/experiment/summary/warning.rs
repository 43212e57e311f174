//! What a reader should know before believing a figure.

use std::fmt;

use serde::Serialize;

/// Something that weakens a figure. It displays as a sentence; [`advice`](Self::advice) says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Warning {
    /// Games went the same way.
    RepeatedGames {
        /// How many games were different.
        different: u64,
        /// How many there were.
        games: u64,
    },
    /// There are too few independent values for a normal interval.
    FewInstances {
        /// How many deals or openings there are.
        instances: u64,
    },
    /// Games failed, and their trials count nowhere.
    Failures {
        /// How many games.
        games: u64,
    },
    /// A player's search is limited by time: another run plays otherwise.
    TimeLimited {
        /// Its name.
        player: String,
    },
    /// Several threads of a player's search race in one tree: another run plays otherwise.
    RacingThreads {
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
    /// The log was begun by one build and continued by another.
    DifferingBuilds {
        /// The commit of the build that began it.
        began: String,
        /// The commit of the build of the last run.
        last: String,
    },
}

impl Warning {
    /// Below so many independent values the normal quantile is too small: by 4 % at 30, by 15 % at 10.
    pub const FEW: u64 = 30;

    /// What to do about it.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::RepeatedGames { .. } => {
                "begin games with more random plies, or with a longer list of openings"
            }
            Self::FewInstances { .. } => "play more",
            Self::Failures { .. } => "mend what failed: the trials that are left are a selection",
            Self::TimeLimited { .. } => "limit the search by playouts, nodes or depth",
            Self::RacingThreads { .. } => "search with one thread, or with several trees",
            Self::DebugBuild => "use a release build",
            Self::Oversubscribed { .. } => "use fewer threads",
            Self::LockStep { .. } => "leave --lock-step out where times are what is asked for",
            Self::DifferingBuilds { .. } => "compare times of one build only; --restart plays all anew",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RepeatedGames { different, games } => write!(
                f,
                "{different} of {games} games are different, and games that repeat are no new evidence"
            ),
            Self::FewInstances { instances } => {
                write!(f, "normal intervals from {instances} deals or openings are too narrow")
            }
            Self::Failures { games } => write!(f, "{games} games failed, and their trials count nowhere"),
            Self::TimeLimited { player } => {
                write!(f, "the search of {player} is limited by time, and another run plays otherwise")
            }
            Self::RacingThreads { player } => {
                write!(f, "the threads of {player} race in one tree, and another run plays otherwise")
            }
            Self::DebugBuild => write!(f, "a debug build played, and its times mean nothing"),
            Self::Oversubscribed { threads, cores } => {
                write!(f, "{threads} threads played where {cores} run at once, and wall times are too long")
            }
            Self::LockStep { games } => {
                write!(
                    f,
                    "{games} games shared a thread, and the times of their moves are shares of its time"
                )
            }
            Self::DifferingBuilds { began, last } => {
                write!(f, "the build {began} began the log and {last} continued it, and times are of both")
            }
        }
    }
}
