//! The cases of a file, and which of them are asked for.

use std::path::{Path, PathBuf};

use super::case::{Case, Tier};
use super::derive::Context;
use super::found::Found;
use super::verdict::{Judged, Verdict, judge};
use crate::experiment::ManifestError;
use crate::experiment::document::{Blame, Section, array, read_document, read_file};
use crate::game::options::Invalid;
use crate::players::Registry;
use crate::search::Clock;
use crate::stats::Confidence;

/// The cases of the house.
const CASES: &str = include_str!("../../validate/cases.toml");

/// The cases of a file.
pub struct Suite {
    /// The file.
    pub path: PathBuf,
    /// In the order of the file.
    pub cases: Vec<Case>,
    /// The chance that a right program fails any statistical case of the file, at most.
    pub error_rate: f64,
}

/// A case that was run.
pub struct Checked<'s> {
    /// The case.
    pub case: &'s Case,
    /// What it came to; why it failed, where it did.
    pub found: Result<Found, String>,
    /// The verdict.
    pub judged: Judged,
    /// The wall time that it took, in nanoseconds. Not deterministic.
    pub wall_ns: u64,
}

impl Suite {
    /// The cases of the house.
    ///
    /// # Errors
    /// Where a game of the registry stands under a name of the house and takes other options.
    pub fn standard(registry: &Registry) -> Result<Self, ManifestError> {
        Self::parse("validate/cases.toml".as_ref(), CASES, registry)
    }

    /// The cases of a file.
    ///
    /// # Errors
    /// Where it cannot be read, is not TOML, has no case, or a case makes no sense.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, ManifestError> {
        let text = read_file(path, "without `--cases` those of the house are run")?;
        Self::parse(path, &text, registry)
    }

    /// The cases of a text. `path` is named in errors.
    ///
    /// # Errors
    /// Where it is not TOML, has no case, or a case makes no sense.
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, ManifestError> {
        let (cases, error_rate) = read_document(path, text, |root| read_cases(root, path, registry))?;
        Ok(Self { path: path.into(), cases, error_rate })
    }

    /// How many cases are statistical: among so many the error rate is shared out.
    pub fn statistical(&self) -> usize {
        self.cases.iter().filter(|case| case.is_statistical()).count()
    }

    /// The level of each interval: one less the error rate over the number of statistical cases (Bonferroni). It does not
    /// depend on which cases are run, so a verdict does not either.
    pub fn confidence(&self) -> Confidence {
        Confidence::new(1.0 - self.error_rate / self.statistical().max(1) as f64)
    }

    /// The cases with these names, in the order of the file; without names, all up to a tier.
    ///
    /// # Errors
    /// Where there is no case of a name.
    pub fn select(&self, names: &[String], tier: Tier) -> Result<Vec<&Case>, Invalid> {
        for name in names {
            if !self.cases.iter().any(|case| case.name == *name) {
                let known = self.cases.iter().map(|case| case.name.as_str());
                return Err(Invalid::unknown("case", name, known));
            }
        }
        let is_wanted =
            |case: &&Case| if names.is_empty() { case.tier <= tier } else { names.contains(&case.name) };
        Ok(self.cases.iter().filter(is_wanted).collect())
    }

    /// Runs a case on the calling thread's pool.
    pub fn check<'s>(&self, case: &'s Case, context: &Context<'_>) -> Checked<'s> {
        let clock = Clock::start();
        let found = case.derivation.derive(context);
        let wall_ns = clock.elapsed().as_nanos() as u64;
        let judged = match &found {
            Ok(found) => judge(&case.published, found, self.confidence()),
            Err(reason) => Judged {
                verdict: Verdict::Differs,
                ours: None,
                difference: None,
                p: None,
                reason: reason.clone(),
            },
        };
        Checked { case, found, judged, wall_ns }
    }
}

fn read_cases(root: &mut Section<'_>, path: &Path, registry: &Registry) -> Result<(Vec<Case>, f64), Blame> {
    let schema = root.require("schema", "schema = 1")?;
    crate::experiment::document::integer("schema", schema, 1..=1)?;
    let error_rate = match root.take("error-rate") {
        None => 0.001,
        Some(value) => {
            let number = crate::experiment::document::text("error-rate", value)?.parse::<f64>().ok();
            number.filter(|rate| *rate > 0.0 && *rate < 1.0).ok_or_else(|| {
                Blame::new(
                    value.span(),
                    "`error-rate` is a number between 0 and 1 as a text, such as \"0.001\"",
                )
            })?
        }
    };
    let mut cases: Vec<Case> = Vec::new();
    let listed = root.require("case", "[[case]]")?;
    let values = array("case", listed)?;
    if values.is_empty() {
        let message = "there is no case; write `[[case]]` in place of the list, and below it the keys of a case, such as \
                       `name`; docs/validating.md has an example";
        return Err(Blame::new(listed.span(), message));
    }
    for value in values {
        let case = Case::read(value, path, registry)?;
        if cases.iter().any(|other| other.name == case.name) {
            return Err(Blame::new(value.span(), format!("two cases are called `{}`", case.name)));
        }
        cases.push(case);
    }
    Ok((cases, error_rate))
}
