use std::fmt;
use std::time::Duration;

use crate::game::options::{
    OptionDecl, OptionError, OptionKind, OptionValue, Options, Setting, Settings, integer_or, read_time,
    settings, write_time,
};

/// A quantity that a budget can limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Limit {
    /// Playouts.
    Playouts,
    /// Positions that a tree search visits.
    Nodes,
    /// Plies that playouts simulate; a playout of a finished position takes one of the budget.
    Plies,
    /// Wall-clock time.
    Time,
    /// Processor time of the thread that searches.
    CpuTime,
}

impl Limit {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Playouts, Self::Nodes, Self::Plies, Self::Time, Self::CpuTime];

    /// The name in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Playouts => "playouts",
            Self::Nodes => "nodes",
            Self::Plies => "plies",
            Self::Time => "time",
            Self::CpuTime => "cpu-time",
        }
    }
}

settings! {
    /// The most that a player may spend on a move. An omitted limit is unlimited. The search ends at the first limit that
    /// it reaches.
    ///
    /// Playouts and nodes are never exceeded. Plies are exceeded by at most one playout. Time is exceeded, on an idle
    /// machine, by at most 2 ms, 1 % or one playout, whichever is longest (measured by `cargo bench --bench budget`). Time
    /// does not end the first piece of work: a search that can decide after one playout, or after one iteration to depth 1,
    /// always decides, however busy the machine is. Processor time is of one thread, so a search on several takes no such
    /// limit; other programs on the machine do not use it up.
    ///
    /// # Example: a budget in the syntax of the command line
    /// ```
    /// use std::time::Duration;
    /// use shikou::search::Budget;
    /// let budget = Budget { playouts: Some(1000), time: Some(Duration::from_millis(50)), ..Budget::UNLIMITED };
    /// assert_eq!(budget.to_string(), "playouts=1000,time=\"50ms\"");
    /// assert!(budget.is_time_limited());
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Budget {
        /// the most playouts for a move
        playouts: Option<u64> = count(),
        /// the most positions that a tree search visits for a move
        nodes: Option<u64> = count(),
        /// the number of simulated plies that ends the search for a move; a playout takes at least one
        plies: Option<u64> = count(),
        /// the time that ends the search for a move
        time: Option<Duration> = time(),
        /// the processor time that ends the search for a move, for equal time on a busy machine; for one thread
        cpu_time: Option<Duration> = time(),
    }
}

/// The word for no limit.
const UNLIMITED: &str = "unlimited";

fn count() -> Setting<Option<u64>> {
    integer_or(1..=1_000_000_000_000_000, UNLIMITED, None)
}

fn time() -> Setting<Option<Duration>> {
    Setting::new(OptionKind::Time { word: Some(UNLIMITED) }, UNLIMITED, |value| match value {
        OptionValue::Word(text) => Some(read_time(text)),
        _ => None,
    })
}

impl Budget {
    /// The budget without the limit of this name.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        match name {
            "playouts" => Self { playouts: None, ..self },
            "nodes" => Self { nodes: None, ..self },
            "plies" => Self { plies: None, ..self },
            "time" => Self { time: None, ..self },
            "cpu-time" => Self { cpu_time: None, ..self },
            _ => self,
        }
    }

    /// No limit.
    pub const UNLIMITED: Self = Self { playouts: None, nodes: None, plies: None, time: None, cpu_time: None };

    /// A budget of playouts.
    pub const fn playouts(playouts: u64) -> Self {
        Self { playouts: Some(playouts), ..Self::UNLIMITED }
    }

    /// A budget of one limit; of time in nanoseconds.
    pub const fn of(limit: Limit, amount: u64) -> Self {
        let unlimited = Self::UNLIMITED;
        match limit {
            Limit::Playouts => Self::playouts(amount),
            Limit::Nodes => Self { nodes: Some(amount), ..unlimited },
            Limit::Plies => Self { plies: Some(amount), ..unlimited },
            Limit::Time => Self { time: Some(Duration::from_nanos(amount)), ..unlimited },
            Limit::CpuTime => Self { cpu_time: Some(Duration::from_nanos(amount)), ..unlimited },
        }
    }

    /// Its limit of this kind; of time in nanoseconds.
    pub fn amount(&self, limit: Limit) -> Option<u64> {
        match limit {
            Limit::Playouts => self.playouts,
            Limit::Nodes => self.nodes,
            Limit::Plies => self.plies,
            Limit::Time => self.time.map(|time| time.as_nanos() as u64),
            Limit::CpuTime => self.cpu_time.map(|time| time.as_nanos() as u64),
        }
    }

    /// Reads a budget from its [options](Settings::options), of which some may be genes. If any is, the options are returned
    /// too, and its limit is 1 in the budget.
    ///
    /// # Errors
    /// If a time is a gene.
    pub fn read(options: Options) -> Result<(Self, Option<Options>), OptionError> {
        let is_gene = |value: &OptionValue| matches!(value, OptionValue::Gene(_));
        if !options.iter().any(|(_, value)| is_gene(value)) {
            return Ok((Settings::read(&options), None));
        }
        let is_time = |name: &str| [Limit::Time, Limit::CpuTime].iter().any(|limit| limit.name() == name);
        if let Some((decl, _)) = options.iter().find(|(decl, value)| is_time(decl.name) && is_gene(value)) {
            return Err(OptionError::Other(format!(
                "`{}` cannot be a gene: a budget of time would not give the same result again",
                decl.name
            )));
        }
        let some =
            |_: &OptionDecl, value: &OptionValue| if is_gene(value) { 1.into() } else { value.clone() };
        Ok((Settings::read(&options.map(&some)?), Some(options)))
    }

    /// The given limits, in the order of [`Limit::ALL`].
    pub fn limits(&self) -> impl Iterator<Item = Limit> {
        Limit::ALL.into_iter().filter(|&limit| self.amount(limit).is_some())
    }

    /// Whether there is no limit.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::UNLIMITED
    }

    /// Whether time is limited, on the clock or of the processor. If so, results are not repeatable.
    pub const fn is_time_limited(&self) -> bool {
        self.time.is_some() || self.cpu_time.is_some()
    }
}

impl fmt::Display for Budget {
    /// Writes the given limits, sorted by name. This text is part of a trial's identity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |name: &str, count: Option<u64>| Some(format!("{name}={}", count?));
        let time = |name: &str, time: Option<Duration>| Some(format!("{name}={:?}", write_time(time?)));
        let parts = [
            time("cpu-time", self.cpu_time),
            count("nodes", self.nodes),
            count("playouts", self.playouts),
            count("plies", self.plies),
            time("time", self.time),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.pad(&parts.join(","))
    }
}
