//! The mistakes in a manifest, with their places.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::read::document::PlacedError;

/// A manifest that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// The file.
    pub path: PathBuf,
    /// Its text, with `\n` at the end of each line, and the bytes of this text to underline; none if there is no text.
    pub place: Option<(String, Range<usize>)>,
    /// The problem and the advice, without the place.
    pub message: String,
    /// The other mistakes that were found, in the order of the file.
    pub also: Vec<ManifestError>,
}

impl ManifestError {
    pub(crate) fn unreadable(path: &Path, message: String) -> Self {
        Self { path: path.into(), place: None, message, also: Vec::new() }
    }

    pub(crate) fn at(path: &Path, text: &str, error: PlacedError) -> Self {
        // A key with a dot may be spanned as nothing; a caret needs a character.
        let end = error.span.end.max(error.span.start).min(text.len());
        // Without the carriage returns of an editor on Windows, which are no part of a line.
        let returns = |at: usize| text.as_bytes().windows(2).take(at).filter(|pair| pair == b"\r\n").count();
        let place = [error.span.start.min(end), end].map(|at| at - returns(at));
        let place = (text.replace("\r\n", "\n"), place[0]..place[1]);
        // A manifest that a program made has no text.
        let place = Some(place).filter(|_| !path.as_os_str().is_empty());
        let also = error.also.into_iter().map(|other| Self::at(path, text, other)).collect();
        Self { path: path.into(), place, message: error.message, also }
    }

    /// The message with line and column, for a file that is not quoted.
    pub(crate) fn unquoted(&self) -> String {
        let (line, column) = self.line_and_column().unwrap_or((1, 1));
        format!("{}, at line {line}, column {column}", self.message)
    }

    /// The mistakes, in the order of the file.
    pub fn mistakes(&self) -> impl ExactSizeIterator<Item = &Self> {
        std::iter::once(self).chain(&self.also).collect::<Vec<_>>().into_iter()
    }

    /// The most mistakes that are shown.
    pub const SHOWN: usize = 10;

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
    /// `path:line:column: message`, a line for each mistake, up to [`ManifestError::SHOWN`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.mistakes().take(Self::SHOWN).enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if !mistake.path.as_os_str().is_empty() {
                write!(f, "{}", mistake.path.display())?;
                if let Some((line, column)) = mistake.line_and_column() {
                    write!(f, ":{line}:{column}")?;
                }
                f.write_str(": ")?;
            }
            f.write_str(&mistake.message)?;
        }
        match self.mistakes().len().checked_sub(Self::SHOWN) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for ManifestError {}
