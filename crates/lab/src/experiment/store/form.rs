//! The two files of a log: rows of CSV as they are, or the same rows packed in gzip members.
//!
//! The rows and their reader are the same. A plain row is read with `cat`, and has a check of its own. Where trials are
//! short, text fills a disk: so plans with many trials have a packed log, which everybody's programs read too. A log
//! keeps the form in which it began. Rejected: a packed log with a plain file of its newest rows, because two files need
//! a rule for what is in both after a crash, and a batch of rows is a member at once.

use std::path::Path;

use super::member::push_member;
use crate::experiment::plan::Plan;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// Plain rows, in `trials.csv`, each with its check.
    Csv,
    /// Rows in gzip members, in `trials.csv.gz`. The check is that of the member.
    Gzip,
}

impl LogForm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Gzip];

    /// A plan with as many trials begins a packed log.
    pub const MANY: u64 = 1_000_000;

    /// The form in which a plan begins a log.
    pub fn of_plan(plan: &Plan) -> Self {
        if plan.len() < Self::MANY { Self::Csv } else { Self::Gzip }
    }

    /// The form of the log in this file, by its name.
    pub(crate) fn of_file(path: &Path) -> Self {
        if path.extension().is_some_and(|extension| extension == "gz") { Self::Gzip } else { Self::Csv }
    }

    /// Its name, as in `--log`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Gzip => "gzip",
        }
    }

    /// The name of the file in a folder of results.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Csv => "trials.csv",
            Self::Gzip => "trials.csv.gz",
        }
    }

    /// Adds whole rows to a file. Plain ones have their checks.
    pub(super) fn push(self, rows: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Csv => out.extend(rows),
            Self::Gzip => push_member(out, rows),
        }
    }

    /// The beginning of the file of a log with these columns.
    pub(super) fn beginning(self, columns: &str) -> Vec<u8> {
        let (mut beginning, check) = (Vec::new(), if self == Self::Csv { ",check" } else { "" });
        self.push(format!("{columns}{check}\n").as_bytes(), &mut beginning);
        beginning
    }
}
