//! The cases of a file, and the selection of cases.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::derive::reference::{counted, missing, summary_of};
use super::derive::{Context, Derive, KINDS, Yields};
use super::published::{Found, Published};
use super::verdict::{Judged, Verdict, judge};
use crate::experiment::document::{PlacedError, Section, Value, array, read_document, text};
use crate::experiment::{ManifestError, REFERENCES, read_file};
use crate::game::options::{OptionError, choice, named, time};
use crate::players::Registry;
use crate::report::{Block, file_name};
use crate::search::Clock;
use crate::stats::Confidence;

/// The built-in cases.
const CASES: &str = include_str!("../../validate/cases.toml");

/// The cases of a file.
pub struct Suite {
    /// The path of the file.
    pub path: PathBuf,
    /// The cases, in file order.
    pub cases: Vec<Case>,
    /// The maximum probability that a correct program fails any statistical case of the file.
    pub error_rate: f64,
}

/// A case that was run.
pub struct Checked<'s> {
    /// The case.
    pub case: &'s Case,
    /// The result, or the reason why the derivation failed.
    pub found: Result<Found, String>,
    /// The verdict.
    pub judged: Judged,
    /// More tables of the derivation.
    pub tables: Vec<Block>,
    /// The elapsed wall time, in nanoseconds. Not deterministic.
    pub wall_ns: u64,
}

impl Checked<'_> {
    /// Whether the case differs as it is known to.
    pub fn is_known_difference(&self) -> bool {
        self.judged.verdict == Verdict::Differs && self.case.known_difference.is_some()
    }

    /// Whether the case fails: it differs, and is not known to, or agrees although it is known to differ.
    pub fn is_failure(&self) -> bool {
        match self.judged.verdict {
            Verdict::Differs => self.case.known_difference.is_none(),
            Verdict::Agrees => self.case.known_difference.is_some(),
            Verdict::TooFew | Verdict::NotRun => false,
        }
    }
}

impl Suite {
    /// The built-in cases.
    ///
    /// # Errors
    /// Returns an error if the registry has another game under a built-in name, with other options.
    pub fn standard(registry: &Registry) -> Result<Self, ManifestError> {
        Self::parse("validate/cases.toml".as_ref(), CASES, registry)
    }

    /// Reads the cases of a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not TOML, has no case, or has an invalid case.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, ManifestError> {
        let text = read_file(path, "the case file", "without `--cases`, the built-in cases are run")?;
        Self::parse(path, &text, registry)
    }

    /// Parses the cases of a text. `path` appears in errors.
    ///
    /// # Errors
    /// Returns an error if the text is not TOML, has no case, or has an invalid case.
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, ManifestError> {
        let (cases, error_rate) =
            read_document(path, text, "the case file", |root| read_cases(root, path, registry))?;
        Ok(Self { path: path.into(), cases, error_rate })
    }

    /// The number of statistical cases, over which the error rate is divided.
    pub fn statistical(&self) -> usize {
        self.cases.iter().filter(|case| case.is_statistical()).count()
    }

    /// The level of each interval: 1 − (error rate)/(number of statistical cases) (Bonferroni). It does not depend on which
    /// cases are run, so the verdicts do not either.
    pub fn confidence(&self) -> Confidence {
        Confidence::new(1.0 - self.error_rate / self.statistical().max(1) as f64)
    }

    /// The cases with these names, or with these parts of a name, in file order; without names, all cases up to a tier.
    ///
    /// # Errors
    /// Returns an error if nothing has a name.
    pub fn select(&self, names: &[String], tier: Tier) -> Result<Vec<&Case>, OptionError> {
        let known = || self.cases.iter().map(|case| case.name.as_str());
        let mut wanted: Vec<&str> = Vec::new();
        for name in names {
            let found = named(name, known());
            if found.is_empty() {
                return Err(OptionError::unknown("case", name, known()));
            }
            wanted.extend(found);
        }
        let is_wanted = |case: &&Case| {
            if names.is_empty() { case.tier <= tier } else { wanted.contains(&case.name.as_str()) }
        };
        Ok(self.cases.iter().filter(is_wanted).collect())
    }

    /// Runs a case in the current thread's pool.
    pub fn check<'s>(&self, case: &'s Case, context: &Context<'_>) -> Checked<'s> {
        let clock = Clock::start();
        let found = case.derivation.derive(context).map_err(|error| error.to_string());
        let wall_ns = clock.elapsed().as_nanos() as u64;
        let mut judged = match &found {
            Ok(found) => judge(&case.published, found, self.confidence()),
            Err(reason) => Judged {
                verdict: Verdict::Differs,
                ours: None,
                difference: None,
                p: None,
                reason: reason.clone(),
            },
        };
        if let (Verdict::Agrees, Some(why)) = (judged.verdict, &case.known_difference) {
            judged.reason = format!("it agrees, but `known-difference` says: {why}");
        }
        Checked { case, found, judged, tables: case.derivation.tables(), wall_ns }
    }
}

fn read_cases(
    root: &mut Section<'_>,
    path: &Path,
    registry: &Registry,
) -> Result<(Vec<Case>, f64), PlacedError> {
    let schema = root.require("schema", "schema = 1")?;
    crate::experiment::document::integer("schema", schema, 1..=1)?;
    let error_rate = match root.take("error-rate") {
        None => 0.001,
        Some(value) => {
            let number = crate::experiment::document::text("error-rate", value)?.parse::<f64>().ok();
            number.filter(|rate| *rate > 0.0 && *rate < 1.0).ok_or_else(|| {
                PlacedError::new(
                    value.span(),
                    "`error-rate` must be a string with a number between 0 and 1, such as \"0.001\"",
                )
            })?
        }
    };
    let mut cases: Vec<Case> = Vec::new();
    let listed = root.require("case", "[[case]]")?;
    let values = array("case", listed)?;
    if values.is_empty() {
        let message = "the list of cases is empty; write `[[case]]` instead, followed by the keys of a case, such as \
                       `name`; docs/validating.md has an example";
        return Err(PlacedError::new(listed.span(), message));
    }
    for value in values {
        for case in Case::read_all(value, path, registry)? {
            if cases.iter().any(|other| other.name == case.name) {
                return Err(PlacedError::new(value.span(), format!("two cases are called `{}`", case.name)));
            }
            cases.push(case);
        }
    }
    Ok((cases, error_rate))
}

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

    /// Reads a case, or committed results whose published figures are a case each.
    fn read_all(value: &Value<'_>, path: &Path, registry: &Registry) -> Result<Vec<Self>, PlacedError> {
        let mut section = Section::from_value(value, "a case")?;
        if let Some(reference) = section.take("reference") {
            let mut of = Section::from_value(reference, "`reference`")?;
            if ["experiment", "player", "measure"].into_iter().all(|key| of.take(key).is_none()) {
                return read_results(&mut section, reference);
            }
        }
        Ok(vec![Self::read(value, path, registry)?])
    }

    /// Reads a case. `path` is the cases file; other files are relative to its folder.
    pub(super) fn read(value: &Value<'_>, path: &Path, registry: &Registry) -> Result<Self, PlacedError> {
        let mut section = Section::from_value(value, "a case")?;
        let name = case_name(&mut section)?;
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
        let (words, fitting) = yields.about();
        if !fitting.contains(&published.form()) {
            let message = format!(
                "`{kind}` gives {words}, which can be compared with {}, not with `{}`",
                fitting.join(", "),
                published.form()
            );
            return Err(PlacedError::new(published_value.span(), message));
        }
        if let (Published::Exact(figures), false) = (&published, yields == Yields::Exact)
            && !matches!(&figures[..], [figure] if figure.value().is_some())
        {
            let message = format!("`{kind}` gives {words}, so `exact` must be one number");
            return Err(PlacedError::new(published_value.span(), message));
        }
        Ok(Self { name, group, what, source, tier, cost, published, known_difference, kind, derivation })
    }
}

fn case_name(section: &mut Section<'_>) -> Result<String, PlacedError> {
    let value = section.require("name", "name = \"perft-8\"")?;
    let name = text("name", value)?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        let message = "a name must consist of lower-case letters, digits and hyphens";
        return Err(PlacedError::new(value.span(), message));
    }
    Ok(name)
}

/// A case for each published figure of committed results that counts successes.
fn read_results(section: &mut Section<'_>, reference: &Value<'_>) -> Result<Vec<Case>, PlacedError> {
    let refused = |message: String| PlacedError::new(reference.span(), message);
    let name = case_name(section)?;
    let group = section.name("group")?;
    let mut known = Vec::new();
    for value in
        section.take("known-differences").map_or(Ok(&[][..]), |value| array("known-differences", value))?
    {
        let mut difference = Section::from_value(value, "a known difference")?;
        let experiment = required_name(&mut difference, "experiment", "experiment = \"Gomoku\"")?;
        let player = required_name(&mut difference, "player", "player = \"halving\"")?;
        let why = required_name(&mut difference, "why", "why = \"the source has another board\"")?;
        difference.finish()?;
        known.push((experiment, player, why, value.span()));
    }
    section.finish()?;
    let mut of = Section::from_value(reference, "`reference`")?;
    let results = required_name(&mut of, "results", "results = \"claim-rave\"")?;
    of.finish()?;
    let references = Path::new(REFERENCES);
    let summary = summary_of(references, &results).map_err(refused)?;
    let summary = summary.ok_or_else(|| refused(missing(references, &results)))?;
    let mut cases = Vec::new();
    for (experiment, player, published, derivation) in counted(&results, &summary) {
        let is_it = |(e, p, ..): &(String, String, String, _)| *e == experiment && *p == player;
        let known_difference = known.iter().position(is_it).map(|at| known.swap_remove(at).2);
        cases.push(Case {
            name: format!("{name}-{}", file_name(&format!("{experiment} {player}"))),
            group: group.clone().or_else(|| summary.question.clone()).unwrap_or_else(|| results.clone()),
            what: format!("{experiment}: {player}"),
            source: summary.source.clone().unwrap_or_else(|| format!("the manifest of {results}")),
            tier: Tier::Quick,
            cost: Duration::from_secs(1),
            published,
            known_difference,
            kind: "reference",
            derivation,
        });
    }
    if let Some((experiment, player, _, span)) = known.pop() {
        let message =
            format!("{results} has no count of successes for `{player}` in the experiment `{experiment}`");
        return Err(PlacedError::new(span, message));
    }
    if cases.is_empty() {
        let message = format!("{results} has no published figure that counts successes of trials");
        return Err(refused(message));
    }
    Ok(cases)
}

fn required_name(section: &mut Section<'_>, key: &'static str, example: &str) -> Result<String, PlacedError> {
    let name = section.name(key)?;
    name.ok_or_else(|| section.missing(key, example))
}

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
