//! A warning of a report, with the name by which a script knows it.

use std::fmt;

use crate::experiment::{Warning, WarningKind};

/// A warning of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caution {
    /// The subject.
    pub kind: WarningKind,
    /// The sentence, with advice.
    pub words: String,
}

impl Caution {
    pub(super) fn new(kind: WarningKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into() }
    }
}

impl From<&Warning> for Caution {
    fn from(warning: &Warning) -> Self {
        Self::new(warning.kind(), format!("{warning}; {}.", warning.advice()))
    }
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Warning: {}", self.words)
    }
}

/// The lines of these warnings.
pub(super) fn lines(cautions: impl IntoIterator<Item = Caution>) -> Vec<String> {
    cautions.into_iter().map(|caution| caution.to_string()).collect()
}
