//! Why a manifest was refused, and where.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::document::Blame;

/// A manifest that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// The file.
    pub path: PathBuf,
    /// Its text and the bytes of it that are to blame; none where the file could not be read.
    pub place: Option<(String, Range<usize>)>,
    /// What is wrong and what to do, without the place.
    pub message: String,
}

impl ManifestError {
    pub(crate) fn unreadable(path: &Path, message: String) -> Self {
        Self { path: path.into(), place: None, message }
    }

    pub(crate) fn at(path: &Path, text: &str, blame: Blame) -> Self {
        // A key with a dot may be spanned as nothing; a caret needs a character.
        let end = blame.span.end.max(blame.span.start).min(text.len());
        Self {
            path: path.into(),
            place: Some((text.into(), blame.span.start.min(end)..end)),
            message: blame.message,
        }
    }

    /// Line and column of what is to blame, counted from 1, the column in characters.
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
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.line_and_column() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ManifestError {}
