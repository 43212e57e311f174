//! The trials of a log, for programs that read tables of millions of rows.

use super::{Exporter, Report};
use crate::report::page::Page;

/// Trials. A report has none: `shikou report` writes them from the log.
pub(super) struct Trials {
    name: &'static str,
    about: &'static str,
}

/// As Parquet, which is no text.
pub(super) const PARQUET: Trials = Trials {
    name: "parquet",
    about: "of a run with its log the trials as bytes, with the cargo feature parquet",
};

/// As CSV, with all columns of a log.
pub(super) const ROWS: Trials = Trials {
    name: "trials",
    about: "of a run with its log the trials in the columns of trials.csv, in the order of the plan; one that experiments share is in each",
};

/// As CSV, with the columns that the digest covers.
pub(super) const CANONICAL: Trials = Trials {
    name: "canonical",
    about: "of a run with its log the bytes of its digest, as in canonical.csv, where the margin is called score",
};

impl Exporter for Trials {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn export(&self, _report: &dyn Report, _page: Page) -> Option<String> {
        None
    }
}
