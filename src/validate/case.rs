//! One case of a cases file.

use std::path::Path;
use std::time::Duration;

use super::derive::{Derive, KINDS, Yields};
use super::published::Published;
use crate::experiment::document::{PlacedError, Section, Value, text};
use crate::game::options::{choice, time};
use crate::players::Registry;

/// When a case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// With every commit.
    Quick,
    /// Occasionally, because it takes long.
    Full,
}

impl Tier {
    /// The tier's name in a file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// A published figure and its derivation.
pub struct Case {
    /// The name, unique in the file.
    pub name: String,
    /// The title of its table.
    pub group: String,
    /// A short description of the figure.
    pub what: String,
    /// The publication.
    pub source: String,
    /// The tier.
    pub tier: Tier,
    /// The approximate time on two cores.
    pub cost: Duration,
    /// The published figure.
    pub published: Published,
    /// Why the published figure is known to differ, if it is: then it is a failure if it agrees.
    pub known_difference: Option<String>,
    /// The name of the derivation's kind.
    pub kind: &'static str,
    /// The derivation.
    pub(super) derivation: Box<dyn Derive>,
}

impl Case {
    /// Whether the verdict depends on a sample, so that a correct program may fail.
    pub fn is_statistical(&self) -> bool {
        self.derivation.yields() != Yields::Exact || matches!(self.published, Published::Sampled { .. })
    }

    /// Whether the result is read from committed results instead of played.
    pub fn is_read(&self) -> bool {
        self.derivation.is_read()
    }

    /// Reads a case. `path` is the cases file; other files are relative to its folder.
    pub(super) fn read(value: &Value<'_>, path: &Path, registry: &Registry) -> Result<Self, PlacedError> {
        let mut section = Section::from_value(value, "a case")?;
        let name_value = section.require("name", "name = \"perft-8\"")?;
        let name = text("name", name_value)?;
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            let message = "a name must consist of lower-case letters, digits and hyphens";
            return Err(PlacedError::new(name_value.span(), message));
        }
        let group = required_name(&mut section, "group", "group = \"Othello\"")?;
        let what = required_name(&mut section, "what", "what = \"leaves after 1 to 8 plies\"")?;
        let source = required_name(&mut section, "source", "source = \"Feinstein 1993\"")?;
        let tiers = [Tier::Quick, Tier::Full].map(|tier| (tier.name(), "", tier));
        let tier = section.get("tier", &choice(tiers).needed("\"quick\""))?;
        let cost = section.get("cost", &time().needed("\"2s\""))?;
        let published_value = section.require("published", "published.exact = 5478")?;
        let published = Published::read(published_value)?;
        let known_difference = section.name("known-difference")?;
        let derivation = read_derivation(&mut section, path, registry)?;
        let span = section.span.clone();
        section.finish()?;
        let (kind, derivation) = derivation.ok_or_else(|| {
            let kinds = KINDS.map(|(kind, _)| kind).join(", ");
            PlacedError::new(span, format!("the case has no derivation; add one of {kinds}"))
        })?;
        let yields = derivation.yields();
        let Some(fitting) = fitting_forms(yields).iter().find(|form| **form == published.form()) else {
            let message = format!(
                "`{kind}` gives {}, which can be compared with {}, not with `{}`",
                yields.words(),
                fitting_forms(yields).join(", "),
                published.form()
            );
            return Err(PlacedError::new(published_value.span(), message));
        };
        if let (Published::Exact(figures), false) = (&published, yields == Yields::Exact)
            && !matches!(&figures[..], [figure] if figure.value().is_some())
        {
            let message = format!("`{kind}` gives {}, so `{fitting}` must be one number", yields.words());
            return Err(PlacedError::new(published_value.span(), message));
        }
        Ok(Self { name, group, what, source, tier, cost, published, known_difference, kind, derivation })
    }
}

/// The forms of a published figure that a derivation can be compared with.
const fn fitting_forms(yields: Yields) -> &'static [&'static str] {
    match yields {
        Yields::Exact => &["exact", "sampled", "between", "at-least"],
        Yields::Rate => &["exact", "rate", "between", "at-least", "more-than"],
        Yields::Mean => &["exact", "mean", "between", "at-least", "more-than"],
        Yields::Paired => &["exact", "between", "at-least", "more-than"],
    }
}

fn required_name(section: &mut Section<'_>, key: &'static str, example: &str) -> Result<String, PlacedError> {
    let name = section.name(key)?;
    name.ok_or_else(|| section.missing(key, example))
}

/// A derivation with the name of its kind.
type Named = (&'static str, Box<dyn Derive>);

fn read_derivation(
    section: &mut Section<'_>,
    path: &Path,
    registry: &Registry,
) -> Result<Option<Named>, PlacedError> {
    let mut given = Vec::new();
    for (kind, read) in KINDS {
        given.extend(section.take(kind).map(|value| (kind, read, value)));
    }
    match given[..] {
        [] => Ok(None),
        [(kind, read, value)] => {
            let mut section = Section::from_value(value, &format!("`{kind}`"))?;
            Ok(Some((kind, read(&mut section, path, registry)?)))
        }
        [(first, ..), (second, _, value), ..] => {
            let message = format!("a case must have one derivation, not `{first}` and `{second}`");
            Err(PlacedError::new(value.span(), message))
        }
    }
}
