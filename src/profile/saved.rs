//! A profile as a file: JSON, with the name of the command and the version of its shape.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Profile;

/// The version of the shape, raised when a field changes or goes.
pub const SCHEMA: u32 = 1;

/// What says that a file is a profile.
pub const COMMAND: &str = "profile";

#[derive(Serialize)]
struct Written<'p> {
    command: &'static str,
    schema: u32,
    profile: &'p Profile,
}

/// What is read first, so that a file of another kind or version is named as such.
#[derive(Deserialize)]
struct Head {
    command: String,
    schema: u32,
}

/// What is printed beside it, such as a comparison, is passed over.
#[derive(Deserialize)]
struct Read {
    profile: Profile,
}

/// The profile as JSON, which [`parse`] reads back.
pub fn written(profile: &Profile) -> String {
    let written = Written { command: COMMAND, schema: SCHEMA, profile };
    serde_json::to_string_pretty(&written).expect("a profile can be written as JSON")
}

/// The profile in the text of a file.
///
/// # Errors
/// Where the text is none, with the place.
///
/// # Example
/// ```
/// let error = shikou::profile::parse("old.json".as_ref(), "{\n  \"command\": 3\n}").unwrap_err();
/// assert!(error.to_string().starts_with("old.json:2:14: "), "{error}");
/// ```
pub fn parse(path: &Path, text: &str) -> Result<Profile, SavedError> {
    let at = |error: serde_json::Error| {
        // The place stands apart.
        let words = error.to_string();
        let message = words.rsplit_once(" at line ").map_or(words.clone(), |(message, _)| message.into());
        SavedError { path: path.into(), place: Some((error.line(), error.column())), message }
    };
    let head: Head = serde_json::from_str(text).map_err(at)?;
    if head.command != COMMAND || head.schema != SCHEMA {
        let message = format!(
            "this is `{}` in version {}, and not `{COMMAND}` in version {SCHEMA}",
            head.command.escape_debug(),
            head.schema
        );
        return Err(SavedError { path: path.into(), place: None, message });
    }
    Ok(serde_json::from_str::<Read>(text).map_err(at)?.profile)
}

/// A file that is no profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedError {
    /// The file.
    pub path: PathBuf,
    /// Line and column, counted from 1; the column in bytes.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SavedError {
    /// `path:line:column: message; what to do`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}; `shikou profile GAME --save FILE` writes a profile anew", self.message)
    }
}

impl std::error::Error for SavedError {}
