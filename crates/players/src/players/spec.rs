//! Games and searchers as data, with their text: a name, options, and the budget of a searcher.

use std::fmt;

use super::decl::{Claims, SearcherDecl};
use super::foreign::is_unsteady;
use super::recipe::{FitError, SpecPart};
use crate::game::options::{Cost, OptionDecl, OptionError, OptionValue, Options, Wording};
use crate::search::{Budget, Limit};

/// A game with its options, as in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSpec {
    /// The name of the game.
    pub name: &'static str,
    /// The options, defaults filled in.
    pub options: Options,
}

impl fmt::Display for GameSpec {
    /// The name and, in brackets, the options that differ from the defaults: the game's part of a trial identity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&spec_text(self.name, &self.options, Wording::Notation))
    }
}

/// A name with the changed options in brackets, if there are any.
pub(super) fn spec_text(name: &str, options: &Options, wording: Wording) -> String {
    let changed = options.changed_as(wording);
    if changed.is_empty() { name.into() } else { format!("{name}({changed})") }
}

/// The name of the searcher that is another program.
pub(super) const ENGINE: &str = "engine";

/// A searcher with its options and its budget, as data that was checked against the searcher's declarations.
///
/// # Example: the text form omits defaults
/// ```
/// use shikou::players::SearcherSpec;
/// let registry = shikou::registry();
/// let spec = SearcherSpec::new(registry.searcher("flat").unwrap(), [("playouts-per-move", 20.into())]).unwrap();
/// assert_eq!(spec.to_string(), "flat(playouts-per-move=20)");
/// assert_eq!(registry.read_searcher("flat(playouts-per-move=20)"), Ok(spec));
/// let limited = registry.read_searcher("minimax(depth=full)@time=2000ms,nodes=1000").unwrap();
/// assert_eq!(limited.to_string(), "minimax(depth=\"full\")@nodes=1000,time=\"2s\"");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SearcherSpec {
    /// Which searcher.
    pub searcher: &'static SearcherDecl,
    /// The options, defaults filled in.
    pub options: Options,
    /// The budget for a move.
    pub budget: Budget,
    /// The limits of the budget while some of them are genes, as the [options of a budget](crate::game::options::Settings::options); `budget` has
    /// the same limits then, but not their amounts.
    pub open_budget: Option<Options>,
}

impl SearcherSpec {
    /// A searcher with the given options, defaults for the rest, and no budget.
    ///
    /// # Errors
    /// If an option is unknown or out of its range.
    pub fn new<'a>(
        searcher: &'static SearcherDecl,
        given: impl IntoIterator<Item = (&'a str, OptionValue)>,
    ) -> Result<Self, OptionError> {
        let options = Options::new(&searcher.options(), given)?;
        Ok(Self { searcher, options, budget: Budget::UNLIMITED, open_budget: None })
    }

    /// The same with another budget. Its options keep their values; a depth that the budget alone limited becomes the
    /// default without a budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        let options = self.options.declared_as(self.searcher.options_within(&budget));
        Self { options, budget, open_budget: None, ..self }
    }

    /// The claims of the searcher with these options.
    pub fn claims(&self) -> Claims {
        self.searcher.claims(&self.options)
    }

    /// The number of threads of its search.
    pub fn threads(&self) -> u64 {
        self.options.threads()
    }

    /// The same text in other words: [`Wording::Identity`] is part of a trial's identity, [`Wording::Name`] the player's
    /// default name in a manifest.
    pub fn text(&self, wording: Wording) -> String {
        let unlimited = spec_text(self.searcher.name, &self.options, wording);
        match &self.open_budget {
            Some(limits) => format!("{unlimited}@{}", limits.changed_as(wording)),
            None if self.budget.is_unlimited() => unlimited,
            None => format!("{unlimited}@{}", self.budget),
        }
    }

    /// The same with the values that `change` gives to its options, also in their parts, and to the genes of its budget.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn map(
        &self,
        change: &impl Fn(&OptionDecl, &OptionValue) -> OptionValue,
    ) -> Result<Self, OptionError> {
        let open = self.open_budget.as_ref().map(|limits| limits.map(change)).transpose()?;
        let (budget, open_budget) = match open {
            Some(limits) => Budget::read(limits)?,
            None => (self.budget, None),
        };
        Ok(Self { options: self.options.map(change)?, budget, open_budget, ..self.clone() })
    }

    /// Whether its budget limits time. If so, its results are not repeatable.
    pub fn is_time_limited(&self) -> bool {
        self.budget.is_time_limited()
    }

    /// Whether another program plays for it; see [`Program`](super::Program).
    pub fn is_engine(&self) -> bool {
        self.searcher.name == ENGINE
    }

    /// Whether it decides the same in every run: its budget does not limit time, and its searcher claims so. Another
    /// program does not.
    pub fn is_repeatable(&self) -> bool {
        !self.is_time_limited() && self.claims().repeats && !is_unsteady(|| self.to_string())
    }

    /// A cheap version of the searcher for a smoke test: each option is reduced by its
    /// [`Cost`](crate::game::options::Cost), and a budget to at most 4 playouts and one second.
    #[must_use]
    pub fn reduced(&self, has_evaluation: bool) -> Self {
        let smaller = |decl: &OptionDecl, value: &OptionValue| decl.cost.in_smoke(value, has_evaluation);
        let options = self.options.map(&smaller).expect("smaller values are in range too");
        let mut budget = self.budget;
        if !budget.is_unlimited() && self.searcher.keeps.contains(&Limit::Playouts) {
            budget.playouts = Some(budget.playouts.map_or(4, |playouts| playouts.min(4)));
        }
        for time in [&mut budget.time, &mut budget.cpu_time].into_iter().flatten() {
            *time = (*time).min(std::time::Duration::from_secs(1));
        }
        Self { searcher: self.searcher, options, budget, open_budget: None }
    }

    /// Advice to write a budget of playouts as the option that sets the amount of work, if there is one.
    fn amount_instead(&self) -> String {
        let amount = self.options.iter().find(|(decl, _)| matches!(decl.cost, Cost::Amount { .. }));
        match (amount, self.budget.playouts) {
            (Some((decl, _)), Some(playouts)) => {
                format!("; write for example {}({}={playouts})", self.searcher.name, decl.name)
            }
            _ => String::new(),
        }
    }

    /// Checks that the searcher can keep its budget, and has a budget if it needs one.
    pub(super) fn check_budget(&self) -> Result<(), FitError> {
        let SearcherDecl { name, keeps: kept, .. } = *self.searcher;
        let keeps: Vec<&str> = kept.iter().map(|limit| limit.name()).collect();
        if let Some(limit) = self.budget.limits().find(|limit| !kept.contains(limit)) {
            let reason = match keeps[..] {
                [] => format!(
                    "{name} takes no budget: its options set the amount of work{}",
                    self.amount_instead()
                ),
                _ => format!(
                    "{name} cannot keep a budget of {}, only of {}",
                    limit.name(),
                    alternatives(&keeps)
                ),
            };
            return Err(FitError { part: SpecPart::Budget(limit), reason });
        }
        if self.budget.cpu_time.is_some() && self.threads() > 1 {
            let reason = format!(
                "a budget of {} is of one thread, and {name} searches on {}; write {}",
                Limit::CpuTime.name(),
                self.threads(),
                Limit::Time.name()
            );
            return Err(FitError { part: SpecPart::Budget(Limit::CpuTime), reason });
        }
        let divided =
            self.claims().divides.filter(|&divided| self.budget.limits().all(|limit| limit != divided));
        if let (Some(divided), Some(limit)) = (divided, self.budget.limits().next()) {
            let reason = format!(
                "with these options {name} divides a budget of {} beforehand, and cannot keep one of {} alone",
                divided.name(),
                limit.name()
            );
            return Err(FitError { part: SpecPart::Budget(limit), reason });
        }
        if self.searcher.needs_budget && self.budget.is_unlimited() {
            let reason = format!("{name} needs a budget of {}", alternatives(&keeps));
            return Err(FitError { part: SpecPart::NoBudget(kept[0]), reason });
        }
        Ok(())
    }
}

/// Names of which one is meant: `playouts, nodes or time`.
fn alternatives(names: &[&str]) -> String {
    match names {
        [.., _, last] => format!("{} or {last}", names[..names.len() - 1].join(", ")),
        _ => names.concat(),
    }
}

impl fmt::Display for SearcherSpec {
    /// Writes the name, the options that differ from the defaults in brackets, and the budget after an `@`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text(Wording::Notation))
    }
}
