//! The trials of a log, for programs that read tables of millions of rows.

use super::{Exporter, Report};
use crate::report::page::Page;

/// Trials as Parquet. A report has no trials, and Parquet is no text: `shikou report` writes it from the log.
pub(super) struct Parquet;

impl Exporter for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn about(&self) -> &'static str {
        "of a run with its log the trials as bytes, with the cargo feature parquet"
    }

    fn export(&self, _report: &dyn Report, _page: Page) -> Option<String> {
        None
    }
}
