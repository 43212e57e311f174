//! An earlier profile: read from its JSON file, and compared with the current one.
//!
//! The two were not measured in turn. So a ratio reflects the state of the machine at two times as well as two builds,
//! and its interval covers only the variation between rounds. Ratios in cycles are independent of the frequency.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{PathRow, Profile, Sample};
use crate::object;
use crate::stats::{Confidence, Estimate, ratio_of_medians};

/// A measurement that both profiles have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRow {
    /// The measurement.
    pub what: String,
    /// The earlier median speed, in playouts or decisions per second.
    pub then_per_s: f64,
    /// The current median speed.
    pub now_per_s: f64,
    /// The current speed divided by the earlier one.
    pub ratio: Estimate,
    /// The earlier cycles divided by the current ones; `None` if unknown.
    pub ratio_in_cycles: Option<Estimate>,
}

/// The common measurements of two profiles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The common measurements.
    pub rows: Vec<ComparedRow>,
    /// The facts of machine and build that differ: name, earlier, current.
    pub differing: Vec<(&'static str, String, String)>,
    /// Whether the machines differ, so that the ratios compare machines and not builds.
    pub is_another_machine: bool,
}

/// The reason why two profiles cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// The profiles measure different things.
    #[error("the earlier profile measures {what} `{then}`, this one `{now}`; profile the same one")]
    Other {
        /// The thing that differs.
        what: &'static str,
        /// The earlier value.
        then: String,
        /// The current value.
        now: String,
    },
    /// The profiles have no row in common.
    #[error("the profiles have no row in common: {0}; use the same paths, batches and threads")]
    NoRow(String),
}

impl Comparison {
    /// Checks that two profiles have the same game, policy and position. Measurements may still be missing.
    ///
    /// # Errors
    /// Returns an error if one of these differs.
    pub fn check(then: &Profile, now: &Profile) -> Result<(), Incomparable> {
        let same = [
            ("game", &then.game, &now.game),
            ("policy", &then.policy, &now.policy),
            ("position", &then.position, &now.position),
        ];
        let other = same.into_iter().find(|(_, then, now)| then != now);
        other.map_or(Ok(()), |(what, then, now)| {
            Err(Incomparable::Other { what, then: then.clone(), now: now.clone() })
        })
    }

    /// Compares two profiles of the same game, policy and position.
    ///
    /// # Errors
    /// Returns an error if these differ, or the profiles have no measurement in common.
    pub fn new(then: &Profile, now: &Profile) -> Result<Self, Incomparable> {
        Self::check(then, now)?;
        let (before, after) = (series(then), series(now));
        let of_now: Vec<String> = after.iter().map(|series| series.what.clone()).collect();
        let rows: Vec<ComparedRow> = after
            .into_iter()
            .filter_map(|now| Some(compared(before.iter().find(|then| then.what == now.what)?, &now)))
            .collect();
        if rows.is_empty() {
            return Err(Incomparable::NoRow(of_now.join(", ")));
        }
        Ok(Self {
            rows,
            differing: then.host.differing(&now.host),
            is_another_machine: then.host.is_another_machine(&now.host),
        })
    }
}

/// The speeds of one measurement over the rounds.
struct Series {
    what: String,
    per_s: Vec<f64>,
    cycles: Option<Vec<f64>>,
}

fn series(profile: &Profile) -> Vec<Series> {
    let mut all = Vec::new();
    if let Some(playouts) = &profile.playouts {
        all.extend(playouts.paths.iter().map(of_path));
        all.extend(playouts.threads.iter().map(|row| Series {
            what: format!("{}, batches of {}, threads {}", row.path, row.batch, row.threads),
            per_s: row.samples.iter().map(|sample| sample.playouts_per_s).collect(),
            cycles: None,
        }));
    }
    if let Some(searchers) = &profile.searchers {
        all.extend(searchers.rows.iter().map(|row| Series {
            what: row.searcher.clone(),
            per_s: row.rounds_ns.iter().map(|ns| 1e9 / ns).collect(),
            cycles: None,
        }));
    }
    all
}

fn of_path(row: &PathRow) -> Series {
    Series {
        what: format!("{}, batches of {}", row.path, row.batch),
        per_s: row.samples.iter().map(Sample::playouts_per_s).collect(),
        cycles: row.samples.iter().map(Sample::cycles_per_ply).collect(),
    }
}

fn compared(then: &Series, now: &Series) -> ComparedRow {
    let confidence = Confidence::default_level();
    let ratio = ratio_of_medians(&now.per_s, &then.per_s, confidence);
    let cycles = then.cycles.as_ref().zip(now.cycles.as_ref());
    ComparedRow {
        what: now.what.clone(),
        then_per_s: super::Spread::of(then.per_s.clone()).median,
        now_per_s: super::Spread::of(now.per_s.clone()).median,
        ratio,
        ratio_in_cycles: cycles.map(|(then, now)| ratio_of_medians(then, now, confidence)),
    }
}

/// The version of the schema. Increased if a field changes or is removed.
pub const SCHEMA: u32 = 2;

/// The value of the field that identifies a profile.
pub const COMMAND: &str = "profile";

/// Read first, so that a file of another kind or version is reported as such.
#[derive(Deserialize)]
struct Head {
    command: String,
    schema: u32,
}

/// Other fields, such as a comparison, are ignored.
#[derive(Deserialize)]
struct Read {
    profile: Profile,
}

/// The profile as JSON. [`parse`] is the inverse.
pub fn written(profile: &Profile) -> String {
    serde_json::to_string_pretty(&object! { command: COMMAND, schema: SCHEMA, profile })
        .expect("a profile can be written as JSON")
}

/// Parses a profile.
///
/// # Errors
/// Returns an error, with line and column, if the text is not a profile.
///
/// # Example
/// ```
/// let error = shikou::profile::parse("old.json".as_ref(), "{\n  \"command\": 3\n}").unwrap_err();
/// assert!(error.to_string().starts_with("old.json:2:14: "), "{error}");
/// ```
pub fn parse(path: &Path, text: &str) -> Result<Profile, SavedError> {
    let at = |error: serde_json::Error| {
        // The place is reported separately.
        let words = error.to_string();
        let message = words.rsplit_once(" at line ").map_or(words.clone(), |(message, _)| message.into());
        SavedError { path: path.into(), place: Some((error.line(), error.column())), message }
    };
    let head: Head = serde_json::from_str(text).map_err(at)?;
    if head.command != COMMAND || head.schema != SCHEMA {
        let message = format!(
            "found `{}` version {}, expected `{COMMAND}` version {SCHEMA}",
            head.command.escape_debug(),
            head.schema
        );
        return Err(SavedError { path: path.into(), place: None, message });
    }
    Ok(serde_json::from_str::<Read>(text).map_err(at)?.profile)
}

/// The error of a file that is not a profile: `path:line:column: message; advice`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{}: {message}; `shikou profile GAME --save FILE` writes a new profile",
    path.display(), place.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"))
)]
pub struct SavedError {
    /// The file.
    pub path: PathBuf,
    /// Line and column, counted from 1; the column in bytes.
    pub place: Option<(usize, usize)>,
    /// The problem.
    pub message: String,
}
