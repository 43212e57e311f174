//! The two forms of a log: rows of CSV, or blocks of columns.
//!
//! Everybody can read CSV, and it costs nothing where trials are long. Where they are short, writing and reading text
//! takes as long as playing, and a billion trials fill a disk. So plans with many trials have a compact log. A log keeps
//! the form in which it began.

use std::path::Path;

use crate::experiment::plan::Plan;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// A row of CSV for each game, in `trials.csv`.
    Csv,
    /// Blocks of columns of integers, in `trials.bin`.
    Compact,
}

impl LogForm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Compact];

    /// A plan with as many trials begins a compact log.
    pub const MANY: u64 = 1_000_000;

    /// The form in which a plan begins a log.
    pub fn of_plan(plan: &Plan) -> Self {
        if plan.len() < Self::MANY { Self::Csv } else { Self::Compact }
    }

    /// The form of the log in this file, by its name.
    pub(crate) fn of_file(path: &Path) -> Self {
        if path.extension().is_some_and(|extension| extension == "bin") { Self::Compact } else { Self::Csv }
    }

    /// Its name, as in `--log`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Compact => "compact",
        }
    }

    /// The name of the file in a folder of results.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Csv => "trials.csv",
            Self::Compact => "trials.bin",
        }
    }
}
