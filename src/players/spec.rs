//! Searchers as data: which one, with which options and which budget.

use std::fmt;

use super::searchers::SearcherKind;
use super::text::write_spec;
use super::{Blame, Misfit};
use crate::game::options::{Invalid, OptionDecl, OptionValue, Options, named_with_options};
use crate::search::{Budget, Limit};

/// A searcher with its options and its budget, as a manifest says it.
///
/// # Example: what differs from the defaults is what it is called
/// ```
/// use shikou::players::{SearcherKind, SearcherSpec};
/// let spec = SearcherSpec::new(SearcherKind::Flat, [("playouts", 20.into())]).unwrap();
/// assert_eq!(spec.to_string(), "flat(playouts=20)");
/// assert_eq!("flat(playouts=20)".parse(), Ok(spec));
/// assert_eq!("minimax".parse::<SearcherSpec>().unwrap().to_string(), "minimax");
/// let limited: SearcherSpec = "minimax(depth=full)@time=2000ms,nodes=1000".parse().unwrap();
/// assert_eq!(limited.to_string(), "minimax(depth=\"full\")@nodes=1000,time=\"2s\"");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SearcherSpec {
    /// Which searcher.
    pub kind: SearcherKind,
    /// Its options, defaults filled in.
    pub options: Options,
    /// What it may spend on a move.
    pub budget: Budget,
}

impl SearcherSpec {
    /// A searcher with the given options, defaults for the rest, and no budget.
    ///
    /// # Errors
    /// Where an option is unknown or out of its range.
    pub fn new<'a>(
        kind: SearcherKind,
        given: impl IntoIterator<Item = (&'a str, OptionValue)>,
    ) -> Result<Self, Invalid> {
        Ok(Self { kind, options: Options::new(&kind.options(), given)?, budget: Budget::UNLIMITED })
    }

    /// The same with a budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Whether what it decides depends on time: then its results cannot be repeated.
    pub fn is_time_limited(&self) -> bool {
        self.budget.is_time_limited()
    }

    /// Whether it decides the same in every run: no time limits it, and its threads do not race.
    pub fn is_repeatable(&self) -> bool {
        !self.is_time_limited() && self.kind.repeats(&self.options)
    }

    /// The same searcher with at most 4 playouts and 2 plies of depth or level, to try things out; a budget, where
    /// it has one, is at most 4 playouts and a second. A search to the end of the game stays one where the game has
    /// no evaluation.
    #[must_use]
    pub fn reduced(&self, has_evaluation: bool) -> Self {
        let smaller =
            |decl: &OptionDecl, value: &OptionValue| self.kind.smaller(decl.name, value, has_evaluation);
        let options = self.options.map(&smaller).expect("smaller values are in range too");
        let reduced = Self { kind: self.kind, options, budget: Budget::UNLIMITED };
        let mut budget = self.budget;
        if !budget.is_unlimited() && self.kind.keeps().contains(&Limit::Playouts) {
            budget.playouts = Some(budget.playouts.map_or(4, |playouts| playouts.min(4)));
        }
        budget.time = budget.time.map(|time| time.min(std::time::Duration::from_secs(1)));
        reduced.with_budget(budget)
    }

    /// Whether the searcher can keep its budget, and has one if it needs one.
    pub(super) fn check_budget(&self) -> Result<(), Misfit> {
        let kind = self.kind;
        let keeps: Vec<&str> = kind.keeps().iter().map(|limit| limit.name()).collect();
        if let Some(limit) = self.budget.limits().find(|limit| !kind.keeps().contains(limit)) {
            let reason = match keeps[..] {
                [] => format!("{} takes no budget: its options say how much it does", kind.name()),
                _ => format!(
                    "{} keeps no budget of {}, only of {}",
                    kind.name(),
                    limit.name(),
                    keeps.join(", ")
                ),
            };
            return Err(Misfit { blame: Blame::Budget(limit), reason });
        }
        if kind.needs_budget() && self.budget.is_unlimited() {
            let reason = format!("{} needs a budget of {}", kind.name(), keeps.join(", "));
            return Err(Misfit { blame: Blame::NoBudget(kind.keeps()[0]), reason });
        }
        Ok(())
    }
}

impl fmt::Display for SearcherSpec {
    /// The name, in brackets the options that differ from the defaults, and behind an `@` the budget if there is
    /// one: the spec's part in a trial's identity, and its name where the manifest gives none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.budget.is_unlimited() {
            return write_spec(f, self.kind.name(), &self.options);
        }
        let unlimited = self.clone().with_budget(Budget::UNLIMITED);
        f.pad(&format!("{unlimited}@{}", self.budget))
    }
}

impl std::str::FromStr for SearcherSpec {
    type Err = Invalid;

    /// Reads `name` or `name(option=value,…)`, and behind it `@limit=value,…`, as people type it on a command line.
    fn from_str(text: &str) -> Result<Self, Invalid> {
        // A value in brackets may hold an `@`.
        let brackets = text.rfind(')').map_or(0, |at| at + 1);
        let (searcher, budget) = match text[brackets..].find('@') {
            None => (text, ""),
            Some(at) => (&text[..brackets + at], &text[brackets + at + 1..]),
        };
        let (name, given) = named_with_options(searcher)?;
        let kind = SearcherKind::named(name)?;
        let options = Options::parse(&kind.options(), given)?;
        let budget = Budget::from_options(&Options::parse(&Budget::options(), budget)?);
        Ok(Self { kind, options, budget })
    }
}
