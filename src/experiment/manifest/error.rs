//! An error in a manifest, with its place.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::read::document::PlacedError;

/// A manifest that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// The file.
    pub path: PathBuf,
    /// Its text and the bytes of it that to underline; none if there is no text.
    pub place: Option<(String, Range<usize>)>,
    /// The problem and the advice, without the place.
    pub message: String,
}

impl ManifestError {
    pub(crate) fn unreadable(path: &Path, message: String) -> Self {
        Self { path: path.into(), place: None, message }
    }

    pub(crate) fn at(path: &Path, text: &str, error: PlacedError) -> Self {
        // A key with a dot may be spanned as nothing; a caret needs a character.
        let end = error.span.end.max(error.span.start).min(text.len());
        let place = (text.into(), error.span.start.min(end)..end);
        // A manifest that a program made has no text.
        let place = Some(place).filter(|_| !path.as_os_str().is_empty());
        Self { path: path.into(), place, message: error.message }
    }

    /// Line and column of the place, counted from 1, the column in characters.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let (text, span) = self.place.as_ref()?;
        let before = &text[..span.start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Some((line, column))
    }
}

impl fmt::Display for ManifestError {
    /// `path:line:column: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.as_os_str().is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.line_and_column() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ManifestError {}
