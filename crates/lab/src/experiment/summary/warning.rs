//! Reasons to doubt a figure.

use serde::{Deserialize, Serialize};

use crate::words::counted;

/// The kinds of warnings, by whose names scripts know them.
macro_rules! kinds {
    ($($kind:ident = $about:literal,)*) => {
        /// The subject of a warning. `--deny-warnings` tells its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum WarningKind {
            $(#[doc = concat!($about, ".")] $kind,)*
        }

        impl WarningKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The name, such as `few-instances`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => crate::game::options::kebab_name!($kind),)*
                }
            }

            /// The meaning, in a line.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$kind => $about,)*
                }
            }
        }
    };
}

kinds! {
    RepeatedOpenings = "deterministic players began more than one pair from the same opening",
    OneGame = "deterministic players of a solitaire without chance played one game again and again",
    RepeatedGame = "two deterministic players repeated one game from either seat",
    NoMoves = "the openings end the games, so no player moved",
    FewInstances = "too few deals or openings for an interval of the mean",
    AllPrimary = "all of several comparisons are primary, so none is corrected",
    Failures = "games failed, and their trials are not counted",
    TimeLimited = "a search is limited by time, so results cannot be repeated",
    Unrepeatable = "a searcher does not estimate to decide the same in another run",
    UnspentBudget = "a player spends much less than its budget",
    BusyMachine = "searches that time limits had a processor for less than the time",
    DebugBuild = "a debug build played, so times mean nothing",
    Oversubscribed = "more threads played than there are processors",
    LockStep = "games shared a thread, so times of moves are shares",
    DifferingBuilds = "two builds wrote one log",
    DifferingMachines = "two profiles are of different machines",
    OneStream = "candidates of an optimisation had the same luck in every game",
    AlikeCandidates = "all candidates of an optimisation did equally well",
    LargeGap = "the best candidate of an optimisation is worse in new games",
    NoBetterThanStart = "a training is not shown to have more points than the weights that it began with",
    WorseThanEarlier = "a training had more points earlier",
    SharedGames = "samples of one game both train a network and test it",
    UnlockedLog = "the file system does not lock the log",
    MisreadNames = "pandas, R or a spreadsheet would misread names",
}

/// Something that weakens a figure. It displays as a sentence; [`advice`](Self::advice) says what to do.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Warning {
    #[error("{}", repeated_openings(players, *more, *openings, *pairs, *counted_once))]
    RepeatedOpenings {
        players: [String; 2],
        /// How many more meetings are of deterministic players.
        more: u64,
        openings: u64,
        pairs: u64,
        /// Whether all figures count each opening once. Of random openings they need not: chance gives each its weight.
        counted_once: bool,
    },
    #[error(
        "the game has no chance, and {} played the same game{} in all {}, so there is no interval",
        players.join(", "),
        if *boards == 1 { String::new() } else { format!(" on each of {boards} boards") },
        counted(*deals, "deal")
    )]
    OneGame {
        players: Vec<String>,
        deals: u64,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        boards: u64,
    },
    #[error(
        "the intervals of {} from {instances} deals or openings hold only if {0} are about normal",
        if *scored { "scores" } else { "margins" }
    )]
    FewInstances {
        instances: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        scored: bool,
    },
    #[error(
        "all {comparisons} comparisons are primary, so none is corrected: of as many between equal players, one or more are \
         significant by chance far more often than in 5 % of the experiments"
    )]
    AllPrimary { comparisons: u64 },
    #[error("{} failed, and {} not counted", counted(*games, "game"), if *games == 1 { "its trial is" } else { "their trials are" })]
    Failures { games: u64 },
    #[error("the search of {player} is limited by time, so results cannot be repeated")]
    TimeLimited { player: String },
    #[error("{player} spends less than half of its budget on most moves, and {percent} % on average")]
    UnspentBudget {
        player: String,
        /// The part of its budget that a move spends on average, in percent.
        percent: u64,
        /// Whether it has a depth, which may be what ends its searches.
        has_depth: bool,
    },
    #[error("{player} does not estimate to decide the same in another run")]
    Unrepeatable { player: String },
    #[error("a debug build played, so times are not meaningful")]
    DebugBuild,
    #[error(
        "{} played on {}, so wall times are too long",
        counted(*threads, "thread"), counted(*cores, "processor")
    )]
    Oversubscribed { threads: u64, cores: u64 },
    #[error("{games} games shared a thread, so the time of a move is a share of its time")]
    LockStep { games: u64 },
    #[error("the build {began} started the log and {last} continued it, so times are from both")]
    DifferingBuilds { began: String, last: String },
}

impl Warning {
    /// The subject.
    pub const fn kind(&self) -> WarningKind {
        match self {
            Self::RepeatedOpenings { .. } => WarningKind::RepeatedOpenings,
            Self::OneGame { .. } => WarningKind::OneGame,
            Self::FewInstances { .. } => WarningKind::FewInstances,
            Self::AllPrimary { .. } => WarningKind::AllPrimary,
            Self::Failures { .. } => WarningKind::Failures,
            Self::TimeLimited { .. } => WarningKind::TimeLimited,
            Self::UnspentBudget { .. } => WarningKind::UnspentBudget,
            Self::Unrepeatable { .. } => WarningKind::Unrepeatable,
            Self::DebugBuild => WarningKind::DebugBuild,
            Self::Oversubscribed { .. } => WarningKind::Oversubscribed,
            Self::LockStep { .. } => WarningKind::LockStep,
            Self::DifferingBuilds { .. } => WarningKind::DifferingBuilds,
        }
    }

    /// With fewer independent values than this the mean of a skewed margin is not nearly normal.
    pub const FEW: u64 = 30;

    /// Advice.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::RepeatedOpenings { counted_once: true, .. } => "give a longer list of openings",
            Self::RepeatedOpenings { .. } => "begin games with more random plies",
            Self::OneGame { boards: 1, .. } => "write trials = 1, or more boards as `openings`",
            Self::OneGame { .. } => "one round is enough: write as many trials as boards",
            Self::FewInstances { .. } => "play more",
            Self::AllPrimary { .. } => "name as primary only the one that the experiment was made for",
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

const fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_one(number: &u64) -> bool {
    *number == 1
}

fn repeated_openings(
    [first, second]: &[String; 2],
    more: u64,
    openings: u64,
    pairs: u64,
    counted_once: bool,
) -> String {
    let others = match more {
        0 => String::new(),
        _ => format!(", and those of {},", counted(more, "other meeting")),
    };
    let [pairs, openings] = [counted(pairs, "pair"), counted(openings, "distinct opening")];
    let so = if counted_once {
        "all figures count each once"
    } else {
        "intervals hold for openings drawn at random, and a repeated one shows nothing new"
    };
    format!("{first} and {second}{others} are deterministic, and {pairs} begin from {openings}: {so}")
}
