//! The cases of a file, and the selection of cases.

use std::path::{Path, PathBuf};

use super::case::{Case, Tier};
use super::derive::Context;
use super::found::Found;
use super::verdict::{Judged, Verdict, judge};
use crate::experiment::ManifestError;
use crate::experiment::document::{PlacedError, Section, array, read_document, read_file};
use crate::game::options::{OptionError, named};
use crate::players::Registry;
use crate::report::Block;
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
        let found = case.derivation.derive(context);
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
        let case = Case::read(value, path, registry)?;
        if cases.iter().any(|other| other.name == case.name) {
            return Err(PlacedError::new(value.span(), format!("two cases are called `{}`", case.name)));
        }
        cases.push(case);
    }
    Ok((cases, error_rate))
}
