//! A profile as a JSON file, with the name of the command and the version of the schema.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Profile;
use crate::object;

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

/// The error of a file that is not a profile: `path:line:column: message; what to do`.
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
