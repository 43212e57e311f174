//! One case, as the file writes it.

use std::path::Path;
use std::time::Duration;

use super::derive::{Derive, KINDS, Yields};
use super::published::Published;
use crate::experiment::document::{Blame, Section, Value, text};
use crate::game::options::{Invalid, read_time};
use crate::players::Registry;

/// When a case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// With every commit.
    Quick,
    /// Now and then: it takes long.
    Full,
}

impl Tier {
    /// The tiers by name.
    const NAMES: [(&'static str, Self); 2] = [("quick", Self::Quick), ("full", Self::Full)];

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// A published figure and the way in which it is derived again.
pub struct Case {
    /// Its name, unique in the file.
    pub name: String,
    /// The title under which it stands in the table.
    pub group: String,
    /// What the figure is, in a few words.
    pub what: String,
    /// Where it was published, so that a reader can look it up.
    pub source: String,
    /// When it is run.
    pub tier: Tier,
    /// About how long it takes on two cores.
    pub cost: Duration,
    /// What was published.
    pub published: Published,
    /// The kind of its derivation, as the file names it.
    pub kind: &'static str,
    /// How it is derived.
    pub(super) derivation: Box<dyn Derive>,
}

impl Case {
    /// Whether its verdict rests on a sample, so that a right program may fail it.
    pub fn is_statistical(&self) -> bool {
        self.derivation.yields() != Yields::Exact
    }

    /// Whether it is read from committed results, and not played.
    pub fn is_read(&self) -> bool {
        self.derivation.is_read()
    }

    /// Reads a case. `path` is the file, from whose folder other files are found.
    pub(super) fn read(value: &Value<'_>, path: &Path, registry: &Registry) -> Result<Self, Blame> {
        let mut section = Section::from_value(value, "a case")?;
        let name_value = section.require("name", "name = \"perft-8\"")?;
        let name = text("name", name_value)?;
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            let message = "a name is made of small letters, digits and hyphens, so that it can be typed";
            return Err(Blame::new(name_value.span(), message));
        }
        let group = required_name(&mut section, "group", "group = \"Othello\"")?;
        let what = required_name(&mut section, "what", "what = \"leaves after 1 to 8 plies\"")?;
        let source = required_name(&mut section, "source", "source = \"Feinstein 1993\"")?;
        let tier = read_tier(section.require("tier", "tier = \"quick\"")?)?;
        let cost = read_cost(section.require("cost", "cost = \"2s\"")?)?;
        let published_value = section.require("published", "published.exact = 5478")?;
        let published = Published::read(published_value)?;
        let derivation = read_derivation(&mut section, path, registry)?;
        let span = section.span.clone();
        section.finish()?;
        let (kind, derivation) = derivation.ok_or_else(|| {
            let kinds = KINDS.map(|(kind, _)| kind).join(", ");
            Blame::new(span, format!("how is it derived? Write one of {kinds}"))
        })?;
        let yields = derivation.yields();
        let Some(fitting) = fitting_forms(yields).iter().find(|form| **form == published.form()) else {
            let message = format!(
                "`{kind}` gives {}, which can be held against {}, not against `{}`",
                yields.words(),
                fitting_forms(yields).join(", "),
                published.form()
            );
            return Err(Blame::new(published_value.span(), message));
        };
        if let (Published::Exact(figures), false) = (&published, yields == Yields::Exact)
            && !matches!(&figures[..], [figure] if figure.value().is_some())
        {
            let message = format!("`{kind}` gives {}, and `{fitting}` has to be one number", yields.words());
            return Err(Blame::new(published_value.span(), message));
        }
        Ok(Self { name, group, what, source, tier, cost, published, kind, derivation })
    }
}

/// The forms of what was published that a derivation can be held against.
const fn fitting_forms(yields: Yields) -> &'static [&'static str] {
    match yields {
        Yields::Exact => &["exact", "at-least"],
        Yields::Rate => &["exact", "rate", "between", "at-least", "more-than"],
        Yields::Mean => &["exact", "mean", "between", "at-least", "more-than"],
        Yields::Paired => &["exact", "between", "at-least", "more-than"],
    }
}

fn required_name(section: &mut Section<'_>, key: &'static str, example: &str) -> Result<String, Blame> {
    let name = section.name(key)?;
    name.ok_or_else(|| section.missing(key, example))
}

fn read_tier(value: &Value<'_>) -> Result<Tier, Blame> {
    let word = text("tier", value)?;
    let found = Tier::NAMES.iter().find(|(name, _)| *name == word);
    found.map(|(_, tier)| *tier).ok_or_else(|| {
        let invalid = Invalid::unknown("tier", &word, Tier::NAMES.map(|(name, _)| name));
        Blame::new(value.span(), invalid.to_string())
    })
}

fn read_cost(value: &Value<'_>) -> Result<Duration, Blame> {
    read_time(&text("cost", value)?).ok_or_else(|| {
        Blame::new(value.span(), "`cost` must be a whole number with its unit, such as \"200ms\" or \"2min\"")
    })
}

/// A derivation with the name of its kind.
type Named = (&'static str, Box<dyn Derive>);

fn read_derivation(
    section: &mut Section<'_>,
    path: &Path,
    registry: &Registry,
) -> Result<Option<Named>, Blame> {
    let mut given = Vec::new();
    for (kind, read) in KINDS {
        given.extend(section.take(kind).map(|value| (kind, read, value)));
    }
    match given[..] {
        [] => Ok(None),
        [(kind, read, value)] => Ok(Some((kind, read(value, path, registry)?))),
        [(first, ..), (second, _, value), ..] => {
            let message = format!("a case is derived in one way, not by `{first}` and by `{second}`");
            Err(Blame::new(value.span(), message))
        }
    }
}
