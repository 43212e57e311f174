//! Settings that cannot be used.

use std::fmt;

/// Why settings, samples or a space cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The name of the setting, as in a manifest.
    pub setting: &'static str,
    /// The reason and the next step.
    pub reason: String,
}

impl Problem {
    /// A setting that cannot be used, for this reason.
    pub fn new(setting: &'static str, reason: impl Into<String>) -> Self {
        Self { setting, reason: reason.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.setting, self.reason)
    }
}

impl std::error::Error for Problem {}
